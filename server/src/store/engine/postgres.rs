//! PostgreSQL: a server that any number of nodes use.

pub(in crate::store) mod lock;
mod open;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::PgPool;

pub(super) use self::open::open;
use super::{
    sql::Connection,
    transaction::{Turn, WRITE_PATIENCE},
};
use crate::store::error::Result;

/// A database of PostgreSQL.
#[derive(Clone, Debug)]
pub(in crate::store) struct Postgres {
    pub writers: PgPool,
    /// Its URL without the password.
    pub name: Arc<str>,
}

impl Postgres {
    /// Begins a transaction that changes data. Every statement in it sees what was committed before that
    /// statement; it waits for locks for as long as writers do.
    pub(super) async fn begin_write(&self, turn: Turn) -> Result<Connection> {
        let mut begin = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{}s'",
            WRITE_PATIENCE.as_secs()
        );
        if turn == Turn::Administration {
            begin += &format!("; SELECT pg_advisory_xact_lock({})", lock::ADMINISTRATION);
        }
        let begun = self.writers.begin_with(sqlx::AssertSqlSafe(begin)).boxed().await?;
        Ok(Connection::Postgres(begun))
    }
}
