//! Condition of the database as seen by this process: whether it is writable, and whether it is damaged.
//!
//! A change that fails because of the database is noted at once. A change that succeeds proves less: it may have
//! written nothing, and a disk that is full for one change may have room for another. So a success only triggers a
//! probe ([`Store::try_write`]), which always writes.
//!
//! Damage is noted by every statement that detects it, and the note stays. Other statements may still succeed if the
//! pages they need are intact or cached, and a file is only restored while the service is stopped.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use arc_swap::ArcSwapOption;
use tokio::sync::Notify;

use super::fault::{Fault, FaultKind, sentence};
use crate::{
    Store,
    error::{Error, Result},
};

/// Condition of a database; see the [module docs](self).
#[derive(Debug, Default)]
pub(crate) struct Condition {
    /// Name of the database in messages.
    name: String,
    /// Description of the damage, as a sentence.
    damage: ArcSwapOption<String>,
    /// Reason why the database cannot be written to.
    unwritable: ArcSwapOption<String>,
    failed_writes: AtomicU64,
    news: Notify,
}

impl Condition {
    /// Creates the condition of a database with this name and no known problem.
    pub(super) fn new(name: String) -> Arc<Self> {
        Arc::new(Self { name, ..Self::default() })
    }

    /// Notes an error of a statement if it means that the database is damaged.
    pub(super) fn note(&self, error: &sqlx::Error) {
        let Self { name, damage, .. } = self;
        let is_damage =
            matches!(FaultKind::of(error), FaultKind::Corrupt | FaultKind::NotADatabase);
        if is_damage && damage.load().is_none() {
            let text = sentence(error, Some(name));
            tracing::error!("{text}");
            damage.store(Some(Arc::new(text)));
        }
    }
}

/// Whether the next change will fail in the same way unless someone fixes the database.
fn prevents_writing(error: &Error) -> bool {
    match error {
        Error::Busy(_) => true,
        Error::Database(fault) => match fault.kind {
            FaultKind::Locked => matches!(fault.error, sqlx::Error::PoolTimedOut),
            FaultKind::ReadOnly
            | FaultKind::Moved
            | FaultKind::Unopenable
            | FaultKind::NotADatabase
            | FaultKind::Full
            | FaultKind::Corrupt
            | FaultKind::Disk(_)
            | FaultKind::Unreachable
            | FaultKind::Refused => true,
            FaultKind::Undone | FaultKind::Other => false,
        },
        _ => false,
    }
}

impl Store {
    /// Description of the database's damage, if any is known, as a sentence.
    #[must_use]
    pub fn damage(&self) -> Option<Arc<String>> {
        self.condition.damage.load_full()
    }

    /// Reason why the database cannot be written to, if it cannot, as a sentence.
    #[must_use]
    pub fn unwritable(&self) -> Option<Arc<String>> {
        self.condition.unwritable.load_full()
    }

    /// Number of changes and probes that failed because the database could not be written to.
    #[must_use]
    pub fn failed_writes(&self) -> u64 {
        self.condition.failed_writes.load(Ordering::Relaxed)
    }

    /// Waits until a change fails after others succeeded, or the reverse.
    pub async fn writing_changes(&self) {
        self.condition.news.notified().await;
    }

    /// Notes the outcome of a transaction.
    pub(crate) fn note_end<T>(&self, done: &Result<T>) {
        if let Err(Error::Database(fault)) = done {
            self.condition.note(&fault.error);
        }
    }

    /// Notes the outcome of a change and returns it. A returned error counts as one
    /// [of writing](Error::is_of_writing).
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

    /// Notes the outcome of a probe.
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
        // The database cannot grow, on any connection.
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
        // The success triggers a probe.
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
