//! Identification of the application that a database file belongs to, without writing to the file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    engine::{fault::FaultKind, open::Identity},
    error::{Error, Result},
};

/// Application id (`application_id`) in the header of our files, set by the first migration: "svc1".
pub(super) const APPLICATION_ID: i32 = 0x7376_6331;

/// Suffixes of the journals that SQLite keeps beside a database: changes to be applied, or to be rolled back.
pub(super) const JOURNALS: [&str; 2] = ["-wal", "-journal"];

/// Path of a file that SQLite keeps beside `database`.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether a journal beside the database has content.
pub(super) fn has_journal(database: &Path) -> bool {
    // SQLite keeps it beside the file that a link points to.
    let database = &fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    JOURNALS
        .iter()
        .any(|suffix| fs::metadata(beside(database, suffix)).is_ok_and(|journal| journal.len() > 0))
}

/// Identifies the application of a database. Only SQLite itself may open a database that this process may have open:
/// closing any other handle of the file would drop all of its locks, see section 2.2 of
/// <https://www.sqlite.org/howtocorrupt.html>.
pub(super) async fn identify(database: &Path) -> Result<Identity> {
    // Opened as immutable, so that databases of other applications stay untouched. Otherwise even a reader creates
    // files for the journal.
    match peek(database, true).await {
        // The content may still be in the journal, or have been copied from there at that moment.
        Ok(Identity::Empty) if has_journal(database) => peek(database, false).await,
        // Perhaps a new database of ours: while the journal is copied, its tables may be visible before its application
        // id.
        Ok(Identity::Foreign) => peek(database, !has_journal(database)).await,
        // Perhaps another process was writing at this moment. A reader that locks the file sees a consistent state.
        Err(_) => peek(database, false).await,
        found => found,
    }
    .map_err(|error| match error {
        Error::Database(fault) if fault.kind == FaultKind::NotADatabase => {
            Error::NotADatabase(database.to_owned())
        }
        other => other.of(&database.display()),
    })
}

async fn peek(database: &Path, immutable: bool) -> Result<Identity> {
    let options = SqliteConnectOptions::new().filename(database).read_only(true);
    let options = options.immutable(immutable).disable_statement_logging();
    let mut connection = options.connect().await?;
    let found = read(&mut connection).await;
    connection.close().await?;
    found
}

async fn read(connection: &mut SqliteConnection) -> Result<Identity> {
    // One transaction, because another process may be creating the database.
    let mut tx = connection.begin().await?;
    let id: i32 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *tx).await?;
    if id == APPLICATION_ID {
        return Ok(Identity::Ours);
    }
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(match (id, &tables[..]) {
        (0, []) => Identity::Empty,
        _ => Identity::Foreign,
    })
}

/// Writes the application id again. SQLite does so even though nothing changes.
pub(in crate::engine) async fn mark(connection: &mut SqliteConnection) -> Result<()> {
    // A pragma has no placeholders.
    let statement = format!("PRAGMA application_id = {APPLICATION_ID}");
    sqlx::query(sqlx::AssertSqlSafe(statement)).execute(connection).await?;
    Ok(())
}
