//! Replacing the old database with the new one.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{FileExt, MetadataExt, OpenOptionsExt, fchown},
    },
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use sqlx::{
    ConnectOptions, Connection,
    sqlite::{SqliteConnectOptions, SqliteLockingMode},
};

use crate::{
    engine::{
        fault::FaultKind,
        open::Identity,
        sqlite::{
            access,
            identity::{APPLICATION_ID, JOURNALS, beside, has_journal, identify},
            in_use::Alone,
            partial::{Partial, not_written, sync_folder},
        },
    },
    error::{Error, Result},
};

/// Suffix of a replaced database's name; the time of the replacement follows.
const REPLACED: &str = ".replaced-";
/// Suffix of the journal's index. It is useless for another database, and SQLite recreates it.
const INDEX: &str = "-shm";
/// Maximum number of attempts if another process keeps writing to the database.
const TRIES: usize = 5;

/// Length of SQLite's header, and position of the application id in it.
const HEADER: usize = 100;
const ID_AT: std::ops::Range<usize> = 68..72;

/// Refuses to replace a file that may belong to another application.
pub(super) async fn refuse_foreign(database: &Path) -> Result<()> {
    // Even if the rest of the file is damaged.
    if header_is_ours(database) {
        return Ok(());
    }
    match identify(database).await {
        Ok(Identity::Ours | Identity::Empty) => Ok(()),
        Ok(Identity::Foreign) => Err(Error::Foreign(database.to_owned())),
        Err(Error::NotADatabase(_) | Error::Database(_)) => Err(Error::Access {
            path: database.to_owned(),
            reason:
                "is not a database, or too damaged to identify, and was not changed: if it is yours, move it away \
                    (with its -wal file) and try again"
                    .to_owned(),
        }),
        Err(other) => Err(other),
    }
}

fn header_is_ours(database: &Path) -> bool {
    let mut header = [0; HEADER];
    let read = File::open(database).and_then(|file| file.read_exact_at(&mut header, 0));
    read.is_ok()
        && header.starts_with(b"SQLite format 3\0")
        && header[ID_AT] == APPLICATION_ID.to_be_bytes()
}

/// Replaces the database with the copy. Returns the new path of the old database.
pub(super) async fn swap(
    copy: Partial,
    database: &Path,
    now: DateTime<Utc>,
) -> Result<Option<PathBuf>> {
    for _ in 0..TRIES {
        let Some(alone) = Alone::with(database)? else {
            return put_new(copy, database, now).map(|()| None);
        };
        if !has_journal(database) {
            return replace(copy, database, &alone, now).map(Some);
        }
        // SQLite opens the file and takes its own lock. Closing its handle would release this one.
        drop(alone);
        if !fold_journal(database).await?
            && let Some(alone) = Alone::with(database)?
        {
            return replace(copy, database, &alone, now).map(Some);
        }
    }
    Err(Error::InUse { file: database.to_owned(), process: None })
}

