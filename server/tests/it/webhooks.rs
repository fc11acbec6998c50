//! Delivery of webhooks to real receivers.

mod bodies;
mod clocks;
mod counters;
mod deleting;
mod disabling;
mod enabling;
mod fairness;
mod faults;
mod filtering;
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
mod receiver;
mod redelivery;
mod resting;
mod retries;
mod rotating;
mod stopping;
mod upgrading;
