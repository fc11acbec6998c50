//! The widgets, one file each, and their options.

mod announcer;
mod connection_status;
pub mod feed;
pub mod globe;
mod initial;
mod legend;
pub mod metrics;
pub(crate) mod new_reports;
pub mod trend;

#[cfg(feature = "ssr")]
pub mod catalogue;
#[cfg(feature = "ssr")]
pub mod document;
#[cfg(feature = "ssr")]
mod options;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(feature = "ssr")]
pub mod picture;
#[cfg(feature = "ssr")]
pub mod registry;
pub(crate) use initial::InitialState;
#[cfg(feature = "ssr")]
pub use options::{
    Accent, Background, Dates, EmbedOptions, GlobeOptions, Limit, Period, Place, Start, Theme,
};
#[cfg(feature = "ssr")]
pub use page::WidgetPage;
