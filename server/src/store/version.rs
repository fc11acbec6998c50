use chrono::{DateTime, Utc};
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

/// Moves the data version. No later change gets an earlier time than `at`.
pub(super) async fn bump(tx: &mut SqliteConnection, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "UPDATE data_version
         SET version = version + 1,
             changed_at = CASE WHEN changed_at < $1 THEN $1 ELSE changed_at END
         WHERE id = 1",
    )
    .bind(at.timestamp_millis())
    .execute(tx)
    .await?;
    Ok(())
}
