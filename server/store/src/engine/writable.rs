use super::{
    sql::{self, Connection},
    sqlite,
    transaction::{Turn, WRITE_TIMEOUT},
};
use crate::{
    Store,
    error::{Error, Result},
};

impl Store {
    /// Writes a page of the journal to the disk without changing any data; nothing less detects a full disk. Waits for
    /// its turn like every writer: having to wait for an import does not mean that the database is not writable.
    ///
    /// # Errors
    /// The error that the next change would fail with.
    pub async fn try_write(&self) -> Result<()> {
        let done = self.write_nothing().await;
        self.note_probe(&done);
        done
    }

    async fn write_nothing(&self) -> Result<()> {
        let mut done = self.rewrite().await;
        if done.as_ref().is_err_and(|error| self.may_have_room(error)) {
            done = self.rewrite().await;
        }
        done.map_err(|error| match error {
            Error::Database(fault) if fault.is_busy() => Error::Busy(WRITE_TIMEOUT.as_secs()),
            error => error.of(&self.database),
        })
    }

    async fn rewrite(&self) -> Result<()> {
        let mut tx = self.database.begin_write(Turn::Rows).await?;
        sql::query("UPDATE keys_version SET version = version").execute(&mut tx).await?;
        if let Connection::Sqlite(tx) = &mut tx {
            // SQLite does not write an unchanged row, but it does write this mark.
            sqlite::mark(tx).await?;
        }
        Ok(tx.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Missing, open_url};

    #[tokio::test]
    async fn a_try_reaches_the_disk_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let journal = || std::fs::metadata(folder.path().join("svc.db-wal")).unwrap().len();
        let before = journal();
        let versions = async || (store.data_version().await, store.keys().version().await);
        let unchanged = format!("{:?}", versions().await);
        store.try_write().await.unwrap();
        assert!(journal() > before);
        assert_eq!(format!("{:?}", versions().await), unchanged);
        store.close().await;
    }
}
