use super::path_of;
use crate::{
    backend::Beside,
    functions::Undo,
    layout::{action, list_path},
    queue_list::anchor,
};
use app::shell::link;
use leptos::prelude::*;

/// Links to the list and to the reports before and after, and the last decision with a button to
/// undo it.
#[component]
pub(super) fn Around(
    id: String,
    list: Option<String>,
    beside: Beside,
    may_decide: bool,
) -> impl IntoView {
    let back = format!("{}#{}", list_path(list.as_deref().unwrap_or_default()), anchor(&id));
    let to = |id: Option<String>, key: &'static str, text: &'static str| {
        let href = id.map(|id| link(path_of(&id, list.as_deref())));
        href.map(|href| view! { <a href=href data-key=key>{text}</a> })
    };
    let (previous, next) =
        (to(beside.previous, "k", "Previous report"), to(beside.next, "j", "Next report"));
    let last = beside.last.filter(|_| may_decide).map(|(decision, only)| {
        let page = path_of(only.as_deref().unwrap_or(&id), list.as_deref());
        view! {
            <form class="last" method="post" action={action::<Undo>()}>
                <span>{decision.text}</span>
                <input type="hidden" name="entry" value=decision.entry />
                <input type="hidden" name="back" value=page />
                <button type="submit" data-key="u">
                    "Undo"
                </button>
            </form>
        }
    });
    view! {
        <div class="around">
            <nav aria-label="List">
                <a href=link(back) data-key="o">
                    "Back to the list"
                </a>
                {previous}
                {next}
            </nav>
            {last}
        </div>
    }
}
