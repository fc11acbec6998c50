//! Integration tests that are slow, start other servers (PostgreSQL, Redis, nginx), or need programs that not every
//! machine has: clusters, kills, machine faults, proxies, receivers in other languages, packages. `make check` skips
//! them, and `make test` runs them beside the browser tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod cluster;
#[expect(dead_code, reason = "the other binary needs the rest of it")]
#[path = "../common/mod.rs"]
mod common;
mod copy;
mod deployment;
mod engines;
mod faults;
mod import;
mod limits;
mod postgres;
mod programs;
mod proxies;
mod receivers;
mod redis;
mod restore;
mod webhooks;

use self::common::{harness, imports, leasing, node, receiver, served};
