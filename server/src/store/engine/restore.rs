//! Putting a backup in the place of the database.
//!
//! The backup is copied to a file beside the database, and the copy is checked, so that nothing can
//! change between the check and the use. Then, while nobody else can open the database: what its
//! journal has is brought into the old file; the old file is given a second name; the journal is
//! removed; the copy is renamed to the database. Only that last step changes what is there, at once, so
//! whoever looks after a crash finds the old database or the new one, and never the new one with the
//! journal of the old.

mod source;
mod swap;

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};

use super::{access, backup::Contents, in_use::Alone, partial::Partial, url::sqlite_path};
use crate::store::error::Result;

/// What a restore did.
#[derive(Debug)]
pub struct Restored {
    pub database: PathBuf,
    pub contents: Contents,
    /// Where the database is that was there before.
    pub previous: Option<PathBuf>,
    /// Whether it has to be migrated before commands can use it.
    pub older: bool,
}

/// Puts the backup in `backup` in the place of the database that `url` names. A process that has the
/// database open must not call this.
///
/// # Errors
/// [`Error::InUse`](crate::store::Error::InUse) while another process has the database open,
/// [`Error::NotABackup`](crate::store::Error::NotABackup) if the backup is damaged, not ours, or newer than
/// this binary. The database is then as it was.
pub async fn restore(url: &str, backup: &Path, now: DateTime<Utc>) -> Result<Restored> {
    let named = access::absolute(&sqlite_path(url)?)?;
    // A link stays: SQLite keeps its journal beside the file that it leads to.
    let database = fs::canonicalize(&named).unwrap_or(named);
    let backup = access::absolute(backup)?;
    let source = source::open(&backup, &database)?;
    if access::check(&database)? {
        // Before gigabytes are copied. It is asked again when it counts.
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
        source::mark_replaced(&copy, now).await?;
    }
    let previous = swap::swap(copy, &database, now).await?;
    Ok(Restored { database, contents, previous, older })
}
