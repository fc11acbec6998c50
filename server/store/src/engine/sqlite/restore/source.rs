//! Copying and checking the backup.

use std::{
    fs::File,
    io::{self, ErrorKind},
    os::unix::fs::MetadataExt,
    path::Path,
};

use chrono::{DateTime, Utc};
use sqlx::{
    ConnectOptions as _,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions},
};

use crate::{
    engine::{
        fault::plain,
        migrate::is_older,
        open::Identity,
        sql::Connection,
        sqlite::{
            access,
            backup::{Contents, check_integrity, read_only},
            identity::{has_journal, identify},
            partial::{Partial, not_written},
        },
    },
    error::{Error, Result},
    timeline,
};

/// Opens the backup's file. Nothing is written to it.
pub(super) fn open(backup: &Path, database: &Path) -> Result<File> {
    let file = File::open(backup).map_err(|error| unreadable(backup, &error))?;
    let found = file.metadata().map_err(|error| unreadable(backup, &error))?;
    if found.is_dir() {
        return Err(refused(backup, "it is a folder: name the file of a backup"));
    }
    if access::inode(database) == Some((found.dev(), found.ino())) {
        return Err(refused(backup, "it is the database itself: name the file of a backup"));
    }
    if has_journal(backup) {
        return Err(refused(
            backup,
            "a journal (-wal or -journal) beside it has changes that are not in the file, so it is or \
             was in use and is not a backup. If no process has it open any more, make a backup of it \
             with `svc db backup NEW --database-url sqlite://FILE`, and restore that",
        ));
    }
    Ok(file)
}

/// Copies the backup to where the database is going to be.
pub(super) fn copy(mut source: File, copy: &Partial, backup: &Path, database: &Path) -> Result<()> {
    match io::copy(&mut source, &mut copy.file()) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::StorageFull => Err(not_written(database, &error)),
        Err(error) => Err(unreadable(backup, &error)),
    }
}

/// Reads all of the copy; returns its contents, and whether it is of an older version.
pub(super) async fn check(copy: &Partial, backup: &Path) -> Result<(Contents, bool)> {
    inspect(copy.path()).await.map_err(|error| match error {
        Error::TooNew(version) => refused(
            backup,
            &format!(
                "it is newer than this binary (it has migration {version}): use the svc that wrote \
                 it, or a newer one"
            ),
        ),
        Error::NotADatabase(_) => refused(backup, "it is not a database"),
        Error::Foreign(_) => refused(backup, "it is the database of another application"),
        Error::Empty(_) => refused(backup, "it is empty"),
        Error::Damaged(what) => refused(backup, &format!("it is damaged ({what})")),
        Error::Database(fault) => {
            refused(backup, &format!("it is damaged ({})", plain(&fault.error)))
        }
        other => refused(backup, &other.to_string()),
    })
}

async fn inspect(copy: &Path) -> Result<(Contents, bool)> {
    match identify(copy).await? {
        Identity::Ours => {}
        Identity::Empty => return Err(Error::Empty(copy.to_owned())),
        Identity::Foreign => return Err(Error::Foreign(copy.to_owned())),
    }
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(read_only(copy)).await?;
    let mut tx = pool.begin().await?;
    check_integrity(&mut tx).await?;
    let contents = Contents::of(&mut tx).await?;
    let older = is_older(&mut Connection::Sqlite(tx)).await?;
    pool.close().await;
    Ok((contents, older))
}

/// Rewinds what depends on the history of the data.
pub(super) async fn rewind(copy: &Partial, now: DateTime<Utc>) -> Result<()> {
    // No journal: if this is interrupted, so is the restore, and the copy is discarded.
    let options = SqliteConnectOptions::new().filename(copy.path());
    let options = options.journal_mode(SqliteJournalMode::Off).disable_statement_logging();
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
    let mut tx = Connection::Sqlite(pool.begin().await?);
    timeline::rewind(&mut tx, now).await?;
    tx.commit().await?;
    pool.close().await;
    Ok(())
}

fn unreadable(backup: &Path, error: &io::Error) -> Error {
    refused(backup, &access::reason(error))
}

fn refused(backup: &Path, reason: &str) -> Error {
    Error::NotABackup { file: backup.to_owned(), reason: reason.to_owned() }
}
