//! The widgets, one file each, and the options that they are embedded with.

#[cfg(feature = "hydrate")]
mod announcer;
#[cfg(feature = "hydrate")]
mod dom;
pub mod feed;
pub mod globe;
pub mod metrics;
#[cfg(feature = "hydrate")]
mod pulse;

#[cfg(feature = "ssr")]
pub mod badge;
#[cfg(feature = "ssr")]
pub mod catalogue;
#[cfg(feature = "ssr")]
pub mod document;
#[cfg(feature = "hydrate")]
mod first;
#[cfg(feature = "ssr")]
mod options;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(feature = "ssr")]
pub mod registry;
#[cfg(feature = "ssr")]
pub use options::{Accent, Background, EmbedOptions, Place, Theme, Types};
#[cfg(feature = "ssr")]
pub use page::WidgetPage;

/// The id of the element that carries what an island starts from, as JSON: the first values as the
/// API answers them, `words`, `types`, and `stream`, where the next values come from.
const FIRST: &str = "first";
