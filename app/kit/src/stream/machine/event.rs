//! Events that change the state of a page.

/// Events of a stream: the views that have changed, and at each tick a sign that all changed views
/// have been sent, or that they could not be read.
pub(crate) const SOURCE_EVENTS: [&str; 3] = [VIEW, TICK, ERROR];
const VIEW: &str = "view";
const TICK: &str = "tick";
const ERROR: &str = "error";

#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    /// The page is visible, and has joined the channel if the browser has one.
    Shown { has_channel: bool },
    /// The page is hidden, or ends.
    Hidden,
    /// A text from another page.
    Message(&'a str),
    /// The lock's previous holder is gone.
    LockGranted,
    /// The lock was refused, or taken from its holder.
    LockLost,
    /// The time of the last [`Action::Wait`](super::Action::Wait) is over.
    Timeout,
    /// From the stream: data of a view.
    View(&'a str),
    /// From the stream: whether all changed views have been sent, or they could not be read.
    Sign { is_good: bool },
    /// The stream's connection failed. The browser is reconnecting, unless it has given up.
    SourceFailed { has_given_up: bool },
    /// Response to [`Action::Fetch`](super::Action::Fetch): a line per view; `None` if it failed.
    Fetched(Option<&'a str>),
}

impl<'a> Event<'a> {
    /// Event of the stream or the channel with this name and this text as its data.
    pub(crate) fn received(name: &str, data: Option<&'a str>, has_given_up: bool) -> Option<Self> {
        Some(match (name, data) {
            ("message", Some(text)) => Self::Message(text),
            (VIEW, Some(data)) => Self::View(data),
            (TICK, Some(_)) => Self::Sign { is_good: true },
            // The browser's own `error` event has no data and means that the connection failed. The
            // server's event of that name arrives over a working connection, with data.
            (ERROR, Some(_)) => Self::Sign { is_good: false },
            (ERROR, None) => Self::SourceFailed { has_given_up },
            _ => return None,
        })
    }
}
