//! Backups. A backup appears under its name when it is complete and verified, and not before.

use std::path::Path;

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio_util::sync::CancellationToken;

use super::{Sqlite, access, partial::Partial};
use crate::{
    Store,
    engine::fault::FaultKind,
    error::{Error, Result},
};

/// Counts of the most important records in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Contents {
    pub reports: i64,
    pub keys: i64,
    pub subscriptions: i64,
    /// Number of the last subscription, which never decreases.
    #[serde(skip)]
    last_subscription: i64,
}

impl Contents {
    pub(super) async fn of(connection: &mut SqliteConnection) -> Result<Self> {
        let counts = sqlx::query_as(
            "SELECT (SELECT count(*) FROM reports), (SELECT count(*) FROM keys),
                    (SELECT count(*) FROM subscriptions WHERE status <> 'DELETED'),
                    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'subscriptions'), 0)",
        );
        let (reports, keys, subscriptions, last_subscription) =
            counts.fetch_one(connection).await?;
        Ok(Self { reports, keys, subscriptions, last_subscription })
    }

    /// Whether a copy made between the counts `before` and `after` can have these counts. Others may write in the
    /// meantime: reports and keys only increase; subscriptions may increase and decrease.
    fn can_be_between(&self, before: &Self, after: &Self) -> bool {
        let added = after.last_subscription - before.last_subscription;
        let between = |one: i64, other: i64| one.min(other)..=one.max(other);
        between(before.reports, after.reports).contains(&self.reports)
            && between(before.keys, after.keys).contains(&self.keys)
            && self.subscriptions <= before.subscriptions + added
            && self.subscriptions >= after.subscriptions - added
    }
}

impl Store {
    /// Writes a consistent copy of the database to `file`, while others keep reading and writing, and verifies it.
    /// `file` appears only when all of it is on the disk.
    ///
    /// # Errors
    /// [`Error::Exists`]: a backup never overwrites. [`Error::Stopped`] when `stopping` is cancelled.
    pub async fn backup(&self, file: &Path, stopping: &CancellationToken) -> Result<Contents> {
        let sqlite = self.sqlite("make a backup with pg_dump or pg_basebackup")?;
        let file = &access::absolute(file)?;
        if file.symlink_metadata().is_ok() {
            return Err(Error::Exists(file.clone()));
        }
        let partial = Partial::new(file)?;
        let before = sqlite.contents().await?;
        sqlite.copy_into(partial.path(), stopping).await.map_err(|error| match error {
            _ if stopping.is_cancelled() => Error::Stopped(file.clone()),
            error => sqlite.copy_failed(file, error),
        })?;
        let after = sqlite.contents().await?;
        let Some(found) = stopping.run_until_cancelled(check_copy(partial.path())).await else {
            return Err(Error::Stopped(file.clone()));
        };
        let found = found.map_err(|error| not_written(file, &error))?;
        if !found.can_be_between(&before, &after) {
            return Err(Error::NotWritten {
                file: file.clone(),
                reason: "the copy does not have what the database has: try again".to_owned(),
            });
        }
        partial.keep_as_new(file)?;
        Ok(found)
    }
}

impl Sqlite {
    /// Copies the database to `copy`. Ends early, with an error, when `stopping` is cancelled: SQLite then removes its
    /// temporary files beside the copy.
    async fn copy_into(
        &self,
        copy: &Path,
        stopping: &CancellationToken,
    ) -> Result<(), sqlx::Error> {
        // Uses the writer's connection, because the readers cannot write even to a new file. It takes no write lock.
        let mut connection = self.writer.acquire().await?;
        let stopping = stopping.clone();
        let goes_on = move || !stopping.is_cancelled();
        connection.lock_handle().await?.set_progress_handler(1_000, goes_on);
        let copying = sqlx::query("VACUUM INTO $1").bind(copy.to_string_lossy().into_owned());
        let copied = copying.execute(&mut *connection).await;
        connection.lock_handle().await?.remove_progress_handler();
        copied.map(|_| ())
    }

    async fn contents(&self) -> Result<Contents> {
        let mut connection = self.writer.acquire().await?;
        Contents::of(&mut connection).await.map_err(|error| error.of(&self.path.display()))
    }

    /// Error of a failed copy. It may be about either of the two files.
    fn copy_failed(&self, file: &Path, error: sqlx::Error) -> Error {
        let error = Error::from(error);
        let reason = match &error {
            Error::Database(fault) => match fault.kind {
                FaultKind::Full => "the disk is full: free some space".to_owned(),
                FaultKind::ReadOnly | FaultKind::Unopenable | FaultKind::Moved => {
                    "let the user that svc runs as write to its folder".to_owned()
                }
                FaultKind::Disk(code) => format!(
                    "the system reported an I/O error (SQLite code {code}): check the disks of the \
                     backup and of the database"
                ),
                _ => return error.of(&self.path.display()),
            },
            _ => return error,
        };
        Error::NotWritten { file: file.to_owned(), reason }
    }
}

fn not_written(file: &Path, error: &Error) -> Error {
    let reason = format!("the copy did not pass its check: {error}");
    Error::NotWritten { file: file.to_owned(), reason }
}

/// Reads all of a database that nobody else has open, and counts its records.
async fn check_copy(copy: &Path) -> Result<Contents> {
    let mut connection = read_only(copy).connect().await?;
    check_integrity(&mut connection).await?;
    let contents = Contents::of(&mut connection).await?;
    connection.close().await?;
    Ok(contents)
}

/// Options for a database that nobody writes to. SQLite creates no files beside it.
pub(super) fn read_only(file: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    options.disable_statement_logging()
}

/// # Errors
/// The first problem that SQLite finds.
pub(super) async fn check_integrity(connection: &mut SqliteConnection) -> Result<()> {
    match integrity(connection).await?.into_iter().next() {
        None => Ok(()),
        Some(fault) => Err(Error::Damaged(fault)),
    }
}

/// Problems that SQLite finds in the file, up to a hundred.
pub(crate) async fn integrity(connection: &mut SqliteConnection) -> Result<Vec<String>> {
    let found: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_all(connection).await?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}
