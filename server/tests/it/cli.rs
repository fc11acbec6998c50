//! The `svc` binary as an operator runs it.

mod config;
mod db;
mod demo;
mod health;
pub(crate) mod import;
mod keys;
pub(crate) mod reports;
mod running;
mod serve;
pub(crate) mod webhooks;
