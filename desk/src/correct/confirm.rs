use super::{EDIT, Subjects, origin};
use crate::{
    audit::in_words,
    backend::{CorrectingMany, Effect, Example},
    functions::CorrectMany,
    layout::{DeskQuery, action},
    queue_list::encoded,
};
use crate::{
    isolates::marked,
    words::{
        correct::{
            CAN_BE_UNDONE, CANNOT_BE_CORRECTED, CORRECT_REPORTS, EXAMPLES, NOTHING_PUBLIC,
            OTHER_CHANGES, OTHER_VALUES, PUBLISHED_AMONG_THEM, UNCHANGED,
        },
        deciding::CHANGE_NOTHING,
        lang, sentence, t, words,
    },
};
use app::shell::link;
use kit::{number::neutral, words::filled};
use leptos::prelude::*;

/// Confirmation of new values, with their effect.
#[component]
pub(super) fn Confirm(
    asked: DeskQuery,
    correcting: CorrectingMany,
    effect: Effect,
) -> impl IntoView {
    let act = sentence(CORRECT_REPORTS, effect.corrected);
    let Effect { corrected, unchanged, refused, refusal, changes, .. } = effect;
    let Effect { more_changes: more, examples, token, .. } = effect;
    let values = changes.into_iter().map(|(changes, reports)| {
        let count = neutral(reports, lang());
        view! { <li>{in_words(changes)} " " <span class="count">{count}</span></li> }
    });
    let more = (more > 0).then(|| view! { <li>{sentence(OTHER_CHANGES, more as u64)}</li> });
    let unchanged = (unchanged > 0).then(|| view! { <p>{sentence(UNCHANGED, unchanged)}</p> });
    let refused = (refused > 0).then(|| {
        let number = neutral(refused, lang());
        let values = [("n", &*number), ("reason", &*refusal)];
        let refusal = filled(words().form(CANNOT_BE_CORRECTED, refused), &values);
        view! { <p class="trouble">{marked(&refusal)}</p> }
    });
    let published = correcting.statuses.iter().find(|one| one.name == "APPROVED");
    let published = published.map_or(0, |one| one.reports);
    let examples = examples.into_iter().filter(|one| !one.changes.is_empty());
    let examples = examples.map(|Example { id, changes }| {
        let href = link(format!("/desk/report?id={}", encoded(&id)));
        view! { <li><a href=href><bdi>{id}</bdi></a> " " {in_words(changes)}</li> }
    });
    let examples: Vec<_> = examples.collect();
    let examples = (!examples.is_empty()).then(|| {
        view! {
            <details>
                <summary>{t(EXAMPLES)}</summary>
                <ul class="selected">{examples}</ul>
            </details>
        }
    });
    let back = asked.back.clone().unwrap_or_default();
    let edit = format!("/desk/correct?{}&back={}", asked.with(EDIT, "1"), encoded(&back));
    view! {
        <form class="confirm" method="post" action={action::<CorrectMany>()}>
            <h1>{[&*act, "?"].concat()}</h1>
            <Subjects asked=asked.clone() correcting=correcting />
            <ul class="selected changes">{values.collect_view()} {more}</ul>
            {unchanged}
            {refused}
            {examples}
            <p class="hint">{consequences(published)}</p>
            <input type="hidden" name="query" value=asked.query.clone() />
            <input type="hidden" name="confirmed" value=token />
            <input type="hidden" name="back" value=back />
            {(corrected > 0)
                .then(|| {
                    view! {
                        <button class="main" type="submit">
                            {act.clone()}
                        </button>
                    }
                })}
            <a href=link(edit)>{t(OTHER_VALUES)}</a>
            <a href=link(origin(&asked))>{t(CHANGE_NOTHING)}</a>
        </form>
    }
}

/// Consequences of a correction for the public and partners.
fn consequences(published: u64) -> String {
    let public = match published {
        0 => t(NOTHING_PUBLIC),
        _ => sentence(PUBLISHED_AMONG_THEM, published),
    };
    [public, t(CAN_BE_UNDONE)].join(" ")
}
