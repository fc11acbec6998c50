//! The feed widget: the newest reports, alive.
//!
//! All of its markup is the server's: the rows, and a template of a row for each type. The island
//! has none of its own; it fills templates in and moves rows, so that the list is neither in the
//! wasm nor a second time in the page.

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "ssr")]
pub mod document;
#[cfg(feature = "hydrate")]
mod rows;
#[cfg(not(feature = "hydrate"))]
mod server;
#[cfg(feature = "hydrate")]
mod times;

#[cfg(feature = "hydrate")]
use browser as platform;
#[cfg(not(feature = "hydrate"))]
use server as platform;

#[cfg(feature = "ssr")]
pub use document::FeedWidget;
use leptos::prelude::*;

/// How many rows there are at the most.
pub const ROWS: usize = 20;

/// The island: keeps the list of its page alive.
#[island(lazy)]
pub fn FeedKeeper() -> impl IntoView {
    platform::keep();
}

/// Where the words of this widget stand in its list.
mod word {
    use crate::lang::FORMS;

    // After those of the pulse.
    pub(super) const PERSON: usize = 2;
    pub(super) const REPORT: usize = PERSON + FORMS;
    #[cfg(feature = "hydrate")]
    pub(super) const NEW_REPORT: usize = REPORT + FORMS;
}
