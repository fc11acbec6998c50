//! Webhooks: events, subscriptions, deliveries and their attempts.

pub(super) mod audit;
pub(super) mod backlog;
pub(super) mod change;
pub(super) mod deliveries;
pub(super) mod disabling;
pub(super) mod endpoint_mails;
pub(super) mod endpoint_notices;
pub(super) mod event_selection;
pub(super) mod health;
pub(super) mod history;
pub(super) mod imported_history;
pub(super) mod latest;
pub(super) mod leased;
pub(super) mod log;
pub(super) mod outbox;
pub(super) mod pending_work;
#[cfg(test)]
mod plans;
pub(super) mod prune;
pub(super) mod queue;
pub(super) mod replay;
pub(super) mod rounds;
pub(super) mod secrets;
pub(super) mod stop;
pub(super) mod subscriptions;
pub(super) mod test_event;
