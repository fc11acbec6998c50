//! SQLite: a file with one writer at a time and any number of readers.

mod access;
pub(crate) mod backup;
mod checkpoint;
mod identity;
mod in_use;
mod open;
mod partial;
pub(crate) mod restore;

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use futures_util::FutureExt;
use sqlx::{ConnectOptions, SqlitePool, sqlite::SqlitePoolOptions};

pub(crate) use self::open::IMPORT_CACHE;
pub(super) use self::{
    access::{absolute, inode},
    identity::mark,
    in_use::Alone,
    open::open,
};
use super::{fault::FaultKind, retries::wait_if_busy, sql::Connection};
use crate::error::{Error, Result};

/// SQLite database.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    /// Pool of one connection: writers queue here, in order, instead of competing for the lock of the database.
    pub writer: SqlitePool,
    /// Pool of one connection, because the [numbers of commits](Self::last_commit) of several are not comparable.
    watcher: SqlitePool,
    /// Absolute path of the file.
    pub path: Arc<Path>,
    /// Whether the disk was full and still has little free space.
    pub is_tight: Arc<AtomicBool>,
}

impl Sqlite {
    /// Begins a transaction as the only writer.
    pub(crate) async fn begin_write(&self) -> Result<Connection> {
        self.keep_room().await;
        begin(&self.writer).await
    }

    /// Returns a number that differs from the last one if any process has committed something since. Takes a fraction of
    /// the time of a read transaction.
    pub(in crate::engine) async fn last_commit(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(&self.watcher).await?)
    }

    pub(in crate::engine) async fn close(&self) {
        self.watcher.close().await;
        self.writer.close().await;
    }

    /// Begins a write transaction on its own connection with foreign keys turned off. Otherwise SQLite would search for
    /// rows that refer to each deleted row, which reads the whole table if there is no index.
    pub(crate) async fn begin_unreferenced(&self) -> Result<Connection> {
        let options = open::options(&self.path).foreign_keys(false).disable_statement_logging();
        let pool = SqlitePoolOptions::new().max_connections(1).connect_lazy_with(options);
        begin(&pool).await
    }
}

/// Begins a transaction on a connection of a pool of one.
async fn begin(pool: &SqlitePool) -> Result<Connection> {
    let (began, mut is_reopened) = (Instant::now(), false);
    loop {
        let error: Error = match pool.begin_with("BEGIN IMMEDIATE").boxed().await {
            Ok(begun) => return Ok(Connection::Sqlite(begun)),
            Err(error) => error.into(),
        };
        // A connection that was opened while the file could not be written stays read-only, also when it can be written
        // again.
        if error.kind() == Some(FaultKind::ReadOnly) && !is_reopened {
            pool.acquire().await?.close().await?;
            is_reopened = true;
        } else {
            wait_if_busy(error, began).await?;
        }
    }
}
