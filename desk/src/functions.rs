//! Server functions of the desk. Forms name them in `action`, and are redirected to the page in
//! `back`, which is the page of the form. The island sends the same forms with [`kit::form`] and
//! reads the results: the clients that Leptos generates, with the formats that they need, would be
//! more than a third of the desk's wasm.

mod correct_many;
mod places;

pub use self::{
    correct_many::{CorrectMany, correct_many},
    places::{KeepApart, PairAgain, keep_apart, pair_again},
};

use super::model::{Correction, Outcome, Queue, Refused};
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::{
    backend::{Notice, SharedWork, UserError},
    layout::list_path,
    model::Verdict,
    queue_list::in_words,
    report::{path_of, with_typed},
    words::{
        deciding::{AND_MORE, CHOOSE_A_DECISION, LIST_HAS_CHANGED, SAVED, SELECT_A_REPORT},
        queue::{REMOVED_VIEW, SAVED_AS},
        sentence,
        sign_in::YOU_ARE_SIGNED_OUT,
        t, with,
    },
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
    work.lead_with("/desk/sign-in", Notice::Done(t(YOU_ARE_SIGNED_OUT)));
    Ok(())
}

/// Decides on the report in `one`, such as `approve:r-17`, or with the verdict `step` on all `ids`.
/// `reason` is one of the operator's reasons, and `note` adds to it; both may be empty. If nothing was
/// decided, `page` is shown instead of `back`, unless it is empty.
#[server(prefix = "/desk/do", endpoint = "decide")]
pub async fn decide(
    #[server(default)] step: String,
    #[server(default)] one: String,
    #[server(default)] ids: Vec<String>,
    #[server(default)] reason: String,
    #[server(default)] note: String,
    #[server(default)] back: String,
    #[server(default)] page: String,
) -> Result<Outcome, ServerFnError> {
    let work = work();
    let page = here(if page.is_empty() { &back } else { &page });
    let (step, ids) = match one.split_once(':') {
        Some((step, id)) => (step.to_owned(), vec![id.to_owned()]),
        None => (step, ids),
    };
    let verdict = Verdict::named(&step).ok_or_else(|| ServerFnError::new(t(CHOOSE_A_DECISION)))?;
    let done = match ids.is_empty() {
        true => Err(UserError(t(SELECT_A_REPORT))),
        false => work.decide(verdict, &ids, &because(&reason, &note)).await,
    };
    match done {
        Ok(outcome) => {
            let to = if outcome.changed.is_empty() { page } else { here(&back) };
            work.lead_with(&to, outcome_notice(verdict, &outcome));
            Ok(outcome)
        }
        Err(user_error) => {
            work.lead_with(&page, (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Corrects the report with this id. The form of its page gives the query of the list that the page
/// was opened from.
#[server(prefix = "/desk/do", endpoint = "correct")]
pub async fn correct(
    id: String,
    correction: Correction,
    #[server(default)] list: Option<String>,
) -> Result<(), ServerFnError> {
    let work = work();
    let page = path_of(&id, list.as_deref());
    match work.correct(&id, correction.clone()).await {
        Ok(()) => {
            work.lead_with(&page, Notice::Done(t(SAVED)));
            Ok(())
        }
        Err(user_error) => {
            work.lead_with(&with_typed(&page, &correction), (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Decides on all reports selected by the query `selected`, if they are still the confirmed ones,
/// with a reason as in [`decide`].
#[server(prefix = "/desk/do", endpoint = "decide-on-all")]
pub async fn decide_on_all(
    step: String,
    #[server(default)] selected: String,
    confirmed: String,
    #[server(default)] reason: String,
    #[server(default)] note: String,
    #[server(default)] back: String,
) -> Result<(), ServerFnError> {
    let work = work();
    let verdict = Verdict::named(&step).ok_or_else(|| ServerFnError::new(t(CHOOSE_A_DECISION)))?;
    let reason = because(&reason, &note);
    let user_error = match work.decide_on_all(verdict, &selected, &confirmed, &reason).await {
        Ok(Some(count)) => {
            let page = match &*back {
                "" => list_path(&selected),
                back => here(back),
            };
            work.lead_with(&page, Notice::Done(sentence(verdict.result(), count)));
            return Ok(());
        }
        Ok(None) => UserError(t(LIST_HAS_CHANGED)),
        Err(user_error) => user_error,
    };
    let step = verdict.as_str();
    let page = with_back(&format!("/desk/all?step={step}&{selected}"), &back);
    work.lead_with(&page, (&user_error).into());
    Ok(())
}

/// Undoes a decision; returns the result as a sentence.
#[server(prefix = "/desk/do", endpoint = "undo")]
pub async fn undo(entry: i64, #[server(default)] back: String) -> Result<String, ServerFnError> {
    let work = work();
    match work.undo(entry).await {
        Ok(notice) => {
            work.lead_with(&here(&back), Notice::Done(notice.clone()));
            Ok(notice)
        }
        Err(user_error) => {
            work.lead_with(&here(&back), (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Saves a list under a name.
#[server(prefix = "/desk/do", endpoint = "save-view")]
pub async fn save_view(
    name: String,
    #[server(default)] query: String,
) -> Result<(), ServerFnError> {
    let work = work();
    match work.save_view(&name, &query).await {
        Ok(query) => {
            let done = with(SAVED_AS, &[("name", name.trim())]);
            work.lead_with(&list_path(&query), Notice::Done(done));
            Ok(())
        }
        Err(user_error) => {
            work.lead_with(&list_path(&query), (&user_error).into());
            Err(failed(user_error))
        }
    }
}

/// Removes a saved list.
#[server(prefix = "/desk/do", endpoint = "remove-view")]
pub async fn remove_view(name: String) -> Result<(), ServerFnError> {
    let work = work();
    let done = work.remove_view(&name).await;
    lead_back(&work, "/desk", done.map(|()| with(REMOVED_VIEW, &[("name", &name)])))
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

/// The current list; `None` if it still has this version. `current` is the id of the report that the
/// person looks at.
#[server(prefix = "/desk/do", endpoint = "look")]
pub async fn look(
    #[server(default)] query: String,
    #[server(default)] version: String,
    #[server(default)] current: String,
) -> Result<Option<Queue>, ServerFnError> {
    let work = work();
    if work.version(&current).await.map_err(failed)? == version {
        return Ok(None);
    }
    work.queue(&query).await.map(Some).map_err(failed)
}

/// The reports among these that no longer have this status, each with who decided on it.
#[server(prefix = "/desk/do", endpoint = "outcomes")]
pub async fn outcomes(
    #[server(default)] status: String,
    #[server(default)] ids: Vec<String>,
) -> Result<Vec<Refused>, ServerFnError> {
    work().outcomes(&status, &ids).await.map_err(failed)
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
            let next = if path.contains('?') { '&' } else { '?' };
            format!("{path}{next}{}", query.append_pair("back", back).finish())
        }
    }
}

/// Joins the chosen reason and the note.
#[cfg(feature = "ssr")]
fn because(reason: &str, note: &str) -> String {
    match (reason.trim(), note.trim()) {
        (one, "") | ("", one) => one.to_owned(),
        (reason, note) => format!("{reason}: {note}"),
    }
}

/// Message about a decision: the reports decided on, and the first of the others with the reasons.
#[cfg(feature = "ssr")]
fn outcome_notice(verdict: Verdict, outcome: &Outcome) -> Notice {
    const SHOWN: usize = 5;
    let (shown, more) = outcome.refused.split_at(outcome.refused.len().min(SHOWN));
    let shown = Outcome { refused: shown.to_vec(), ..outcome.clone() };
    let mut words = in_words(verdict, &shown);
    if !more.is_empty() {
        words = format!("{words} {}", sentence(AND_MORE, more.len() as u64));
    }
    match outcome.refused.is_empty() {
        true => Notice::Done(words),
        false => Notice::UserError(words),
    }
}
