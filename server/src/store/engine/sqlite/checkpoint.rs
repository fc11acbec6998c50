//! Moving what was written from the journal into the database's file.

use crate::store::{Store, engine::sql::Pool, error::Result};

impl Store {
    /// Does so, with SQLite, while others go on reading and writing. The engine does it by itself only when the journal has
    /// grown to 64 MB, on the connection that writes next: whoever writes then waits for a quarter of a
    /// second. For background work that changes many pages, between two of its transactions.
    pub(in crate::store) async fn checkpoint(&self) -> Result<()> {
        if let Pool::Sqlite(readers, _) = &self.readers {
            sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(readers).await?;
        }
        Ok(())
    }
}
