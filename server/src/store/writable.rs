use std::time::Duration;

use super::{
    Store,
    error::{Error, Result},
    open::{WRITE_PATIENCE, WRITE_RETRY},
};
use crate::clock::Clock;

impl Store {
    /// Writes a row as it is and commits that: a page of the journal, on the disk. Only a commit shows
    /// that the disk is full. It waits for its turn as every writer does, because who is kept waiting
    /// by an import will be able to write.
    ///
    /// # Errors
    /// What the next change would end with.
    pub async fn try_write(&self, clock: &Clock) -> Result<()> {
        let began = clock.elapsed();
        loop {
            match self.rewrite().await {
                Err(Error::Database(fault)) if fault.is_busy() => {
                    if waited(clock, began) > WRITE_PATIENCE {
                        return Err(Error::Busy(WRITE_PATIENCE.as_secs()));
                    }
                    tokio::time::sleep(WRITE_RETRY).await;
                }
                done => return done.map_err(|error| error.of(self.path())),
            }
        }
    }

    async fn rewrite(&self) -> Result<()> {
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("UPDATE keys_version SET version = version").execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }
}

fn waited(clock: &Clock, began: Duration) -> Duration {
    clock.elapsed().saturating_sub(began)
}
