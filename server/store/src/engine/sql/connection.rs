//! What statements are run on.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::{PgConnection, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::engine::{
    condition::Condition,
    postgres::{Begun, Connections},
};

/// Which engine a database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// A connection in the middle of a transaction.
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

    /// Numbers mean the same in all transactions of one era; see [`Store::era`](crate::Store::era).
    pub(crate) fn era(&self) -> u64 {
        match self {
            Self::Sqlite(_) => 0,
            Self::Postgres(begun) => begun.era,
        }
    }

    /// Ends the transaction. Dropping a connection undoes what was done in it.
    pub(crate) async fn commit(self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction) => transaction.commit().await,
        }
    }
}

/// Connections for statements outside of transactions, and what is noted of their errors.
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

/// Where a statement is run.
#[derive(Debug)]
pub(crate) enum Target<'c> {
    SqlitePool(&'c SqlitePool, &'c Condition),
    Sqlite(&'c mut SqliteConnection),
    PostgresPool(&'c Connections, &'c Condition),
    /// And whether it may keep statements prepared.
    Postgres(&'c mut PgConnection, bool),
}

impl<'c> From<&'c mut Connection> for Target<'c> {
    fn from(connection: &'c mut Connection) -> Self {
        match connection {
            Connection::Sqlite(transaction) => Self::Sqlite(transaction),
            Connection::Postgres(begun) => {
                let prepares = begun.prepares;
                Self::Postgres(begun, prepares)
            }
        }
    }
}

impl<'c> From<&'c Pool> for Target<'c> {
    fn from(pool: &'c Pool) -> Self {
        match pool {
            Pool::Sqlite(pool, condition) => Self::SqlitePool(pool, condition),
            Pool::Postgres(pool, condition) => Self::PostgresPool(pool, condition),
        }
    }
}

impl<'c> From<&'c mut SqliteConnection> for Target<'c> {
    fn from(connection: &'c mut SqliteConnection) -> Self {
        Self::Sqlite(connection)
    }
}

impl<'c> Target<'c> {
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::SqlitePool(..) | Self::Sqlite(_) => Engine::Sqlite,
            Self::PostgresPool(..) | Self::Postgres(..) => Engine::Postgres,
        }
    }

    /// Whether statements may be kept prepared there: not behind a pooler.
    pub(super) fn prepares(&self) -> bool {
        match self {
            Self::SqlitePool(..) | Self::Sqlite(_) => true,
            Self::PostgresPool(connections, _) => !connections.servers.is_pooled,
            Self::Postgres(_, prepares) => *prepares,
        }
    }

    /// Condition that errors outside of transactions are noted in.
    pub(super) fn condition(&self) -> Option<&'c Condition> {
        match self {
            Self::SqlitePool(_, condition) | Self::PostgresPool(_, condition) => Some(condition),
            Self::Sqlite(_) | Self::Postgres(..) => None,
        }
    }

    /// Target for a statement that is not the last.
    pub(crate) fn reborrow(&mut self) -> Target<'_> {
        match self {
            Self::SqlitePool(pool, condition) => Target::SqlitePool(pool, condition),
            Self::Sqlite(connection) => Target::Sqlite(connection),
            Self::PostgresPool(pool, condition) => Target::PostgresPool(pool, condition),
            Self::Postgres(connection, prepares) => Target::Postgres(connection, *prepares),
        }
    }
}
