//! The store against real SQLite files.

mod audit_log;
mod marker_counts;
mod opening;
mod pacing;
mod reopening;
mod rolling;
mod selections;
mod times;
mod transitions;
mod upgrading;
