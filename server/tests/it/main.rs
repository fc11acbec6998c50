//! All integration tests, in one binary: one link instead of many.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api;
mod cli;
mod cluster;
mod deployment;
mod description;
mod desk;
mod exposition;
mod faults;
mod generated;
mod harness;
mod health;
mod http;
mod leasing;
mod limits;
mod log;
mod logging;
mod metrics;
mod mirroring;
mod operator;
mod postgres;
mod proxies;
mod receivers;
mod redis;
mod schema;
mod secrets;
mod security;
mod served;
mod site;
mod spans;
mod store;
mod webhooks;
