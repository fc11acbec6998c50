//! Condition of the database, as far as this process has found out: whether it can be written to, and whether it is damaged.
//!
//! Every change tells: one that fails because of the database is noted at once. That a change succeeded proves less, since
//! it may have written nothing, and a disk that is full for one may have room for another. So it only causes a probe
//! ([`Store::try_write`]), which always writes.
//!
//! Damage is noted by every statement that meets it, and stays: other statements may succeed, because what they need is
//! whole or in memory, and a file is restored while the service is stopped.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use arc_swap::ArcSwapOption;
use tokio::sync::Notify;

use super::fault::{Fault, Kind, sentence};
use crate::{
    Store,
    error::{Error, Result},
};

/// Condition of a database; see the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Condition {
    /// Name of the database in messages.
    name: String,
    /// Sentence about the damage.
    damage: ArcSwapOption<String>,
    /// Reason why the database cannot be written to.
    unwritable: ArcSwapOption<String>,
    failed_writes: AtomicU64,
    news: Notify,
}

impl Condition {
    /// Condition of a database of this name, of which nothing bad is known.
    pub(super) fn new(name: String) -> Arc<Self> {
        Arc::new(Self { name, ..Self::default() })
    }

    /// Notes an error of a statement, which may be one of a damaged database.
    pub(super) fn note(&self, error: &sqlx::Error) {
        let Self { name, damage, .. } = self;
        let is_damage = matches!(Kind::of(error), Kind::Corrupt | Kind::NotADatabase);
        if is_damage && damage.load().is_none() {
            let text = sentence(error, Some(name));
            tracing::error!("{text}");
            damage.store(Some(Arc::new(text)));
        }
    }
}

/// Whether the next change will fail in the same way, unless the database is looked after.
fn prevents_writing(error: &Error) -> bool {
    match error {
        Error::Busy(_) => true,
        Error::Database(fault) => match fault.kind {
            Kind::Locked => matches!(fault.error, sqlx::Error::PoolTimedOut),
            Kind::ReadOnly
            | Kind::Moved
            | Kind::Unopenable
            | Kind::NotADatabase
            | Kind::Full
            | Kind::Corrupt
            | Kind::Disk(_)
            | Kind::Unreachable
            | Kind::Refused => true,
            Kind::Undone | Kind::Other => false,
        },
        _ => false,
    }
}

impl Store {
    /// Sentence about the damage of the database, if any is known.
    #[must_use]
    pub fn damage(&self) -> Option<Arc<String>> {
        self.condition.damage.load_full()
    }

    /// Sentence about why the database cannot be written to, if it cannot.
    #[must_use]
    pub fn unwritable(&self) -> Option<Arc<String>> {
        self.condition.unwritable.load_full()
    }

    /// Number of changes, and of probes, that failed because the database could not be written to.
    #[must_use]
    pub fn failed_writes(&self) -> u64 {
        self.condition.failed_writes.load(Ordering::Relaxed)
    }

    /// Waits until a change fails after others succeeded, or the other way round.
    pub async fn writing_changes(&self) {
        self.condition.news.notified().await;
    }

    /// Notes how something that was done in a transaction ended.
    pub(super) fn note_end<T>(&self, done: &Result<T>) {
        if let Err(Error::Database(fault)) = done {
            self.condition.note(&fault.error);
        }
    }

    /// Notes how a change ended. Returns the same; an error is [of writing](Error::is_of_writing) from now on.
    pub(super) fn written<T>(&self, done: Result<T>) -> Result<T> {
        self.note_end(&done);
        match &done {
            Ok(_) if self.condition.unwritable.load().is_some() => {
                self.condition.news.notify_one();
            }
            Err(error) if prevents_writing(error) => self.note_failure(error),
            _ => {}
        }
        done.map_err(|error| match error {
            Error::Database(fault) => Error::Database(Fault { is_of_writing: true, ..fault }),
            other => other,
        })
    }

