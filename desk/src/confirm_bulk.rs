use super::{
    backend::{Counted, SharedWork},
    functions::DecideOnAll,
    layout::{DeskQuery, Page, action},
    model::Verdict,
    reason::ReasonFields,
};
use app::shell::link;
use kit::{lang::Lang, number::neutral};
use leptos::prelude::*;

/// The page `/desk/all`: confirmation before a decision on all reports of a list.
#[component]
pub(super) fn ConfirmBulkPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let verdict = asked.step.as_deref().and_then(Verdict::named).unwrap_or(Verdict::Reject);
        let import = asked.value("import");
        let file = match &*import {
            "" => None,
            id => work.import(id).await.ok().flatten().map(|(import, _)| import.file),
        };
        let file = file.map(|file| file.unwrap_or_else(|| "an import without a name".to_owned()));
        let form = match work.count(verdict, &asked.query).await {
            Ok(counted) => {
                view! { <Confirm verdict=verdict asked=asked counted=counted file=file /> }
                    .into_any()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        view! { <Page title="Decide on all">{form}</Page> }
    })
}

#[component]
fn Confirm(
    verdict: Verdict,
    asked: DeskQuery,
    counted: Counted,
    /// Name of the file, if the list is narrowed to an import.
    file: Option<String>,
) -> impl IntoView {
    let Counted { reports: count, status, token } = counted;
    let act = act(verdict, count);
    let back = asked.back.clone().unwrap_or_else(|| format!("/desk?{}", asked.query));
    let status = status.to_lowercase();
    let import = asked.value("import");
    let of_import = file.map(|file| {
        let href = link(format!("/desk/import?id={import}"));
        view! { " of " <a href=href>{file}</a> }
    });
    let about = match count {
        0 => {
            let about = format!("This list has no report to {}: it lists ", infinitive(verdict));
            view! { <p>{about} {status} " reports" {of_import} "."</p> }.into_any()
        }
        _ => {
            let are = if count == 1 { "This is " } else { "These are " };
            let reports = reports(count, &status);
            view! { <p>{are} <b>{reports}</b> {of_import} "."</p> }.into_any()
        }
    };
    let others: Vec<_> = form_urlencoded::parse(asked.query.as_bytes())
        .filter(|(name, _)| !matches!(&**name, "status" | "import" | "order" | "limit"))
        .map(|(name, value)| view! { <li><b>{field(&name)}</b> " " {value.into_owned()}</li> })
        .collect();
    let others = (!others.is_empty()).then(|| view! { <ul class="selected">{others}</ul> });
    let hint = (count > 0).then(|| view! { <p class="hint">{consequences(verdict)}</p> });
    let reason =
        (count > 0).then(|| view! { <ReasonFields offers_reasons=verdict == Verdict::Reject /> });
    view! {
        <form class="confirm" method="post" action={action::<DecideOnAll>()}>
            <h1>{format!("{act}?")}</h1>
            {about}
            {others}
            {hint}
            {reason}
            <input type="hidden" name="step" value=verdict.as_str() />
            <input type="hidden" name="selected" value=asked.query />
            <input type="hidden" name="confirmed" value=token />
            <input type="hidden" name="back" value=asked.back.unwrap_or_default() />
            <button class=format!("main {}", verdict.as_str()) type="submit" disabled=count == 0>
                {act}
            </button>
            <a href=link(back)>"Change nothing"</a>
        </form>
    }
}

/// The action in words, such as `Approve 12 reports`.
fn act(verdict: Verdict, count: u64) -> String {
    match verdict {
        Verdict::Restore => format!("Publish {} again", reports(count, "")),
        _ => format!("{} {}", verdict.word(), reports(count, "")),
    }
}

fn infinitive(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Restore => "publish again",
        verdict => verdict.as_str(),
    }
}

/// Number of reports of a status in words.
pub(super) fn reports(count: u64, status: &str) -> String {
    let number = neutral(count, Lang::En);
    let reports = if count == 1 { "report" } else { "reports" };
    match status {
        "" => format!("{number} {reports}"),
        status => format!("{number} {status} {reports}"),
    }
}

/// Label of a filter.
pub(super) fn field(name: &str) -> String {
    match name {
        "q" => "Text".to_owned(),
        _ => {
            let mut letters = name.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    }
}

/// Consequences of a decision for the public and partners.
fn consequences(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Approve => {
            "They are published now: counters and lists include them, and webhooks receive report.created for each. \
                Reports that were published before return to their old places, as with “Publish again”."
        }
        Verdict::Reject => "Nothing about them becomes public. You can reopen them later.",
        Verdict::Withdraw => {
            "They leave counters and lists, and webhooks receive report.withdrawn for each. You can publish them again \
                later: they keep their createdAt and their places in the lists."
        }
        Verdict::Reopen => {
            "They wait for a decision again. Nothing public changes, and webhooks receive nothing."
        }
        Verdict::Restore => {
            "They return to counters and to their old places in the lists. Their ids, createdAt and time of publication \
                stay the same. Webhooks receive report.created for each, and mirrors read the whole list again."
        }
    }
}
