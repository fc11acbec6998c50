use super::{EDIT, Subjects, origin};
use crate::{
    backend::{CorrectingMany, Effect, Example, OldValues},
    confirm_bulk::reports,
    functions::CorrectMany,
    layout::{DeskQuery, action},
    queue_list::encoded,
};
use app::shell::link;
use kit::{lang::Lang, number::neutral};
use leptos::prelude::*;

/// Confirmation of new values, with their effect.
#[component]
pub(super) fn Confirm(
    asked: DeskQuery,
    correcting: CorrectingMany,
    effect: Effect,
) -> impl IntoView {
    let act = format!("Correct {}", reports(effect.corrected, ""));
    let Effect { corrected, unchanged, refused, refusal, changes, examples, token } = effect;
    let OldValues { values, more } = changes;
    let values = values.into_iter().map(|change| {
        let count = neutral(change.reports, Lang::En);
        view! { <li><bdi>{change.name}</bdi> " " <span class="count">{count}</span></li> }
    });
    let more = (more > 0)
        .then(|| view! { <li>"and " {neutral(more as u64, Lang::En)} " other changes"</li> });
    let unchanged = (unchanged > 0)
        .then(|| view! { <p>{reports(unchanged, "")} " already with these values."</p> });
    let refused = (refused > 0).then(|| {
        view! { <p class="trouble">{reports(refused, "")} " cannot be corrected. " {refusal}</p> }
    });
    let published = correcting.statuses.iter().find(|one| one.name == "APPROVED");
    let published = published.map_or(0, |one| one.reports);
    let examples = examples.into_iter().filter(|one| !one.change.is_empty());
    let examples = examples.map(|Example { id, change }| {
        let href = link(format!("/desk/report?id={}", encoded(&id)));
        view! { <li><a href=href>{id}</a> " " <bdi>{change}</bdi></li> }
    });
    let examples: Vec<_> = examples.collect();
    let examples = (!examples.is_empty()).then(|| {
        view! {
            <details>
                <summary>"Examples"</summary>
                <ul class="selected">{examples}</ul>
            </details>
        }
    });
    let back = asked.back.clone().unwrap_or_default();
    let edit = format!("/desk/correct?{}&back={}", asked.with(EDIT, "1"), encoded(&back));
    view! {
        <form class="confirm" method="post" action={action::<CorrectMany>()}>
            <h1>{format!("{act}?")}</h1>
            <Subjects asked=asked.clone() correcting=correcting />
            <ul class="selected changes">{values.collect_view()} {more}</ul>
            {unchanged}
            {refused}
            {examples}
            <p class="hint">{consequences(published)}</p>
            <input type="hidden" name="query" value=asked.query.clone() />
            <input type="hidden" name="confirmed" value=token />
            <input type="hidden" name="back" value=back />
            <button class="main" type="submit" disabled=corrected == 0>
                {act}
            </button>
            <a href=link(edit)>"Other values"</a>
            <a href=link(origin(&asked))>"Change nothing"</a>
        </form>
    }
}

/// Consequences of a correction for the public and partners.
fn consequences(published: u64) -> String {
    let public = match published {
        0 => "Nothing public changes, and webhooks receive nothing.".to_owned(),
        _ => format!(
            "{} among them: counters and lists follow, and webhooks receive report.updated for each.",
            reports(published, "published")
        ),
    };
    format!("{public} For 10 minutes, you can undo this in the list.")
}
