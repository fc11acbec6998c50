//! Webhooks: events, subscriptions, deliveries and their attempts.

pub(super) mod audit;
pub(super) mod claims;
pub(super) mod deliveries;
mod due;
pub(super) mod ends;
pub(super) mod outbox;
mod prune;
pub(super) mod subscriptions;
