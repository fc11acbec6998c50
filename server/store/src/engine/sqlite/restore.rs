//! Replacing the database with a backup.
//!
//! The backup is copied to a file beside the database, and the copy is checked, so that nothing can change
//! between the check and the use. Then, while nobody else can open the database, the journal is written
//! back to the old file, the old file gets a second name, the journal is removed, and the copy is renamed to
//! the database. Only that last step replaces anything, atomically: after a crash there is the old database
//! or the new one, but never the new one with the journal of the old.

mod source;
mod swap;

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};

use super::{access, backup::Contents, in_use::Alone, partial::Partial};
use crate::{
    engine::url::DatabaseUrl,
    error::{Error, Result},
};

/// The result of a restore.
#[derive(Debug)]
pub struct Restored {
    pub database: PathBuf,
    pub contents: Contents,
    /// Path of the previous database.
    pub previous: Option<PathBuf>,
    /// Whether it has to be migrated before commands can use it.
    pub older: bool,
}

/// Replaces the database that `url` names with the backup in `backup`. A process that has the database open
/// must not call this.
///
/// # Errors
/// [`Error::InUse`] while another process has the database open, [`Error::NotABackup`] if the backup is damaged, not ours, or newer than
/// this binary. The database is then as it was.
pub async fn restore(url: &str, backup: &Path, now: DateTime<Utc>) -> Result<Restored> {
    let instead = "restore a backup with pg_restore, or as your server is backed up";
    let named = DatabaseUrl::file(url)?.ok_or(Error::OnlySqlite(instead))?;
    // A link stays: SQLite keeps its journal beside the file that it leads to.
    let database = fs::canonicalize(&named).unwrap_or(named);
    let backup = access::absolute(backup)?;
    let source = source::open(&backup, &database)?;
    if access::check(&database)? {
        // Before gigabytes are copied. It is checked again when it counts.
        drop(Alone::with(&database)?);
        swap::refuse_foreign(&database).await?;
    } else {
        let folder = access::folder(&database);
        fs::create_dir_all(folder).map_err(|error| access::refused(folder, &error))?;
    }
    let copy = Partial::new(&database)?;
    source::copy(source, &copy, &backup, &database)?;
    let (contents, older) = source::check(&copy, &backup).await?;
    if !older {
        // Else the migration does it.
        source::rewind(&copy, now).await?;
    }
    let previous = swap::swap(copy, &database, now).await?;
    Ok(Restored { database, contents, previous, older })
}
