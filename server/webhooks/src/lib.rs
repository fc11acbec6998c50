//! Webhooks: delivery of events to partners, at least once.
//!
//! Theory of operation. The transaction that publishes or withdraws a report also writes an [event](domain::event)
//! with the exact bytes of its body. The events form a log, and each subscription has a cursor into it. The
//! [`dispatcher`] of any node leases subscriptions that have work, sends the events after their cursors through the
//! [`client`], and records the results together with the cursors. If a node dies, other nodes take over when its
//! leases end.
//!
//! An event that fails while others succeed is retried by the [`schedule`]. An endpoint at which everything fails is
//! paused and probed. A 410, or five days with nothing but failures, disables the subscription.
//!
//! The destination of a webhook is checked twice: when the subscription is created ([`url`]), and when the client
//! connects ([`resolver`]), because a name may resolve to another address by then.

pub mod address;
pub mod attempt;
pub mod client;
pub mod dispatcher;
pub mod policy;
pub mod resolver;
pub mod schedule;
pub mod targets;
pub mod test_request;
pub mod url;
