//! The `svc` binary as an operator runs it.

mod audit;
mod config;
mod db;
mod demo;
mod health;
mod import;
mod keys;
mod reports;
mod serve;
mod webhooks;
