//! Secrets that older versions stored as they are.

use std::time::Instant;

use sqlx::SqliteConnection;

use crate::{
    Store,
    engine::sql,
    engine::{
        retries::wait_if_busy,
        transaction::{WRITE_PATIENCE, WRITE_RETRY},
    },
    error::{Error, Result},
};

/// The migration that [`encrypt`] completes.
pub(crate) const MIGRATION: i64 = 7;

/// Encrypts all secrets, in the transaction of the migration.
pub(crate) async fn encrypt(store: &Store, tx: &mut SqliteConnection) -> Result<()> {
    let plain: Vec<(i64, String, String)> =
        sqlx::query_as("SELECT seq, id, plain_secret FROM subscriptions WHERE status <> 'DELETED'")
            .fetch_all(&mut *tx)
            .await?;
    for (seq, id, secret) in plain {
        // Later migrations have not run yet: of the table's columns there are only those of that time.
        let sealed = store.seal_first(&secret, &id)?;
        sqlx::query("UPDATE subscriptions SET secret = $1, secret_key = $2 WHERE seq = $3")
            .bind(sealed.bytes)
            .bind(sealed.key.as_str().to_owned())
            .bind(seq)
            .execute(&mut *tx)
            .await?;
    }
    sqlx::query("ALTER TABLE subscriptions DROP COLUMN plain_secret").execute(&mut *tx).await?;
    // Those that were deleted long ago, too: SQLite does not overwrite what it deletes.
    sqlx::query(
        "UPDATE derived
         SET plain_secrets = EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'subscriptions')",
    )
    .execute(tx)
    .await?;
    Ok(())
}

impl Store {
    /// Whether parts of the file that no row uses may have secrets in plain text.
    pub(crate) async fn may_have_plain_secrets(&self) -> Result<bool> {
        let may = sql::query_scalar("SELECT plain_secrets FROM derived WHERE id = 1");
        Ok(may.fetch_one(&self.readers).await?)
    }

    /// Writes the file anew, with nothing but its rows in it, and empties the journal. It can be repeated
    /// after a kill.
    ///
    /// # Errors
    /// While others read what the journal has, or on a full disk. Nothing is lost then.
    pub(crate) async fn remove_plain_secrets(&self) -> Result<()> {
        let sqlite = self.sqlite("its secrets were never stored in plain text")?;
        let mut connection = sqlite.writer.acquire().await?;
        let began = Instant::now();
        loop {
            match sqlx::query("VACUUM").execute(&mut *connection).await {
                Ok(_) => break,
                Err(error) => wait_if_busy(error.into(), began).await?,
            }
        }
        loop {
            let (busy, _, _): (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
                .fetch_one(&mut *connection)
                .await?;
            if busy == 0 {
                break;
            }
            wait_a_moment(began).await?;
        }
        sqlx::query("UPDATE derived SET plain_secrets = 0").execute(&mut *connection).await?;
        Ok(())
    }
}

/// As long as others may keep a writer waiting.
async fn wait_a_moment(began: Instant) -> Result<()> {
    if began.elapsed() > WRITE_PATIENCE {
        return Err(Error::Busy(WRITE_PATIENCE.as_secs()));
    }
    tokio::time::sleep(WRITE_RETRY).await;
    Ok(())
}
