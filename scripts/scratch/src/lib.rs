//! Shared by the tests of several crates. Servers that tests and measurements start for themselves: in a folder of their
//! own, under a user without rights, reachable only from this machine. They end with the process that started them,
//! however that ends. [`fuzz`] gives parsers what nobody would write.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod fuzz;
pub mod log;
pub mod pgbouncer;
mod port;
pub mod postgres;
mod user;
mod watched;
