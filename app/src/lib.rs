//! What the server and the browser share: the [model] that travels as JSON, the widgets under
//! [embed], the pages, and the shell they are rendered into. No SQL and no HTTP here.
//!
//! A widget is rendered twice from one view. The server renders it to a complete document
//! ([shell], feature `ssr`); in the browser (feature `hydrate`) the island inside the document
//! takes over that very markup and keeps it moving with [live] data. What differs between the two
//! sits behind a module each (`…/server.rs`, `…/browser.rs`), so that views carry no conditions.

mod dom;
pub mod embed;
pub mod land;
pub mod lang;
pub mod live;
pub mod model;
mod number;
mod refresh;
mod time;
mod words;

#[cfg(feature = "ssr")]
mod glyph;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod shell;
