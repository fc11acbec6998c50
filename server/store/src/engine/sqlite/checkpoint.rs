//! Moving what was written from the journal into the database's file.

use std::{path::Path, sync::atomic::Ordering::Relaxed};

use super::Sqlite;
use crate::{
    Store,
    engine::{database::Database, fault::Kind, sql::Pool},
    error::{Error, Result},
};

/// Free bytes of a disk from which it is not tight any more: twice of what the journal grows to.
const AMPLE: u64 = 128 << 20;

impl Store {
    /// Does so, with SQLite, while others go on reading and writing. The engine does it by itself only when the journal has
    /// grown to 64 MB, on the connection that writes next: whoever writes then waits for a quarter of a
    /// second. For background work that changes many pages, between two of its transactions.
    pub(crate) async fn checkpoint(&self) -> Result<()> {
        if let Pool::Sqlite(readers, _) = &self.readers {
            sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(readers).await?;
        }
        Ok(())
    }

    /// Whether a change that ended with `error` may succeed now: the disk is full, and from now on the journal is kept
    /// short.
    pub(in crate::engine) fn may_have_room(&self, error: &Error) -> bool {
        let Database::Sqlite(sqlite) = &self.database else { return false };
        let is_full = error.kind() == Some(Kind::Full);
        sqlite.is_tight.fetch_or(is_full, Relaxed);
        is_full
    }
}

impl Sqlite {
    /// Before each change on a disk that was full: brings the journal into the database and cuts it off. Otherwise the
    /// journal takes all the room that there is, up to 64 MB, and none is left for the pages that the database needs to take
    /// it in. So a few megabytes are enough to go on.
    pub(in crate::engine) async fn keep_room(&self) {
        if !self.is_tight.load(Relaxed) {
            return;
        }
        if free(&self.path).is_some_and(|bytes| bytes > AMPLE) {
            self.is_tight.store(false, Relaxed);
            return;
        }
        let done = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.writer).await;
        if let Err(error) = done {
            tracing::debug!(%error, "the journal could not be brought into the database");
        }
    }
}

/// Bytes that are free on a file's disk.
fn free(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
