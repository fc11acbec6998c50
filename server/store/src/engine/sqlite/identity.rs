//! Application that a database file belongs to, found out without writing to it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    engine::{fault::Kind, open::Identity},
    error::{Error, Result},
};

/// Mark in the header of our files (`application_id`), which the first migration sets: "svc1".
pub(super) const APPLICATION_ID: i32 = 0x7376_6331;

/// Files that SQLite keeps beside a database: changes that are not in it yet, or that are to be undone.
pub(super) const JOURNALS: [&str; 2] = ["-wal", "-journal"];

/// The file that SQLite keeps beside `database`.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether a journal beside the database has anything in it.
pub(super) fn has_journal(database: &Path) -> bool {
    // SQLite keeps it beside the file that a link leads to.
    let database = &fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    JOURNALS
        .iter()
        .any(|suffix| fs::metadata(beside(database, suffix)).is_ok_and(|journal| journal.len() > 0))
}

/// Only SQLite itself may open a database that this process may have open: closing any other handle
/// of the file would drop the locks of all, see <https://www.sqlite.org/howtocorrupt.html>, 2.2.
pub(super) async fn identify(database: &Path) -> Result<Identity> {
    // As a file that never changes: other applications' databases are then left without a trace,
    // where even a reader creates files for the journal.
    match peek(database, true).await {
        // What counts is in the journal, or was being copied from there.
        Ok(Identity::Empty) if has_journal(database) => peek(database, false).await,
        // Perhaps half of a new database of ours: its tables may be seen before its mark, while the journal is copied.
        Ok(Identity::Foreign) => peek(database, !has_journal(database)).await,
        // Perhaps another process was writing at this moment: a reader that locks the file sees what it left.
        Err(_) => peek(database, false).await,
        found => found,
    }
    .map_err(|error| match error {
        Error::Database(fault) if fault.kind == Kind::NotADatabase => {
            Error::NotADatabase(database.to_owned())
        }
        other => other.of(&database.display()),
    })
}

async fn peek(database: &Path, immutable: bool) -> Result<Identity> {
    let options = SqliteConnectOptions::new().filename(database).read_only(true);
    let options = options.immutable(immutable).disable_statement_logging();
    let mut connection = options.connect().await?;
    let found = look(&mut connection).await;
    connection.close().await?;
    found
}

async fn look(connection: &mut SqliteConnection) -> Result<Identity> {
    // In one transaction, because another process may be creating the database.
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

/// Writes the mark once more, which SQLite does even though nothing changes.
pub(in crate::engine) async fn mark(connection: &mut SqliteConnection) -> Result<()> {
    // A pragma takes no parameters.
    let statement = format!("PRAGMA application_id = {APPLICATION_ID}");
    sqlx::query(sqlx::AssertSqlSafe(statement)).execute(connection).await?;
    Ok(())
}
