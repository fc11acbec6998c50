//! Files that appear under their name only when they are complete.
//!
//! An incomplete file is in the same folder under another name, `.NAME.XXXXXX.partial`, and locked. A file
//! left by a crash is not locked; the next writer removes it.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

use tempfile::NamedTempFile;

use super::access;
use crate::error::{Error, Result};

const SUFFIX: &str = ".partial";
const JOURNAL: &str = "-journal";

/// File that only its owner may read. Removed when dropped.
#[derive(Debug)]
pub(super) struct Partial(NamedTempFile);

impl Partial {
    /// Creates an empty file that is to become `target`.
    pub(super) fn new(target: &Path) -> Result<Self> {
        Self::make(target).map_err(|error| not_written(target, &error))
    }

    fn make(target: &Path) -> io::Result<Self> {
        let (folder, prefix) = (access::folder(target), prefix(target));
        remove_abandoned(folder, &prefix)?;
        loop {
            let file =
                tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX).tempfile_in(folder)?;
            // Before this lock, another process may take the file for abandoned, and then has it locked or has removed
            // it. A file system without locks must not prevent backups; there, no files are removed.
            let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && fs::exists(file.path())? {
                return Ok(Self(file));
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn file(&self) -> &File {
        self.0.as_file()
    }

    /// Renames the file to `target`, which must not exist yet. Afterwards, the file is on the disk.
    pub(super) fn keep_as_new(self, target: &Path) -> Result<()> {
        self.0.as_file().sync_all().map_err(|error| not_written(target, &error))?;
        let kept = self.0.persist_noclobber(target).map_err(|refused| match refused.error {
            error if error.kind() == io::ErrorKind::AlreadyExists => {
                Error::Exists(target.to_owned())
            }
            error => not_written(target, &error),
        })?;
        drop(kept);
        sync_folder(target)
    }

    /// Renames the file to `target`, and replaces an existing one. Afterwards, the file is on the disk.
    pub(super) fn replace(self, target: &Path) -> Result<()> {
        let done = || {
            self.0.as_file().sync_all()?;
            self.0.persist(target).map_err(|refused| refused.error)
        };
        done().map_err(|error| not_written(target, &error))?;
        sync_folder(target)
    }
}

/// Writes the folder of `file`, with the names in it, to the disk.
pub(super) fn sync_folder(file: &Path) -> Result<()> {
    let synced = File::open(access::folder(file)).and_then(|folder| folder.sync_all());
    synced.map_err(|error| not_written(file, &error))
}

pub(super) fn not_written(file: &Path, error: &io::Error) -> Error {
    Error::NotWritten { file: file.to_owned(), reason: access::reason(error) }
}

fn prefix(target: &Path) -> String {
    format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes files that killed processes were writing under this name, and their journals.
fn remove_abandoned(folder: &Path, prefix: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some((_, kind)) = name.strip_prefix(prefix).and_then(|rest| rest.split_once(SUFFIX))
        else {
            continue;
        };
        // Locked until it is removed, so that its writer detects the removal.
        let lock = match kind {
            "" => File::open(&path).ok().filter(|file| file.try_lock().is_ok()),
            JOURNAL if !is_being_written(&path) => File::open(&path).ok(),
            _ => None,
        };
        // Another process may remove it first.
        if lock.is_some() && fs::remove_file(&path).is_ok() {
            tracing::info!(file = %path.display(), "removed a file that an interrupted svc left behind");
        }
    }
    Ok(())
}

/// Whether the file of this journal is being written.
fn is_being_written(journal: &Path) -> bool {
    let journal = journal.to_string_lossy();
    File::open(journal.trim_end_matches(JOURNAL)).is_ok_and(|file| file.try_lock().is_err())
}

#[cfg(test)]
mod tests {
    use std::{fs, thread};

    use super::Partial;

    #[test]
    fn writers_at_the_same_time_leave_each_other_s_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("svc.db");
        let write = || {
            for _ in 0..500 {
                let partial = Partial::new(&target).unwrap();
                thread::yield_now();
                assert!(fs::exists(partial.path()).unwrap(), "{partial:?} is gone");
            }
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(write);
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
