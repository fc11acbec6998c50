//! Webhooks: telling partners what happened, at least once.
//!
//! How it works. The transaction that publishes or withdraws a report also writes what is to be told: an
//! [event](domain::event) with the exact bytes of its body. The events are a log, and each
//! subscription has a cursor into it. The [`dispatcher`] of any node leases subscriptions that have work,
//! sends what comes after their cursors through the [`client`], and writes down the results with the
//! cursors. What a dead node had leased is taken over when its leases end. An event that fails while others
//! succeed is sent again by the [`schedule`]; an endpoint at which everything fails is paused and
//! probed; 410, or five days of nothing but failures, disable the subscription.
//!
//! Where a webhook may go is decided twice: when the subscription is made ([`url`]), and for the
//! address that is really connected to ([`resolver`]), because a name may change its answer.

pub mod address;
pub mod attempt;
pub mod client;
pub mod dispatcher;
pub mod endpoints;
pub mod policy;
pub mod resolver;
pub mod schedule;
pub mod test_request;
pub mod url;
