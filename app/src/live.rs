//! Live data: follows the service's event stream (`/api/v1/stream`) for as long as the page lives.
//!
//! A page opens one [`follow`] and is told of every event and of the [`State`] that they come in.
//! It never has to retry: after a connection loss the browser's `EventSource` reconnects by
//! itself, and where that gives up (any answer but 200, so every 429 and 503) or where an open
//! stream falls silent, a new one is opened, ever less often. While nobody looks at the page
//! nothing is open; looking again opens at once.
//!
//! A browser allows a host six connections over HTTP/1.1, for all its tabs together. So what stands
//! behind [`follow`] is one stream of each URL, which all pages and frames share that the browser
//! lets know of each other.

#[cfg(any(feature = "hydrate", test))]
mod backoff;
#[cfg(feature = "hydrate")]
mod lock;
#[cfg(feature = "hydrate")]
mod stream;

#[cfg(feature = "hydrate")]
pub use stream::follow;

/// Whether what is shown is alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// No event has come yet, and nothing has failed: as the server rendered it.
    #[default]
    Waiting,
    /// Events come in.
    Live,
    /// The connection is lost, silent or refused, or the server says that it cannot count.
    Reconnecting,
}

impl State {
    /// The name in `data-state`.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Live => "live",
            State::Reconnecting => "reconnecting",
        }
    }
}
