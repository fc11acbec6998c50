//! Fast integration tests, in one binary to save linking. They need the service's binary and SQLite, and no other
//! server. Slower tests, and those that start servers, are in `tests/slow`.
//!
//! With `SVC_TEST_ENGINE=postgres` they use PostgreSQL databases instead. `make test` does that only for the module
//! `engines`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api;
mod architecture;
mod cli;
#[expect(dead_code, reason = "the other binary needs the rest of it")]
#[path = "../common/mod.rs"]
mod common;
mod description;
mod desk;
mod engines;
mod exposition;
mod gate;
mod health;
mod http;
mod logging;
mod metrics;
mod operator;
mod partners;
mod schema;
mod security;
mod site;
mod spans;
mod webhooks;

use self::common::{harness, imports, leasing, node, receiver, served, smtp_server};
