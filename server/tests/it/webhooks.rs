//! Delivery of webhooks to real receivers.

mod bodies;
mod clocks;
mod disabling;
mod documented;
mod enabling;
mod filtering;
mod gauges;
pub(crate) mod moody;
mod order;
mod pausing;
mod policy;
mod resting;
mod retries;
mod throttling;
