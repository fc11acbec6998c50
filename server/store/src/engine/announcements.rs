//! Announcements between processes, so that a change is noticed at once and not only at the next poll.
//!
//! PostgreSQL sends an announcement when the transaction commits (`LISTEN`/`NOTIFY`). Nothing depends on it: processes
//! that wait for a change also poll, because a connection may be lost, and a pooler such as pgbouncer does not forward
//! notifications. SQLite has a number that changes with every commit: looking at it is cheaper than all the polls that
//! wait for a change.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use sqlx::{PgPool, postgres::PgListener};
use tokio::sync::watch;

use super::{database::Database, postgres::Pools, sql::Pool, sqlite::Sqlite};
use crate::{Store, error::Result};

/// Interval between two looks at the number of SQLite's last commit, if somebody [waits](Store::notice_soon) for it, and
/// otherwise. A look takes half of the processor time of a poll.
const LOOK_SOON: Duration = Duration::from_millis(25);
const LOOK_RARELY: Duration = Duration::from_millis(250);
/// Pause after a failure, before listening again.
const PAUSE: Duration = Duration::from_secs(1);
/// Interval between two tests of the connection.
const TEST_EVERY: Duration = Duration::from_secs(10);
/// Timeout for receiving the test's own announcement.
const TEST_TIMEOUT: Duration = Duration::from_secs(5);

/// Subject of an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// Change of the data version.
    Data,
    /// Change of keys.
    Keys,
}

impl Topic {
    pub(super) const fn channel(self) -> &'static str {
        match self {
            Self::Data => "svc_data",
            Self::Keys => "svc_keys",
        }
    }
}

/// Announcements received from the database.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    data: watch::Sender<()>,
    keys: watch::Sender<()>,
    is_listening: AtomicBool,
    /// See [`Store::notice_soon`].
    is_urgent: AtomicBool,
}

impl Store {
    /// Returns a receiver that is notified when this or another process has changed public data.
    #[must_use]
    pub fn data_changes(&self) -> watch::Receiver<()> {
        self.heard.data.subscribe()
    }

    /// Returns a receiver that is notified when keys have changed.
    #[must_use]
    pub fn key_changes(&self) -> watch::Receiver<()> {
        self.heard.keys.subscribe()
    }

    /// Whether announcements are received at present. While they are not, processes have to poll more often.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        self.heard.is_listening.load(Ordering::Relaxed)
    }

    /// Sets whether a change by another process must be noticed within milliseconds, which takes some processor time.
    pub fn notice_soon(&self, is_urgent: bool) {
        self.heard.is_urgent.store(is_urgent, Ordering::Relaxed);
    }

    /// Listens until cancelled.
    pub async fn listen(&self) {
        loop {
            let ended = match (&self.readers, &self.database) {
                (Pool::Postgres(pool, _), _) if !pool.servers.is_pooled => {
                    let Pools { era, pool, .. } = pool.pools();
                    era.run(self.listen_with(&pool)).await
                }
                (_, Database::Sqlite(sqlite)) => self.watch_commits(sqlite).await,
                _ => return std::future::pending().await,
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "changes are polled for, not announced");
            }
            self.heard.is_listening.store(false, Ordering::Relaxed);
            // Announcements made during the outage were missed, so everything counts as changed.
            self.hear_all();
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Announces commits until one cannot be looked for.
    async fn watch_commits(&self, sqlite: &Sqlite) -> Result<()> {
        let mut seen = None;
        loop {
            let last = Some(sqlite.last_commit().await?);
            if last != seen {
                seen = last;
                self.heard.data.send_replace(());
            }
            self.heard.is_listening.store(true, Ordering::Relaxed);
            let is_urgent = self.heard.is_urgent.load(Ordering::Relaxed);
            tokio::time::sleep(if is_urgent { LOOK_SOON } else { LOOK_RARELY }).await;
        }
    }

    /// Listens until the connection is lost or a test of it fails.
    async fn listen_with(&self, pool: &PgPool) -> Result<()> {
        let own = format!("svc_test_{:016x}", self.random.number());
        let mut listener = PgListener::connect_with(pool).await?;
        listener.eager_reconnect(false);
        listener.listen_all([Topic::Data.channel(), Topic::Keys.channel(), &own]).await?;
        loop {
            sqlx::query("SELECT pg_notify($1, '')").bind(&own).execute(pool).await?;
            let tested = tokio::time::timeout(TEST_TIMEOUT, self.hear(&mut listener, &own)).await;
            if !matches!(tested, Ok(Ok(()))) {
                return Ok(());
            }
            if !self.heard.is_listening.swap(true, Ordering::Relaxed) {
                tracing::debug!("changes are announced by the database");
                self.hear_all();
            }
            let until_test = self.hear(&mut listener, "");
            if let Ok(lost) = tokio::time::timeout(TEST_EVERY, until_test).await {
                return lost;
            }
        }
    }

    /// Passes on announcements until one arrives on the channel `last` or the connection is lost.
    async fn hear(&self, listener: &mut PgListener, last: &str) -> Result<()> {
        while let Some(notification) = listener.try_recv().await? {
            match notification.channel() {
                channel if channel == last => return Ok(()),
                channel if channel == Topic::Data.channel() => self.heard.data.send_replace(()),
                channel if channel == Topic::Keys.channel() => self.heard.keys.send_replace(()),
                _ => {}
            }
        }
        Err(sqlx::Error::Io(std::io::ErrorKind::ConnectionAborted.into()).into())
    }

    fn hear_all(&self) {
        self.heard.data.send_replace(());
        self.heard.keys.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{sleep, timeout};

    use super::*;
    use crate::{testing::Scratch, version};

    #[tokio::test]
    async fn each_commit_of_another_process_is_announced_with_sqlite() {
        let store = Scratch::sqlite().await;
        let listening = store.again().await;
        listening.notice_soon(true);
        let mut data = listening.data_changes();
        let heard = async {
            for _ in 0..5 {
                sleep(2 * LOOK_SOON).await;
                assert!(listening.is_listening());
                data.mark_unchanged();
                store.write(|tx, now| Box::pin(version::bump(tx, now))).await.unwrap();
                data.changed().await.unwrap();
            }
        };
        tokio::select! {
            () = listening.listen() => {}
            heard = timeout(Duration::from_secs(30), heard) => heard.expect("nothing is heard"),
        }
    }
}
