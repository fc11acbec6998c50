use super::{
    sql::{self, Connection},
    sqlite,
    transaction::{Turn, WRITE_PATIENCE},
};
use crate::{
    Store,
    error::{Error, Result},
};

impl Store {
    /// Changes nothing, but writes: a page of the journal, on the disk. Nothing less shows that the
    /// disk is full. It waits for its turn as every writer does, because who is kept waiting
    /// by an import will be able to write.
    ///
    /// # Errors
    /// What the next change would end with.
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
            Error::Database(fault) if fault.is_busy() => Error::Busy(WRITE_PATIENCE.as_secs()),
            error => error.of(&self.database),
        })
    }

    async fn rewrite(&self) -> Result<()> {
        let mut tx = self.database.begin_write(Turn::Rows).await?;
        sql::query("UPDATE keys_version SET version = version").execute(&mut tx).await?;
        if let Connection::Sqlite(tx) = &mut tx {
            // SQLite does not write a row that stays as it is. It does write this.
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
