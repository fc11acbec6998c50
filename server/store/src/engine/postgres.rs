//! PostgreSQL: a server shared by any number of nodes.

mod connections;
mod open;
mod servers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::FutureExt;

pub(crate) use self::connections::{Begun, Connections, Pools};
pub(super) use self::open::open;
use super::{
    sql::Connection,
    transaction::{Turn, WRITE_TIMEOUT},
};
use crate::error::Result;

/// Advisory lock for migrations. All of these locks end with the transaction that takes them, because a pooler such as
/// pgbouncer may give the next transaction to another connection.
pub(super) const MIGRATION_LOCK: i64 = 0x7376_6331;
/// Advisory lock for changes that are not published.
const ADMINISTRATION_LOCK: i64 = 0x7376_6332;
/// Advisory lock of the node that prunes old events.
pub(crate) const PRUNING_LOCK: i64 = 0x7376_6333;

/// PostgreSQL database.
#[derive(Clone, Debug)]
pub(crate) struct Postgres {
    pub writers: Connections,
    /// URL without the password.
    pub name: Arc<str>,
}

impl Postgres {
    /// Begins a transaction that changes data. Every statement in it sees the data committed before that statement
    /// starts. Its lock timeout is that of writers.
    pub(super) async fn begin_write(&self, turn: Turn) -> Result<Connection> {
        let mut begin = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{}s'",
            WRITE_TIMEOUT.as_secs()
        );
        match turn {
            Turn::PublishingFew => begin += "; SET LOCAL plan_cache_mode = force_generic_plan",
            Turn::Administration => {
                begin += &format!("; SELECT pg_advisory_xact_lock({})", ADMINISTRATION_LOCK);
            }
            Turn::Publishing | Turn::PublishingUnreferenced | Turn::Rows => {}
        }
        Ok(Connection::Postgres(self.writers.begin(&begin).boxed().await?))
    }
}
