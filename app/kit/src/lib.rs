//! The kit that the islands of the widgets and of the desk share: [signals], the [DOM](dom), formats
//! ([number], [time]) and [words] in a [language](lang), fetched data ([json], [refresh]), sent [forms](form),
//! the client of the event [stream], and the life of a [page].
//!
//! The server compiles all of it for its renders, in which effects and event handlers never run. Its pages
//! turn their views into [html].

pub mod dom;
pub mod form;
#[cfg(feature = "ssr")]
pub mod html;
pub mod island;
pub mod json;
pub mod lang;
pub mod number;
#[cfg(feature = "hydrate")]
pub mod page;
pub mod refresh;
pub mod signals;
pub mod stream;
pub mod time;
pub mod words;
