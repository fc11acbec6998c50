//! Backups. A backup appears under its name only when it is complete and verified.

use std::path::Path;

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio_util::sync::CancellationToken;

use super::{Sqlite, access, partial::Partial};
use crate::{
    Store,
    engine::fault::Kind,
    error::{Error, Result},
};

/// The numbers of the most important things in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Contents {
    pub reports: i64,
    pub keys: i64,
    pub subscriptions: i64,
}

impl Contents {
    pub(super) async fn of(connection: &mut SqliteConnection) -> Result<Self> {
        let counts = sqlx::query_as(
            "SELECT (SELECT count(*) FROM reports), (SELECT count(*) FROM keys),
                    (SELECT count(*) FROM subscriptions WHERE status <> 'DELETED')",
        );
        let (reports, keys, subscriptions) = counts.fetch_one(connection).await?;
        Ok(Self { reports, keys, subscriptions })
    }
}

impl Store {
    /// Writes a consistent copy of the database to `file`, while others keep reading and writing, and checks
    /// it. `file` appears when it is completely on the disk, and not before.
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
        sqlite.copy_into(partial.path(), stopping).await.map_err(|error| match error {
            _ if stopping.is_cancelled() => Error::Stopped(file.clone()),
            error => sqlite.copy_failed(file, error),
        })?;
        let Some(found) = stopping.run_until_cancelled(check_copy(partial.path())).await else {
            return Err(Error::Stopped(file.clone()));
        };
        let found = found.map_err(|error| not_written(file, &error))?;
        partial.keep_as_new(file)?;
        Ok(found)
    }
}

impl Sqlite {
    /// Ends early, with an error, when `stopping` is cancelled: SQLite itself then removes what it has
    /// beside the copy.
    async fn copy_into(
        &self,
        copy: &Path,
        stopping: &CancellationToken,
    ) -> Result<(), sqlx::Error> {
        // On the writer's connection because the readers are read-only even for a new file; it
        // takes no write lock.
        let mut connection = self.writer.acquire().await?;
        let stopping = stopping.clone();
        let goes_on = move || !stopping.is_cancelled();
        connection.lock_handle().await?.set_progress_handler(1_000, goes_on);
        let copying = sqlx::query("VACUUM INTO $1").bind(copy.to_string_lossy().into_owned());
        let copied = copying.execute(&mut *connection).await;
        connection.lock_handle().await?.remove_progress_handler();
        copied.map(|_| ())
    }

    /// Both files take part, so the engine's error may be about either.
    fn copy_failed(&self, file: &Path, error: sqlx::Error) -> Error {
        let error = Error::from(error);
        let reason = match &error {
            Error::Database(fault) => match fault.kind {
                Kind::Full => "the disk is full: free some space".to_owned(),
                Kind::ReadOnly | Kind::Unopenable | Kind::Moved => {
                    "let the user that svc runs as write to its folder".to_owned()
                }
                Kind::Disk(code) => format!(
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

/// Reads all of a database that nobody else has open, and counts what it has.
async fn check_copy(copy: &Path) -> Result<Contents> {
    let mut connection = read_only(copy).connect().await?;
    check_integrity(&mut connection).await?;
    let contents = Contents::of(&mut connection).await?;
    connection.close().await?;
    Ok(contents)
}

/// Options for a database that nobody writes to; they leave nothing beside it.
pub(super) fn read_only(file: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    options.disable_statement_logging()
}

/// # Errors
/// The first thing that SQLite finds.
pub(super) async fn check_integrity(connection: &mut SqliteConnection) -> Result<()> {
    match integrity(connection).await?.into_iter().next() {
        None => Ok(()),
        Some(fault) => Err(Error::Damaged(fault)),
    }
}

/// Faults that SQLite finds in the file: up to a hundred.
pub(crate) async fn integrity(connection: &mut SqliteConnection) -> Result<Vec<String>> {
    let found: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_all(connection).await?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}
