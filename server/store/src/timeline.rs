//! Detection of rewinds. A database that was restored, or whose server was promoted, may lack transactions that clients
//! have seen.
//!
//! Every transaction that changes data checks for this first: state that clients remember from before a rewind must not
//! be mixed with later changes.

use std::{future::pending, time::Duration};

use chrono::{DateTime, Utc};

use super::{Result, Store, events, version};
use crate::engine::sql::{self, Connection, Engine};

const POLL_INTERVAL: Duration = Duration::from_secs(1);

impl Store {
    /// Watches for a rewind forever, so that it is detected even while nobody changes anything.
    ///
    /// An SQLite file is only restored by `svc db restore`, which itself rewinds the data.
    pub async fn watch_timeline(&self) {
        if self.engine() == Engine::Sqlite {
            return pending().await;
        }
        let mut followed = None;
        loop {
            let era = self.era();
            if followed != Some(era) {
                match self.administer(|_, _| Box::pin(async { Ok(()) })).await {
                    Ok(()) => followed = Some(era),
                    Err(error) => tracing::debug!(%error, "the server's timeline is unknown"),
                }
            }
            self.clock.sleep(POLL_INTERVAL).await;
        }
    }
}

/// Recorded history of the data, and that of the server: its cluster and timeline, which grows with every promotion and
/// restore, and the table of events, which is a new one if a dump was restored.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Histories {
    name: Option<String>,
    events: Option<i64>,
    current_name: String,
    current_events: i64,
}

impl Histories {
    /// Selects the histories, in PostgreSQL.
    pub(crate) const SELECT: &str = "
        SELECT name, events,
               concat((SELECT system_identifier FROM pg_control_system()), ' ',
                      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) AS current_name,
               'events'::regclass::oid::bigint AS current_events
        FROM timeline WHERE id = 1";

    /// Returns the histories. `None` for SQLite, whose files are rewound by the command that restores them.
    pub(crate) async fn read(tx: &mut Connection) -> Result<Option<Self>> {
        Ok(match tx.engine() {
            Engine::Sqlite => None,
            Engine::Postgres => Some(sql::query_as(Self::SELECT).fetch_one(tx).await?),
        })
    }
}

/// Rewinds the data that depends on the history, if the server's history has changed. Returns whether it has. The
/// recorded history may have been read before another node followed the same change.
pub(crate) async fn follow(
    tx: &mut Connection,
    histories: Option<Histories>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let Some(Histories { name, events, current_name, current_events }) = histories else {
        return Ok(false);
    };
    let is_known = name.as_ref() == Some(&current_name) && events == Some(current_events);
    if is_known {
        return Ok(false);
    }
    let noted = sql::query(
        "UPDATE timeline SET name = $1, events = $2
         WHERE id = 1 AND (name IS DISTINCT FROM $1 OR events IS DISTINCT FROM $2)",
    )
    .bind(current_name.clone())
    .bind(current_events)
    .execute(&mut *tx)
    .await?;
    let is_other = name.is_some_and(|name| name != current_name)
        || events.is_some_and(|events| events != current_events);
    // Another node may have done this already.
    if noted == 0 || !is_other {
        return Ok(false);
    }
    rewind(tx, now).await?;
    Ok(true)
}

/// Invalidates all state that clients have from a history that was rewound: mirrors read the whole list again;
/// dispatchers and readers of the log start after the newest event.
pub(crate) async fn rewind(tx: &mut Connection, now: DateTime<Utc>) -> Result<()> {
    version::replace(&mut *tx, now).await?;
    version::bump(tx, now).await?;
    events::log::rewind(tx, now).await
}

#[cfg(test)]
mod tests {
    use crate::testing::Scratch;

    #[tokio::test]
    async fn another_timeline_or_a_restored_dump_is_noticed_once_by_the_next_change() {
        let store = Scratch::postgres().await;
        let change = async || store.administer(|_, _| Box::pin(async { Ok(()) })).await.unwrap();
        change().await;
        change().await;
        let mut before = store.last_change().await.unwrap();
        let mut gaps = 0;
        for rewound in [
            "UPDATE timeline SET name = left(name, -8) || '0000000A'",
            "UPDATE timeline SET events = events - 1",
        ] {
            assert_eq!(store.value("SELECT count(*) FROM log_gaps").await, gaps);
            store.run(rewound).await;
            change().await;
            let then = store.last_change().await.unwrap();
            assert!(then.revision > before.revision && then.version > before.version, "{then:?}");
            change().await;
            assert_eq!(store.last_change().await.unwrap(), then);
            before = then;
            // No event was published in between, so the same gap grows.
            gaps = 1;
        }
        assert!(store.value("SELECT next FROM log_gaps").await > 2 << 32);
        store.close().await;
    }
}
