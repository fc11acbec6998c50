//! SQLite: a file, one writer at a time, and as many readers as wanted.

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
use super::{retries::wait_if_busy, sql::Connection};
use crate::error::Result;

/// A database of SQLite.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    /// One connection: writers queue here, in order, instead of meeting in the database.
    pub writer: SqlitePool,
    /// The file, as an absolute path.
    pub path: Arc<Path>,
    /// Whether the disk was full and has little room since.
    pub is_tight: Arc<AtomicBool>,
}

impl Sqlite {
    /// Begins a transaction that is alone in writing.
    pub(crate) async fn begin_write(&self) -> Result<Connection> {
        self.keep_room().await;
        begin(&self.writer).await
    }

    /// Begins such a transaction on a connection of its own, on which the engine does not look whether rows are left that
    /// refer to what is deleted: without an index it would read them all, for each.
    pub(crate) async fn begin_unreferenced(&self) -> Result<Connection> {
        let options = open::options(&self.path).foreign_keys(false).disable_statement_logging();
        let pool = SqlitePoolOptions::new().max_connections(1).connect_lazy_with(options);
        begin(&pool).await
    }
}

async fn begin(pool: &SqlitePool) -> Result<Connection> {
    let began = Instant::now();
    loop {
        match pool.begin_with("BEGIN IMMEDIATE").boxed().await {
            Ok(begun) => return Ok(Connection::Sqlite(begun)),
            Err(error) => wait_if_busy(error.into(), began).await?,
        }
    }
}
