//! Delivery of webhooks to real receivers.

mod bodies;
mod clocks;
mod disabling;
mod documented;
mod enabling;
mod fairness;
mod faults;
mod filtering;
mod gauges;
pub(crate) mod moody;
pub(crate) mod node;
mod pausing;
mod policy;
mod resting;
mod retries;
mod stopping;
mod throttling;
mod upgrading;
