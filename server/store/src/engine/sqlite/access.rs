//! Whether the system lets svc use the files of a database. SQLite itself only says that it could not open
//! one.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::Access;

use crate::error::{Error, Result};

/// The database's own folder.
pub(super) fn folder(database: &Path) -> &Path {
    database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether there is a file at `database`, which svc may read and write, in a folder where it may make
/// the files of the journal.
pub(super) fn check(database: &Path) -> Result<bool> {
    match fs::metadata(database) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(refused(database, &error)),
        Ok(found) if found.is_dir() => return Err(Error::Folder(database.to_owned())),
        Ok(_) => {}
    }
    // SQLite keeps its journal beside the file that a link leads to.
    let real = fs::canonicalize(database).map_err(|error| refused(database, &error))?;
    let (file, folder) = (Access::READ_OK | Access::WRITE_OK, Access::WRITE_OK | Access::EXEC_OK);
    for (path, wanted) in [(database, file), (self::folder(&real), folder)] {
        rustix::fs::access(path, wanted).map_err(|error| refused(path, &error.into()))?;
    }
    Ok(true)
}

/// Error about something that the system did not allow, with what to do about it.
pub(super) fn refused(path: &Path, error: &io::Error) -> Error {
    Error::Access { path: path.to_owned(), reason: format!("cannot be used: {}", reason(error)) }
}

/// An absolute path for messages, and for SQLite, which reads `file:` as the beginning of a URL.
pub(in crate::engine) fn absolute(path: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(path).map_err(|error| refused(path, &error))?;
    if absolute.to_str().is_none() {
        let reason = "cannot be used: its name is not UTF-8".to_owned();
        return Err(Error::Access { path: absolute, reason });
    }
    Ok(absolute)
}

/// Device and number of a file, whatever path leads to it.
pub(in crate::engine) fn inode(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Reason of the system's refusal, with what to do about it.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem => {
            "its file system is mounted read-only, and svc has to write there even to read"
                .to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "let the user that svc runs as read and write it and its folder".to_owned()
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: free some space".to_owned()
        }
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        _ => error.to_string(),
    }
}
