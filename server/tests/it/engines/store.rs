//! The store against real databases.

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
