//! Whether another process has a database open.
//!
//! In WAL mode, a connection holds SQLite's SHARED lock on the main file from its first read until it is
//! closed, even while idle. These are POSIX locks, so nobody can take an exclusive lock on the whole file
//! while the database is open anywhere, and nobody can open the database while that lock is held. (In other
//! journal modes an idle connection holds no lock; our databases are switched to WAL when they are first
//! opened.) See <https://www.sqlite.org/lockingv3.html>.

use std::{
    fs::{File, OpenOptions},
    io,
    path::Path,
};

use rustix::{
    fs::{FlockOperation, fcntl_lock},
    io::Errno,
    process::{Flock, FlockType, fcntl_getlk},
};

use super::access;
use crate::error::{Error, Result};

/// Keeps everybody else from opening a database. While it lives, this process must not open the file
/// again: closing that would end the lock.
#[derive(Debug)]
pub(in crate::engine) struct Alone(pub File);

impl Alone {
    /// None if there is no file.
    ///
    /// # Errors
    /// [`Error::InUse`]
    pub(in crate::engine) fn with(database: &Path) -> Result<Option<Self>> {
        let file = match OpenOptions::new().read(true).write(true).open(database) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(access::refused(database, &error)),
        };
        match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Self(file))),
            Err(Errno::AGAIN | Errno::ACCESS) => {
                Err(Error::InUse { file: database.to_owned(), process: holder(&file) })
            }
            Err(error) => Err(access::refused(database, &error.into())),
        }
    }
}

/// The process that has a lock; none if it is in another container.
fn holder(file: &File) -> Option<i32> {
    let lock = fcntl_getlk(file, &Flock::from(FlockType::WriteLock)).ok()??;
    lock.pid.map(|process| process.as_raw_nonzero().get()).filter(|id| *id > 0)
}
