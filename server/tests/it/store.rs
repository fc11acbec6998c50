//! The store against real SQLite files.

mod counting;
mod opening;
mod pacing;
mod reopening;
mod selections;
mod times;
mod transitions;
mod upgrading;
