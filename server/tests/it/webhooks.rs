//! Delivery of webhooks to real receivers.

mod bodies;
mod clocks;
mod disabling;
mod documented;
mod enabling;
mod filtering;
mod gauges;
mod order;
mod pausing;
mod policy;
mod poll_interval;
mod retries;
pub(crate) mod switchable_receiver;
mod throttling;
