//! The store against real databases.

mod audit_log;
mod audit_search;
mod batch_sizes;
mod correcting;
mod marker_counts;
mod opening;
mod reopening;
mod rolling_upgrades;
mod selections;
mod times;
mod transitions;
mod undoing;
mod upgrading;
