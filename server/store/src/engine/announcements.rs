//! Announcements between processes (`LISTEN`/`NOTIFY`), so that a change is noticed at once and not only at the next
//! poll.
//!
//! PostgreSQL sends an announcement when the transaction commits. Nothing depends on it: processes that wait for a
//! change also poll, because a connection may be lost, a pooler such as pgbouncer does not forward notifications, and
//! SQLite has none.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use sqlx::{PgPool, postgres::PgListener};
use tokio::sync::watch;

use super::{postgres::Pools, sql::Pool};
use crate::{Store, error::Result};

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

    /// Listens until cancelled; does nothing if the engine has no announcements.
    pub async fn listen(&self) {
        let Pool::Postgres(pool, _) = &self.readers else { return std::future::pending().await };
        if pool.servers.is_pooled {
            return std::future::pending().await;
        }
        loop {
            let Pools { era, pool, .. } = pool.pools();
            if let Err(error) = era.run(self.listen_with(&pool)).await {
                tracing::debug!(%error, "changes are polled for, not announced");
            }
            self.heard.is_listening.store(false, Ordering::Relaxed);
            // Announcements made during the outage were missed, so everything counts as changed.
            self.hear_all();
            tokio::time::sleep(PAUSE).await;
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
