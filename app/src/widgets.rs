//! The widgets, a folder each, and what they share.

mod announcer;
mod connection_status;
pub mod feed;
pub mod globe;
mod header;
mod legend;
pub(crate) mod live;
pub mod metrics;
mod new_reports;
pub mod trend;

#[cfg(feature = "ssr")]
pub mod document;
#[cfg(feature = "ssr")]
mod menu;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(feature = "ssr")]
pub mod registry;
#[cfg(feature = "ssr")]
pub mod report;
#[cfg(feature = "ssr")]
pub use page::WidgetPage;