    /// Notes how a probe ended.
    pub(super) fn note_probe(&self, done: &Result<()>) {
        self.note_end(done);
        match done {
            Ok(()) if self.condition.unwritable.swap(None).is_some() => {
                tracing::info!("the database can be written to again");
            }
            Ok(()) => {}
            Err(error) => self.note_failure(error),
        }
    }

    fn note_failure(&self, error: &Error) {
        let Condition { name, unwritable, failed_writes, news, .. } = &*self.condition;
        failed_writes.fetch_add(1, Ordering::Relaxed);
        let reason = error.text_of(name);
        let before = unwritable.swap(Some(Arc::new(reason.clone())));
        if before.is_none() {
            news.notify_one();
        }
        if before.is_none_or(|before| *before != reason) {
            tracing::error!(reason, "the database cannot be written to");
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::SqlitePool;

    use super::Condition;
    use crate::{
        Store,
        engine::sql::{self, Pool},
        error::Result,
        testing::Scratch,
    };

    async fn insert(store: &Store, partner: &'static str) -> Result<()> {
        change(store, &[partner]).await
    }

    async fn change(store: &Store, statements: &[&'static str]) -> Result<()> {
        let done = store.write_rows(move |tx, _| {
            Box::pin(async move {
                for statement in statements {
                    sql::query(*statement).execute(&mut **tx).await?;
                }
                Ok(())
            })
        });
        done.await
    }

    #[tokio::test]
    async fn the_first_change_that_fails_on_a_full_disk_is_known_and_so_is_the_first_probe_that_succeeds()
     {
        let store = Scratch::sqlite().await;
        assert_eq!((store.unwritable(), store.failed_writes()), (None, 0));
        // No more pages than there are now, on whichever connection it is tried.
        let full = "PRAGMA max_page_count = 1";
        let large = "INSERT INTO partners (name, created_at) VALUES (hex(zeroblob(1000000)), 0)";
        let refused = change(&store, &[full, large]).await.unwrap_err();
        assert!(refused.is_of_writing(), "{refused}");
        let reason = format!(
            "the database {} cannot grow because its disk is full: free some space. What was written before is safe",
            store.name()
        );
        assert_eq!(store.unwritable().as_deref(), Some(&reason));
        assert_eq!(store.failed_writes(), 1);
        store.writing_changes().await;

        store.run("PRAGMA max_page_count = 1000000").await;
        insert(&store, "INSERT INTO partners (name, created_at) VALUES ('Aid', 0)").await.unwrap();
        // It asks for a probe.
        store.writing_changes().await;
        store.try_write().await.unwrap();
        assert_eq!((store.unwritable(), store.failed_writes()), (None, 1));
    }

    #[tokio::test]
    async fn damage_that_any_statement_meets_is_known_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("svc.db");
        std::fs::write(&file, "not a database, but long enough to be one: ".repeat(100)).unwrap();
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&file);
        let condition = Condition::new(file.display().to_string());
        let damaged = Pool::Sqlite(SqlitePool::connect_lazy_with(options), condition.clone());
        let tables = || sql::query_scalar::<i64>("SELECT count(*) FROM sqlite_master");
        assert!(condition.damage.load().is_none());
        tables().fetch_one(&damaged).await.unwrap_err();
        let said =
            format!("the database {} is not a SQLite database: check the path.", file.display());
        assert!(condition.damage.load_full().unwrap().starts_with(&said));
        let memory = SqlitePool::connect_lazy("sqlite::memory:").unwrap();
        tables().fetch_one(&Pool::Sqlite(memory, condition.clone())).await.unwrap();
        assert!(condition.damage.load().is_some());
    }

    #[tokio::test]
    async fn what_is_wrong_with_a_change_says_nothing_about_the_database() {
        let store = Scratch::new().await;
        let twice = "INSERT INTO partners (name, created_at) VALUES ('Aid', 0), ('Aid', 0)";
        insert(&store, twice).await.unwrap_err();
        assert_eq!((store.unwritable(), store.failed_writes()), (None, 0));
    }
}
