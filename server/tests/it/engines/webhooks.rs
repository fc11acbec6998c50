//! Webhooks in the database: the event log, deliveries and leases.

mod backlogs;
mod counters;
mod counting;
mod deleting;
mod endpoint_notices;
mod health;
mod history;
mod imported_history;
mod leases;
mod outbox;
mod pending;
mod pruning;
mod redelivery;
mod replaying;
mod replays;
mod rotating;
mod running;
mod sandbox;
