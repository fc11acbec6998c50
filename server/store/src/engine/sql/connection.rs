//! Connections and pools that run statements.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::{Sqlite, SqlitePool, Transaction};

use crate::engine::{
    condition::Condition,
    postgres::{Begun, Connections},
};

/// Engine of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// Connection with an open transaction.
#[derive(Debug)]
pub(crate) enum Connection {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Begun),
}

impl Connection {
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// Era of the transaction, within which numbers are comparable; see [`Store::era`](crate::Store::era).
    pub(crate) fn era(&self) -> u64 {
        match self {
            Self::Sqlite(_) => 0,
            Self::Postgres(begun) => begun.era.number(),
        }
    }

    /// Commits the transaction. Dropping a connection rolls it back.
    pub(crate) async fn commit(self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(begun) => begun.commit().await,
        }
    }
}

/// Connections for statements outside of transactions, with the condition that their errors are noted in.
#[derive(Clone, Debug)]
pub(crate) enum Pool {
    Sqlite(SqlitePool, Arc<Condition>),
    Postgres(Connections, Arc<Condition>),
}

impl Pool {
    /// Begins a transaction that sees one state of the database.
    pub(crate) async fn begin_read(&self) -> sqlx::Result<Connection> {
        const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        Ok(match self {
            Self::Sqlite(pool, _) => Connection::Sqlite(pool.begin().boxed().await?),
            Self::Postgres(pool, _) => Connection::Postgres(pool.begin(BEGIN).boxed().await?),
        })
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool, _) => pool.close().await,
            Self::Postgres(pool, _) => pool.close_all().await,
        }
    }
}

/// Pool or connection that runs a statement.
#[derive(Debug)]
pub(crate) enum Target<'c> {
    Pool(&'c Pool),
    Connection(&'c mut Connection),
}

impl<'c> From<&'c mut Connection> for Target<'c> {
    fn from(connection: &'c mut Connection) -> Self {
        Self::Connection(connection)
    }
}

impl<'c> From<&'c Pool> for Target<'c> {
    fn from(pool: &'c Pool) -> Self {
        Self::Pool(pool)
    }
}

impl Target<'_> {
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Pool(Pool::Sqlite(..)) => Engine::Sqlite,
            Self::Pool(Pool::Postgres(..)) => Engine::Postgres,
            Self::Connection(connection) => connection.engine(),
        }
    }

    /// Reborrows the target, so that it can run more statements later.
    pub(crate) fn reborrow(&mut self) -> Target<'_> {
        match self {
            Self::Pool(pool) => Target::Pool(pool),
            Self::Connection(connection) => Target::Connection(connection),
        }
    }
}
