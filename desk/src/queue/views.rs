//! Saved lists.

use crate::words::{
    common::SAVE,
    queue::{NAME, REMOVE_THIS_VIEW, SAVE_THIS_VIEW, SAVED_VIEWS},
    t,
};
use crate::{
    backend::View,
    functions::{RemoveView, SaveView},
    layout::{DeskQuery, action},
};
use app::shell::link;
use kit::html::IntoHtml;
use leptos::prelude::*;

/// Links to the person's saved lists, and the forms that save the current list or remove it.
#[component]
pub(super) fn Views(asked: DeskQuery, views: Vec<View>) -> impl IntoView {
    let query = asked.with("after", "");
    let current = views.iter().find(|view| view.query == query).map(|view| view.name.clone());
    let links = views.into_iter().map(|View { name, query }| {
        let is_current = current.as_deref() == Some(&*name);
        view! {
            <li>
                <a href=link(format!("/desk?{query}")) aria-current=is_current.then_some("page")>
                    <bdi>{name}</bdi>
                </a>
            </li>
        }
    });
    let links: Vec<_> = links.collect();
    let links = (!links.is_empty())
        .then(|| view! { <ul class="chips" aria-label=t(SAVED_VIEWS)>{links}</ul> });
    let change = match current {
        Some(name) => view! {
            <form method="post" action={action::<RemoveView>()}>
                <input type="hidden" name="name" value=name />
                <button type="submit">{t(REMOVE_THIS_VIEW)}</button>
            </form>
        }
        .into_html(),
        None if !query.is_empty() => view! {
            <details>
                <summary>{t(SAVE_THIS_VIEW)}</summary>
                <form method="post" action={action::<SaveView>()}>
                    <input type="hidden" name="query" value=query />
                    <label>{t(NAME)} " " <input name="name" required maxlength="60" /></label>
                    <button type="submit">{t(SAVE)}</button>
                </form>
            </details>
        }
        .into_html(),
        None => ().into_html(),
    };
    view! { <div class="views">{links} {change}</div> }
}
