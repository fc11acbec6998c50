//! Helpers for the tests of several crates. Servers for tests and measurements run in their own
//! folders, under an unprivileged user, and are reachable only from this machine. They end when the
//! process that started them ends, even if that process crashes. [`fuzz`] runs fuzz tests of
//! parsers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod fuzz;
pub mod log;
pub mod pgbouncer;
mod port;
pub mod postgres;
mod user;
mod watched;
