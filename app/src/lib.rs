//! What the server and the browser share: the [model] that travels as JSON, the widgets under
//! [embed], the pages, and the [App] that lists them. No SQL and no HTTP here.
//!
//! A widget is rendered twice from one view. The server renders it to a complete document
//! ([shell], feature `ssr`); in the browser (feature `hydrate`) the island inside the document
//! takes over that very markup and keeps it moving with [live] data. Both compile the same views and
//! hooks: what only the browser can do stands in effects and event handlers, which never run on the
//! server. What only the server has (dictionaries, documents, pages) is behind the feature `ssr`.

// The type of a view has the types of all that is in it; an island with its document is deeper than 128.
#![recursion_limit = "256"]
#![allow(unreachable_pub, reason = "#[component] makes the props of private components public too")]

pub mod chart;
mod dom;
pub mod embed;
mod host;
pub mod land;
pub mod lang;
pub mod live;
pub mod number;
mod reactive;
mod refresh;
mod time;
mod words;

#[cfg(feature = "ssr")]
pub mod base_url;
#[cfg(feature = "ssr")]
pub mod brand;
#[cfg(feature = "ssr")]
mod glyph;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod request;
#[cfg(feature = "ssr")]
pub mod shell;
#[cfg(feature = "ssr")]
pub mod source;
// Two attributes, because Clippy recognises test code only by a plain `cfg(test)`.
#[cfg(test)]
#[cfg(feature = "ssr")]
mod testing;

#[cfg(feature = "ssr")]
use {
    embed::WidgetPage,
    leptos::prelude::*,
    leptos_router::{
        components::{FlatRoutes, Route, Router},
        path,
    },
    pages::{
        docs::{Docs, Page},
        home::Home,
        not_found::NotFound,
    },
};

/// Everything that people can visit, one line a page. The server serves what is listed here; the
/// widgets are those of the [registry](embed::registry).
///
/// For the server only: a link loads the next page whole, so no router is in the wasm.
#[cfg(feature = "ssr")]
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <FlatRoutes fallback=NotFound>
                <Route path=path!("/") view=Home />
                <Route path=path!("/docs") view=|| view! { <Docs page=Page::Overview /> } />
                <Route path=path!("/docs/api") view=|| view! { <Docs page=Page::Api /> } />
                <Route path=path!("/docs/stream") view=|| view! { <Docs page=Page::Stream /> } />
                <Route path=path!("/docs/mirroring") view=|| view! { <Docs page=Page::Mirroring /> } />
                <Route path=path!("/docs/webhooks") view=|| view! { <Docs page=Page::Webhooks /> } />
                <Route path=path!("/docs/webhooks-reference") view=|| view! { <Docs page=Page::WebhooksReference /> } />
                <Route path=path!("/docs/embed") view=|| view! { <Docs page=Page::Embed /> } />
                <Route path=path!("/docs/recipes") view=|| view! { <Docs page=Page::Recipes /> } />
                <Route path=path!("/docs/limits") view=|| view! { <Docs page=Page::Limits /> } />
                <Route path=path!("/docs/errors") view=|| view! { <Docs page=Page::Errors /> } />
                <Route path=path!("/embed/:widget") view=WidgetPage />
            </FlatRoutes>
        </Router>
    }
}
