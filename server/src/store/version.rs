use sqlx::SqliteConnection;

use super::{Result, Store};

impl Store {
    /// The data version: moves with every transaction that changes what the public sees, whichever
    /// process made it.
    pub async fn data_version(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("SELECT version FROM data_version WHERE id = 1")
            .fetch_one(&self.readers)
            .await?)
    }
}

pub(super) async fn move_on(tx: &mut SqliteConnection) -> Result<()> {
    sqlx::query("UPDATE data_version SET version = version + 1 WHERE id = 1").execute(tx).await?;
    Ok(())
}
