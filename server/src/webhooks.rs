//! Webhooks: telling partners what happened, at least once.
//!
//! How it works. The transaction that publishes or withdraws a report also writes what is to be told: an
//! [event](crate::domain::event) with the exact bytes of its body, and a delivery for each
//! subscription that lists it. The [`dispatcher`] of any node claims deliveries that are due by a
//! lease, sends them outside of any transaction through the [`client`], and writes down each
//! attempt together with the next claims. What a dead node had claimed is due again when its lease
//! ends. A failed attempt is followed by the next of the [`schedule`]; 410, or five days of nothing
//! but failures, disable the subscription.
//!
//! Where a webhook may go is decided twice: when the subscription is made ([`url`]), and for the
//! address that is really connected to ([`resolver`]), because a name may change its answer.

pub mod address;
pub mod client;
pub mod dispatcher;
pub mod resolver;
pub mod schedule;
pub mod trial;
pub mod url;
