//! Code shared by server and browser: the [model] that is sent as JSON, the [widgets], their [contract]
//! with embedding pages, the pages, and the [App] that lists them. No SQL and no HTTP here.
//!
//! A widget is rendered twice from one view. The server renders it to a complete document ([shell],
//! feature `ssr`). In the browser (feature `hydrate`), the island inside the document hydrates that
//! markup and updates it with live data. Both compile the same views and hooks: browser-only code
//! is in effects and event handlers, which never run on the server. Server-only code (dictionaries,
//! documents, pages) is behind the feature `ssr`.

#![allow(unreachable_pub, reason = "#[component] makes the props of private components public too")]

pub mod chart;
pub mod contract;
mod html;
pub mod land;
pub mod widgets;
mod words;

#[cfg(feature = "ssr")]
pub mod base_url;
#[cfg(feature = "ssr")]
pub mod brand;
#[cfg(feature = "ssr")]
mod colour;
#[cfg(feature = "ssr")]
pub mod feed_text;
#[cfg(feature = "ssr")]
mod glyph;
#[cfg(feature = "ssr")]
pub mod licence;
#[cfg(feature = "ssr")]
pub mod page_data;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod picture;
#[cfg(feature = "ssr")]
pub mod request;
#[cfg(feature = "ssr")]
pub mod shell;
// Two attributes, because Clippy recognises test code only by a plain `cfg(test)`.
#[cfg(test)]
#[cfg(feature = "ssr")]
mod testing;

#[cfg(feature = "ssr")]
use {
    leptos::prelude::*,
    leptos_router::{
        components::{FlatRoutes, Route, Router},
        path,
    },
    pages::{
        data::Data,
        docs::{Docs, PublicPage},
        home::Home,
        not_found::NotFound,
    },
    widgets::WidgetPage,
};

/// All public pages, one line each. The server serves the routes listed here; the
/// [registry](widgets::registry) lists the widgets.
///
/// Server only: links load the next page completely, so the wasm contains no router.
#[cfg(feature = "ssr")]
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <FlatRoutes fallback=NotFound>
                <Route path=path!("/") view=Home />
                <Route path=path!("/data") view=Data />
                <Route path=path!("/docs") view=|| view! { <Docs page=PublicPage::Overview /> } />
                <Route path=path!("/docs/api") view=|| view! { <Docs page=PublicPage::Api /> } />
                <Route path=path!("/docs/api/metrics") view=|| view! { <Docs page=PublicPage::ApiMetrics /> } />
                <Route path=path!("/docs/api/reports") view=|| view! { <Docs page=PublicPage::ApiReports /> } />
                <Route path=path!("/docs/api/stream") view=|| view! { <Docs page=PublicPage::ApiStream /> } />
                <Route path=path!("/docs/api/webhooks") view=|| view! { <Docs page=PublicPage::ApiWebhooks /> } />
                <Route path=path!("/docs/api/objects") view=|| view! { <Docs page=PublicPage::ApiObjects /> } />
                <Route path=path!("/docs/data") view=|| view! { <Docs page=PublicPage::Data /> } />
                <Route path=path!("/docs/stream") view=|| view! { <Docs page=PublicPage::Stream /> } />
                <Route path=path!("/docs/mirroring") view=|| view! { <Docs page=PublicPage::Mirroring /> } />
                <Route path=path!("/docs/webhooks") view=|| view! { <Docs page=PublicPage::Webhooks /> } />
                <Route path=path!("/docs/webhooks-reference") view=|| view! { <Docs page=PublicPage::WebhooksReference /> } />
                <Route path=path!("/docs/partners") view=|| view! { <Docs page=PublicPage::Partners /> } />
                <Route path=path!("/docs/embed") view=|| view! { <Docs page=PublicPage::Embed /> } />
                <Route path=path!("/docs/recipes") view=|| view! { <Docs page=PublicPage::Recipes /> } />
                <Route path=path!("/docs/clients") view=|| view! { <Docs page=PublicPage::Clients /> } />
                <Route path=path!("/docs/limits") view=|| view! { <Docs page=PublicPage::Limits /> } />
                <Route path=path!("/docs/errors") view=|| view! { <Docs page=PublicPage::Errors /> } />
                <Route path=path!("/embed/:widget") view=WidgetPage />
            </FlatRoutes>
        </Router>
    }
}
