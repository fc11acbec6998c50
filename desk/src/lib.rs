//! The desk, `/desk`, where an organisation's own people decide on reports.
//!
//! The server renders its pages, which work with plain forms. On the page of the queue, an island,
//! [`queue_list`], hydrates the list: decisions show at once, keys work, and decisions of others appear.
//! Both send the same forms to the [server functions](functions), which use the trait `backend::DeskBackend`.
//! The texts are in [`words`], in the six languages of the widgets.
//!
//! The [`portal`] for partners shares layout, texts and styles with the desk. It has no islands.
//!
//! A separate crate with separate wasm, so that the desk does not enlarge the wasm of the widgets.

#![allow(unreachable_pub, reason = "#[component] makes the props of private components public too")]

mod correction;
pub mod functions;
mod map;
pub mod model;
pub mod queue_list;
pub mod report_keys;
mod shortcuts;
pub mod upload;
mod words;

#[cfg(feature = "ssr")]
mod audit;
#[cfg(feature = "ssr")]
pub mod backend;
#[cfg(feature = "ssr")]
mod confirm_bulk;
#[cfg(feature = "ssr")]
pub mod correct;
#[cfg(feature = "ssr")]
mod duplicates;
#[cfg(feature = "ssr")]
mod imports;
#[cfg(feature = "ssr")]
pub mod isolates;
#[cfg(feature = "ssr")]
mod keys;
#[cfg(feature = "ssr")]
mod layout;
#[cfg(feature = "ssr")]
mod moment;
#[cfg(feature = "ssr")]
mod over_time;
#[cfg(feature = "ssr")]
mod overview;
#[cfg(feature = "ssr")]
mod places;
#[cfg(feature = "ssr")]
pub mod portal;
#[cfg(feature = "ssr")]
pub mod preview;
#[cfg(feature = "ssr")]
mod queue;
#[cfg(feature = "ssr")]
mod reason;
#[cfg(feature = "ssr")]
mod report;
#[cfg(feature = "ssr")]
mod sign_in;
#[cfg(feature = "ssr")]
mod webhooks;
#[cfg(feature = "ssr")]
pub use self::{
    audit::AUDIT_CSV,
    keys::NEW_KEY,
    layout::{DeskQuery, LANGUAGE},
    queue::REPORTS_CSV,
    words::{date_in, minute, minute_in, status, status_in},
};

#[cfg(feature = "ssr")]
use {
    self::{
        audit::{AuditPage, EntryPage},
        confirm_bulk::ConfirmBulkPage,
        correct::CorrectPage,
        imports::{ImportPage, ImportsPage},
        keys::KeysPage,
        layout::NothingHere,
        overview::OverviewPage,
        places::PlacesPage,
        preview::PreviewPage,
        queue::QueuePage,
        report::ReportPage,
        sign_in::SignIn,
        webhooks::WebhooksPage,
    },
    leptos::prelude::*,
    leptos_router::{
        components::{FlatRoutes, Route, Router},
        path,
    },
};

/// The pages of the desk, one line each.
#[cfg(feature = "ssr")]
#[component]
pub fn Desk() -> impl IntoView {
    view! {
        <Router>
            <FlatRoutes fallback=NothingHere>
                <Route path=path!("/desk") view=QueuePage />
                <Route path=path!("/desk/all") view=ConfirmBulkPage />
                <Route path=path!("/desk/audit") view=AuditPage />
                <Route path=path!("/desk/audit/entry") view=EntryPage />
                <Route path=path!("/desk/correct") view=CorrectPage />
                <Route path=path!("/desk/import") view=ImportPage />
                <Route path=path!("/desk/imports") view=ImportsPage />
                <Route path=path!("/desk/keys") view=KeysPage />
                <Route path=path!("/desk/overview") view=OverviewPage />
                <Route path=path!("/desk/places") view=PlacesPage />
                <Route path=path!("/desk/preview") view=PreviewPage />
                <Route path=path!("/desk/report") view=ReportPage />
                <Route path=path!("/desk/sign-in") view=SignIn />
                <Route path=path!("/desk/webhooks") view=WebhooksPage />
            </FlatRoutes>
        </Router>
    }
}

/// The document of the page of the desk that the router finds at the request's path.
#[cfg(feature = "ssr")]
pub fn shell() -> impl IntoView {
    // Only the contents of islands are hydrated.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    view! {
        <!DOCTYPE html>
        <Desk />
    }
}
