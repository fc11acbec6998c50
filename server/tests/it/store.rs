//! The store against real SQLite files.

mod counting;
mod opening;
mod times;
mod transitions;
mod upgrading;
