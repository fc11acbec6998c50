//! Delivery of webhooks to real receivers.

mod backlogs;
mod bodies;
mod clocks;
mod copied;
mod counters;
mod counting;

mod deleting;
mod disabling;
mod documented;
mod enabling;
mod fairness;
mod faults;
mod filtering;
mod gauges;
mod history;
mod kills;
mod leases;
mod model;
mod moody;
mod node;
mod outbox;
mod pausing;
mod policy;
mod pruning;
pub(crate) mod receiver;
mod redelivery;
mod replaying;
mod replays;
mod resting;
mod retries;
mod rotating;
mod running;
mod stopping;
mod throttling;
mod upgrading;
