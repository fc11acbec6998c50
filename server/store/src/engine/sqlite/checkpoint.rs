//! Checkpoints: moving changes from the journal into the database file.

use std::{path::Path, sync::atomic::Ordering::Relaxed};

use super::Sqlite;
use crate::{
    Store,
    engine::{database::Database, fault::FaultKind, sql::Pool},
    error::{Error, Result},
};

/// Free space of a disk from which it no longer counts as tight, in bytes: twice the size that the journal grows to.
const AMPLE: u64 = 128 << 20;

impl Store {
    /// Runs a checkpoint while others keep reading and writing. SQLite runs its own only when the journal has grown to
    /// 64 MB, on the next connection that writes, which then waits for a quarter of a second. For background work that
    /// changes many pages: called between two of its transactions.
    pub(crate) async fn checkpoint(&self) -> Result<()> {
        if let Pool::Sqlite(readers, _) = &self.readers {
            sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(readers).await?;
        }
        Ok(())
    }

    /// Whether a change that failed with `error` may succeed now because the disk was full. From then on, the journal
    /// is kept short.
    pub(in crate::engine) fn may_have_room(&self, error: &Error) -> bool {
        let Database::Sqlite(sqlite) = &self.database else { return false };
        let is_full = error.kind() == Some(FaultKind::Full);
        sqlite.is_tight.fetch_or(is_full, Relaxed);
        is_full
    }
}

impl Sqlite {
    /// Moves the journal into the database and truncates it, before each change on a disk that was full. Otherwise the
    /// journal fills the disk, up to 64 MB, and leaves no space for the pages that the database needs to apply it. With
    /// this, a few free megabytes are enough to keep writing.
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

/// Free space on a file's disk, in bytes.
fn free(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
