//! The dark upper part of the page: links, the headline, and the widgets that belong to it.

use super::words::{DOCUMENTATION, EMBED, LEAD, PUT_IT_ON_YOUR_PAGE, SITE};
use crate::{
    brand::Brand,
    pages::{in_language::text, mark::Mark},
    request::PageRequest,
    shell::link,
    widgets::registry::{HomeCell, WIDGETS, Widget},
};
use leptos::prelude::*;
use std::sync::Arc;

/// Links to the operator's site and other pages.
#[component]
pub(super) fn Site() -> impl IntoView {
    let brand = expect_context::<Arc<Brand>>();
    let PageRequest { lang, .. } = expect_context();
    let site = brand.url.clone().map(|url| {
        view! {
            <li>
                <a href=url>{brand.name(lang)}</a>
            </li>
        }
    });
    view! {
        <header class="night">
            <nav class="grid" aria-label=text(SITE)>
                <Mark />
                <ul>
                    {site} <li>
                        <a href="#builder">{text(EMBED)}</a>
                    </li>
                    <li>
                        <a href=link("/docs")>{text(DOCUMENTATION)}</a>
                    </li>
                </ul>
            </nav>
        </header>
    }
}

/// Headline, lead and button, with a widget beside them and one below.
#[component]
pub(super) fn Hero(title: String) -> impl IntoView {
    view! {
        <div class="night">
            <div class="hero grid">
                <div class="pitch">
                    <h1>{title}</h1>
                    <p class="lead">{text(LEAD)}</p>
                    <a class="action" href="#builder">
                        {text(PUT_IT_ON_YOUR_PAGE)}
                    </a>
                </div>
                {frames(|cell| cell == HomeCell::Headline)}
                {frames(|cell| cell == HomeCell::Strip)}
            </div>
        </div>
    }
}

/// The widgets of some cells in the language of the page. All widgets of the page share one stream.
pub(super) fn frames(is_shown: impl Fn(HomeCell) -> bool) -> impl IntoView {
    let PageRequest { lang, .. } = expect_context();
    let frame = |widget: &Widget| {
        let cell = widget.home;
        // Widgets of the hero are visible at once. The others load when they are about to be visible.
        let (theme, bg, query, loading) = match cell.is_dark() {
            true => ("dark", "none", "theme=dark&bg=none&", "eager"),
            false => ("auto", "surface", "", "lazy"),
        };
        view! {
            <iframe
                class=format!("widget {}", cell.class())
                src=link(format!("{}?{query}lang={}", widget.path(), lang.tag()))
                height=widget.height.to_string()
                title=widget.title(lang)
                data-theme=theme
                data-bg=bg
            ></iframe>
        }
        .attr("loading", loading)
    };
    WIDGETS.iter().filter(|widget| is_shown(widget.home)).map(frame).collect_view()
}
