//! Replacement of the database by a backup.
//!
//! The backup is copied to a file beside the database, and that copy is checked, so that nothing can change between the
//! check and the use. The following steps run while nobody else can open the database. The journal is applied to the
//! old file, the old file gets a second name, the journal is removed, and the copy is renamed to the database. Only
//! this last step replaces anything, atomically: after a crash, either the old or the new database is there, but never
//! the new one with the journal of the old one.

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

/// Result of a restore.
#[derive(Debug)]
pub struct Restored {
    pub database: PathBuf,
    pub contents: Contents,
    /// Path of the previous database.
    pub previous: Option<PathBuf>,
    /// Whether the database has to be migrated before commands can use it.
    pub older: bool,
}

/// Replaces the database at `url` with the file `backup`. A process that has the database open must not call this.
///
/// # Errors
/// [`Error::InUse`] while another process has the database open, [`Error::NotABackup`] if the backup is damaged, not
/// ours, or newer than this binary. The database is then unchanged.
pub async fn restore(url: &str, backup: &Path, now: DateTime<Utc>) -> Result<Restored> {
    let instead = "restore a backup with pg_restore, or as your server is backed up";
    let named = DatabaseUrl::file(url)?.ok_or(Error::OnlySqlite(instead))?;
    // A symbolic link is kept: SQLite keeps its journal beside the file that the link points to.
    let database = fs::canonicalize(&named).unwrap_or(named);
    let backup = access::absolute(backup)?;
    let source = source::open(&backup, &database)?;
    if access::check(&database)? {
        // Fails early, before gigabytes are copied. The swap checks again.
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
        // For an older backup, the migration does it.
        source::rewind(&copy, now).await?;
    }
    let previous = swap::swap(copy, &database, now).await?;
    Ok(Restored { database, contents, previous, older })
}
