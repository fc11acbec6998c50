//! The store against real SQLite files.

mod audit_log;
mod counting;
mod marker_counts;
mod opening;
mod pacing;
mod rebuilding;
mod reopening;
mod repairing;
mod rolling;
mod selections;
mod times;
mod transitions;
mod upgrading;
