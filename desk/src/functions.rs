//! Server functions of the desk. Forms name them in `action`, and are redirected to the page in
//! `back`, which is the page of the form. The island sends the same forms with [`kit::form`] and
//! reads the results: the clients that Leptos generates, with the formats that they need, would be
//! more than a third of the desk's wasm.

use super::model::{Correction, Outcome, Queue, Refused};
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::{
    backend::{Notice, SharedWork, UserError},
    model::Verdict,
};

/// Path prefix of the functions.
pub const PREFIX: &str = "/desk/do";

/// Body of the response if the session has ended, in the error format of server functions.
pub const SIGNED_OUT: &str = "ServerError|You are no longer signed in: load the page again.";

/// Starts a session with an operator's key.
#[server(prefix = "/desk/do", endpoint = "sign-in")]
pub async fn sign_in(key: String, #[server(default)] back: String) -> Result<(), ServerFnError> {
    let work = work();
    match work.sign_in(key.trim()).await {
        Ok(()) => work.lead_to(&here(&back)),
        Err(user_error) => {
            work.lead_with(&with_back("/desk/sign-in", &back), (&user_error).into());
            return Err(failed(user_error));
        }
    }
    Ok(())
}

/// Ends the session.
#[server(prefix = "/desk/do", endpoint = "sign-out")]
pub async fn sign_out() -> Result<(), ServerFnError> {
    let work = work();
    work.sign_out().await.map_err(failed)?;
    work.lead_to("/desk/sign-in");
    Ok(())
}

