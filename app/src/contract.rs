//! The contract of the widgets with the pages that embed them, and of server with browser: the
//! [options] in a URL, the [messages] to the embedding page, and the [state](page_state) in which
//! a page hands over from server to browser.

pub(crate) mod messages;
pub(crate) mod page_state;

#[cfg(feature = "ssr")]
pub mod options;
#[cfg(feature = "ssr")]
pub mod snippets;
#[cfg(feature = "ssr")]
pub use options::{EmbedOptions, Place};
