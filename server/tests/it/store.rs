//! The store against real SQLite files.

mod counting;
mod opening;
mod transitions;