/// Applies changes in the journal of a killed process to the database, as the next process to open it would. Returns
/// whether that was possible. If the database is damaged, file and journal are kept together.
async fn fold_journal(database: &Path) -> Result<bool> {
    let options = SqliteConnectOptions::new().filename(database).disable_statement_logging();
    // From its first read on, this connection has an exclusive lock.
    let options = options.locking_mode(SqliteLockingMode::Exclusive);
    let mut connection = options.connect().await?;
    let folded =
        sqlx::raw_sql("SELECT count(*) FROM sqlite_master; PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut connection)
            .await;
    // Closed in any case: a later close would release the lock that is taken next.
    let closed = connection.close().await;
    match folded.map(|_| ()).and(closed).map_err(Error::from) {
        Ok(()) => Ok(true),
        Err(Error::Database(fault)) => match fault.kind {
            FaultKind::Locked => Err(Error::InUse { file: database.to_owned(), process: None }),
            FaultKind::Corrupt | FaultKind::NotADatabase => Ok(false),
            _ => Err(Error::Database(fault).of(&database.display())),
        },
        Err(other) => Err(other),
    }
}

/// Moves the copy to the name of a database that does not exist. A leftover journal is moved away, because SQLite would
/// apply it to the new database.
fn put_new(copy: Partial, database: &Path, now: DateTime<Utc>) -> Result<()> {
    let aside = free_name(database, now);
    for suffix in JOURNALS {
        let journal = beside(database, suffix);
        ignore_missing(fs::rename(&journal, beside(&aside, suffix)))
            .map_err(|error| not_written(&journal, &error))?;
    }
    remove(&beside(database, INDEX))?;
    sync_folder(database)?;
    copy.keep_as_new(database).map_err(|error| match error {
        Error::Exists(file) => Error::NotWritten {
            file,
            reason: "another process has just created a database there: try again".to_owned(),
        },
        other => other,
    })
}

fn replace(copy: Partial, database: &Path, alone: &Alone, now: DateTime<Utc>) -> Result<PathBuf> {
    let previous = free_name(database, now);
    let kept = keep(&copy, database, alone, &previous).and_then(|()| copy.replace(database));
    if let Err(error) = kept {
        for (name, second) in names(database).iter().zip(names(&previous)) {
            // Restores the previous state: removes the second name if the first still exists, otherwise renames it
            // back.
            let _ = if name.exists() { fs::remove_file(second) } else { fs::rename(second, name) };
        }
        return Err(error);
    }
    Ok(previous)
}

/// Runs all steps before the new database replaces the old one.
fn keep(copy: &Partial, database: &Path, alone: &Alone, previous: &Path) -> Result<()> {
    let failed = |error| not_written(previous, &error);
    let old = alone.0.metadata().map_err(failed)?;
    // A restore by root must not lock out the user of the service. Only root may change a file's owner.
    let _ = fchown(copy.file(), Some(old.uid()), Some(old.gid()));
    remove_second_names(database, &old).map_err(failed)?;
    second_name(database, previous, || alone.0.try_clone()).map_err(failed)?;
    for suffix in JOURNALS {
        let journal = beside(database, suffix);
        if fs::metadata(&journal).is_ok_and(|journal| journal.len() > 0) {
            second_name(&journal, &beside(previous, suffix), || File::open(&journal))
                .map_err(failed)?;
        }
    }
    sync_folder(database)?;
    for suffix in JOURNALS.iter().chain([&INDEX]) {
        remove(&beside(database, suffix))?;
    }
    // The journal has to be gone from the disk before the new file is there.
    sync_folder(database)
}

/// Gives the file a second name. If the file system has no hard links, it copies the file. A locked file is read
/// through the open handle, because closing another one would release the lock.
fn second_name(
    file: &Path,
    name: &Path,
    open: impl FnOnce() -> io::Result<File>,
) -> io::Result<()> {
    match fs::hard_link(file, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let mut copy =
                OpenOptions::new().write(true).create_new(true).mode(0o600).open(name)?;
            io::copy(&mut open()?, &mut copy)?;
            copy.sync_all()
        }
        linked => linked,
    }
}

/// Removes second names of the database that a killed restore has left. With two names for one file, a process could
/// open it without the journal.
fn remove_second_names(database: &Path, old: &Metadata) -> io::Result<()> {
    let replaced = beside(database, REPLACED);
    for entry in fs::read_dir(access::folder(database))? {
        let name = entry?.path();
        let is_second = name.as_os_str().as_bytes().starts_with(replaced.as_os_str().as_bytes())
            && !has_journal(&name)
            && fs::metadata(&name)
                .is_ok_and(|file| (file.dev(), file.ino()) == (old.dev(), old.ino()));
        if is_second {
            fs::remove_file(name)?;
        }
    }
    Ok(())
}

/// Unused name beside the database with the time of the replacement.
fn free_name(database: &Path, now: DateTime<Utc>) -> PathBuf {
    let stamp = now.format("%Y-%m-%dT%H-%M-%SZ");
    let mut name = beside(database, &format!("{REPLACED}{stamp}"));
    let mut number = 2;
    while names(&name).iter().any(|name| name.symlink_metadata().is_ok()) {
        name = beside(database, &format!("{REPLACED}{stamp}-{number}"));
        number += 1;
    }
    name
}

fn names(database: &Path) -> [PathBuf; 3] {
    let [wal, journal] = JOURNALS.map(|suffix| beside(database, suffix));
    [database.to_owned(), wal, journal]
}

fn remove(file: &Path) -> Result<()> {
    ignore_missing(fs::remove_file(file)).map_err(|error| not_written(file, &error))
}

fn ignore_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