/// Decides on the report in `one`, such as `approve:r-17`, or with the verdict `step` on all `ids`.
#[server(prefix = "/desk/do", endpoint = "decide")]
pub async fn decide(
    #[server(default)] step: String,
    #[server(default)] one: String,
    #[server(default)] ids: Vec<String>,
    #[server(default)] back: String,
) -> Result<Outcome, ServerFnError> {
    let work = work();
    let (step, ids) = match one.split_once(':') {
        Some((step, id)) => (step.to_owned(), vec![id.to_owned()]),
        None => (step, ids),
    };
    let verdict = Verdict::named(&step)
        .ok_or_else(|| ServerFnError::new("Choose whether to approve or to reject."))?;
    match work.decide(verdict, &ids).await {
        Ok(outcome) => {
            match outcome.refused.as_slice() {
                [] => work.lead_to(&here(&back)),
                refused => work.lead_with(&here(&back), Notice::UserError(notice(refused))),
            }
            Ok(outcome)
        }
        Err(user_error) => {
            work.lead_with(&here(&back), (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Corrects the report with this id.
#[server(prefix = "/desk/do", endpoint = "correct")]
pub async fn correct(id: String, correction: Correction) -> Result<(), ServerFnError> {
    let work = work();
    let page = format!("/desk/report?id={}", crate::queue_list::encoded(&id));
    match work.correct(&id, correction).await {
        Ok(()) => {
            work.lead_to(&page);
            Ok(())
        }
        Err(user_error) => {
            work.lead_with(&page, (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Decides on all reports selected by the query `selected`, if they are still the confirmed ones.
#[server(prefix = "/desk/do", endpoint = "decide-on-all")]
pub async fn decide_on_all(
    step: String,
    #[server(default)] selected: String,
    confirmed: String,
) -> Result<(), ServerFnError> {
    let work = work();
    let verdict = Verdict::named(&step)
        .ok_or_else(|| ServerFnError::new("Choose whether to approve or to reject."))?;
    let user_error = match work.decide_on_all(verdict, &selected, &confirmed).await {
        Ok(Ok(_)) => {
            work.lead_to(&format!("/desk?{selected}"));
            return Ok(());
        }
        Ok(Err(_)) => {
            UserError("Nothing was decided: the list has changed. Check it again.".to_owned())
        }
        Err(user_error) => user_error,
    };
    let step = verdict.as_str();
    work.lead_with(&format!("/desk/all?step={step}&{selected}"), (&user_error).into());
    Ok(())
}

/// Undoes a decision; returns the result as a sentence.
#[server(prefix = "/desk/do", endpoint = "undo")]
pub async fn undo(entry: i64, #[server(default)] back: String) -> Result<String, ServerFnError> {
    let work = work();
    match work.undo(entry).await {
        Ok(notice) => {
            work.lead_to(&here(&back));
            Ok(notice)
        }
        Err(user_error) => {
            work.lead_with(&here(&back), (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Imports an uploaded file with the choices of its preview.
#[server(prefix = "/desk/do", endpoint = "import")]
pub async fn import_upload(
    id: String,
    #[server(default)] choices: String,
    #[server(default)] approve: String,
) -> Result<(), ServerFnError> {
    let work = work();
    match work.import_upload(&id, &choices, !approve.is_empty()).await {
        Ok(import) => {
            work.lead_to(&format!("/desk/import?id={import}"));
            Ok(())
        }
        Err(user_error) => {
            let id = crate::queue_list::encoded(&id);
            let page = format!("/desk/preview?id={id}&{choices}");
            work.lead_with(&page, (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Revokes the key with this prefix.
#[server(prefix = "/desk/do", endpoint = "revoke")]
pub async fn revoke(prefix: String) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, "/desk/keys", work.revoke(&prefix).await)
}

/// Ends a session of any person.
#[server(prefix = "/desk/do", endpoint = "end-session")]
pub async fn end_session(id: String) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, "/desk/keys", work.end_session(&id).await)
}

/// Enables a webhook subscription.
#[server(prefix = "/desk/do", endpoint = "enable")]
pub async fn enable(id: String) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, "/desk/webhooks", work.enable(&id).await)
}

/// Disables a webhook subscription, with a reason that its partner sees.
#[server(prefix = "/desk/do", endpoint = "disable")]
pub async fn disable(id: String, #[server(default)] reason: String) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, "/desk/webhooks", work.disable(&id, &reason).await)
}

/// Sends a test event to a webhook subscription.
#[server(prefix = "/desk/do", endpoint = "test")]
pub async fn test(id: String) -> Result<(), ServerFnError> {
    let work = work();
    lead_back(&work, "/desk/webhooks", work.test(&id).await)
}

/// The current list; `None` if it still has this version.
#[server(prefix = "/desk/do", endpoint = "look")]
pub async fn look(
    #[server(default)] query: String,
    #[server(default)] version: String,
) -> Result<Option<Queue>, ServerFnError> {
    let work = work();
    if !version.is_empty() && work.version().await.map_err(failed)? == version {
        return Ok(None);
    }
    work.queue(&query).await.map(Some).map_err(failed)
}

/// The reports among these that no longer wait for a decision, each with who decided on it.
#[server(prefix = "/desk/do", endpoint = "outcomes")]
pub async fn outcomes(#[server(default)] ids: Vec<String>) -> Result<Vec<Refused>, ServerFnError> {
    work().outcomes(&ids).await.map_err(failed)
}

#[cfg(feature = "ssr")]
fn work() -> SharedWork {
    expect_context()
}

#[cfg(feature = "ssr")]
fn failed(user_error: UserError) -> ServerFnError {
    ServerFnError::new(user_error.0)
}

/// Redirects to a page that shows the result.
#[cfg(feature = "ssr")]
fn lead_back(
    work: &SharedWork,
    page: &str,
    done: Result<String, UserError>,
) -> Result<(), ServerFnError> {
    match done {
        Ok(notice) => {
            work.lead_with(page, Notice::Done(notice));
            Ok(())
        }
        Err(user_error) => {
            work.lead_with(page, (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Returns `back` if it is a page of the desk, else `/desk`, so that forms cannot redirect to other
/// sites.
#[cfg(feature = "ssr")]
fn here(back: &str) -> String {
    match back == "/desk" || back.starts_with("/desk?") || back.starts_with("/desk/") {
        true => back.to_owned(),
        false => "/desk".to_owned(),
    }
}

/// The page at `path`, with `back` as its next page.
#[cfg(feature = "ssr")]
fn with_back(path: &str, back: &str) -> String {
    match back {
        "" => path.to_owned(),
        _ => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            format!("{path}?{}", query.append_pair("back", back).finish())
        }
    }
}

#[cfg(feature = "ssr")]
fn notice(refused: &[super::model::Refused]) -> String {
    let notice = refused.iter().take(5).map(|one| format!("{}: {}.", one.id, one.reason));
    let notice: Vec<String> = notice.collect();
    match refused.len().saturating_sub(notice.len()) {
        0 => notice.join(" "),
        more => format!("{} And {more} more.", notice.join(" ")),
    }
}
