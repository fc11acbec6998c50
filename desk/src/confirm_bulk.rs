use super::{
    backend::{Counted, SharedWork},
    functions::DecideOnAll,
    layout::{DeskQuery, Page, action},
    model::Verdict,
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
        let name = verdict.word();
        let counted = work.count(verdict, &asked.query).await;
        let back = link(format!("/desk?{}", asked.query));
        let form = counted.map(|count| {
            let Counted { reports: count, token } = count;
            let shown = neutral(count, Lang::En);
            let reports = if count == 1 { "report" } else { "reports" };
            let question = format!("{name} {shown} {reports}?");
            let selected: Vec<_> = form_urlencoded::parse(asked.query.as_bytes())
                .map(|(name, value)| view! { <li><b>{name.into_owned()}</b> " " {value.into_owned()}</li> })
                .collect();
            let narrowed = match selected.is_empty() {
                true => view! { <p>"These are all pending reports."</p> }.into_any(),
                false => view! { <ul class="selected">{selected}</ul> }.into_any(),
            };
            view! {
                <form class="confirm" method="post" action={action::<DecideOnAll>()}>
                    <h1>{question.clone()}</h1>
                    {narrowed}
                    <input type="hidden" name="step" value=verdict.as_str() />
                    <input type="hidden" name="selected" value=asked.query.clone() />
                    <input type="hidden" name="confirmed" value=token />
                    <button class=format!("main {}", verdict.as_str()) type="submit" disabled=count == 0>
                        {question.trim_end_matches('?').to_owned()}
                    </button>
                    <a href=back>"Back to the queue"</a>
                </form>
            }
        });
        let form = form.map_err(|user_error| {
            view! {
                <p class="trouble" role="alert">
                    {user_error.0}
                </p>
            }
        });
        let form = match form {
            Ok(form) => form.into_any(),
            Err(user_error) => user_error.into_any(),
        };
        view! { <Page title="Decide on all">{form}</Page> }
    })
}
