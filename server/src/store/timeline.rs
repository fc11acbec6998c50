//! A database server that was promoted or restored may lack transactions that clients have read.

use std::{future::pending, time::Duration};

use chrono::{DateTime, Utc};

use super::{Result, Store, version};
use crate::store::engine::sql::{self, Connection, Engine};

const LOOK_EVERY: Duration = Duration::from_secs(1);

impl Store {
    /// Tells mirrors, forever, to read everything again when what they have read may be gone.
    ///
    /// A file is only ever restored by `svc db restore`, which does so itself.
    pub async fn watch_timeline(&self) {
        if self.engine() == Engine::Sqlite {
            return pending().await;
        }
        let mut followed = None;
        loop {
            let era = self.era();
            if followed != Some(era) {
                match self.follow_timeline().await {
                    Ok(is_other) => {
                        if is_other {
                            tracing::warn!(
                                "the database server was promoted or restored, and may lack its last changes: \
                                 mirrors are told to read all reports again"
                            );
                        }
                        followed = Some(era);
                    }
                    Err(error) => tracing::debug!(%error, "the server's timeline is not known yet"),
                }
            }
            self.clock.sleep(LOOK_EVERY).await;
        }
    }

    /// Gives the list of reports a new revision if the server is not the one that it was at the last call, on
    /// whichever node that was. Returns whether it did.
    ///
    /// # Errors
    /// The primary cannot be written to.
    pub(in crate::store) async fn follow_timeline(&self) -> Result<bool> {
        self.write(|tx, now| Box::pin(follow(tx, now))).await
    }
}

async fn follow(tx: &mut Connection, now: DateTime<Utc>) -> Result<bool> {
    let (known, current): (Option<String>, String) = sql::query_as(
        "SELECT name, concat((SELECT system_identifier FROM pg_control_system()), ' ',
                             left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))
         FROM timeline WHERE id = 1",
    )
    .fetch_one(&mut *tx)
    .await?;
    if known.as_ref() == Some(&current) {
        return Ok(false);
    }
    sql::query("UPDATE timeline SET name = $1 WHERE id = 1")
        .bind(current)
        .execute(&mut *tx)
        .await?;
    if known.is_none() {
        return Ok(false);
    }
    version::replace(&mut *tx, now).await?;
    version::bump(tx, now).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use crate::store::testing::Scratch;

    #[tokio::test]
    async fn another_timeline_gives_the_list_another_revision_once() {
        let store = Scratch::postgres().await;
        let first = store.last_change().await.unwrap();
        assert!(!store.follow_timeline().await.unwrap());
        assert!(!store.follow_timeline().await.unwrap());
        assert_eq!(store.last_change().await.unwrap(), first);
        store.run("UPDATE timeline SET name = left(name, -8) || '0000000A'").await;
        assert!(store.follow_timeline().await.unwrap());
        let then = store.last_change().await.unwrap();
        assert!(then.revision > first.revision && then.version > first.version, "{then:?}");
        assert!(!store.follow_timeline().await.unwrap());
        assert_eq!(store.last_change().await.unwrap(), then);
    }
}
