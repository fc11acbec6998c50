//! The `svc` service. [`router`] is its table of contents, [`cli`] the command line, [`store`] the data, [`domain`] the
//! shared terms.

pub mod api;
pub mod base_url;
pub mod cli;
pub mod config;
mod csv_row;
pub mod demo;
mod desk;
#[cfg(test)]
mod fuzz;
mod gates;
mod intake;
pub mod keys;
pub mod mail;
pub mod openapi;
pub mod operator;
pub mod ops;
pub mod otlp;
mod partners;
mod presence;
pub mod problem;
mod realm;
pub mod responses;
pub mod router;
mod sealed;
pub mod service;
pub mod site;
pub mod state;
mod uploads;
pub mod watchdog;
pub mod websub;
