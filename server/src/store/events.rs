//! Webhooks: events, subscriptions, deliveries and their attempts.

pub(super) mod audit;
pub(super) mod change;
pub(super) mod claims;
pub(super) mod deliveries;
mod due;
pub(super) mod ends;
mod filter;
pub(super) mod history;
pub(super) mod idempotency;
pub(super) mod log;
pub(super) mod outbox;
mod prune;
pub(super) mod secrets;
pub(super) mod stop;
pub(super) mod subscriptions;
