//! The widgets, one file each, and the options that they are embedded with.

pub mod metrics;

#[cfg(feature = "ssr")]
pub mod badge;
#[cfg(feature = "ssr")]
pub mod catalogue;
#[cfg(feature = "ssr")]
mod options;
#[cfg(feature = "ssr")]
pub use options::{Background, EmbedOptions, Theme};
