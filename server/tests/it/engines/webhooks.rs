//! The log of events, deliveries and leases: what of webhooks is in the database.

mod backlogs;
mod counters;
mod counting;
mod deleting;
mod health;
mod history;
mod leases;
mod outbox;
mod pruning;
mod redelivery;
mod replaying;
mod replays;
mod rotating;
mod running;
