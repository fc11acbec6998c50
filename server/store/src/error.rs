use std::path::PathBuf;

use domain::import_id::ImportId;
use sqlx::{error::DatabaseError, migrate::MigrateError};

use super::engine::fault::Fault;
use crate::secrets;

/// Error of the store. The messages are for the operator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Database(Fault),
    #[error(
        "the database URL {0:?} is not one this binary can open: use sqlite://PATH, for example sqlite://data/svc.db, \
            or postgres://USER@HOST/DATABASE"
    )]
    UnknownScheme(String),
    #[error("the database URL {url:?} cannot be read: {reason}")]
    MalformedUrl { url: String, reason: String },
    /// The engine has its own tools for this operation.
    #[error("svc only does that for SQLite databases: {0}")]
    OnlySqlite(&'static str),
    #[error("the database server is PostgreSQL {0}: svc needs version 15 or newer")]
    OldServer(String),
    #[error(
        "the database stores text as {0}: create one with the encoding UTF8 (CREATE DATABASE … ENCODING 'UTF8' \
            TEMPLATE template0)"
    )]
    Encoding(String),
    #[error("the database {0} is empty: `svc db migrate` creates the tables")]
    EmptyServerDatabase(String),
    #[error(
        "the database {0} has tables of another application, and was not changed: check --database-url, or give svc a \
            database or schema of its own"
    )]
    ForeignServerDatabase(String),
    #[error(
        "there is no database at {}: check --database-url and the folder you are in; `svc db migrate` and `svc serve` \
            make a new database, `svc db restore FILE` restores a backup", .0.display()
    )]
    Missing(PathBuf),
    #[error("{} is empty: `svc db migrate` makes a database of it", .0.display())]
    Empty(PathBuf),
    #[error("{} is a folder: name a file in it, such as {}", .0.display(), .0.join("svc.db").display())]
    Folder(PathBuf),
    #[error(
        "{} is the database of another application, and was not changed: check --database-url", .0.display()
    )]
    Foreign(PathBuf),
    #[error("{} is not a database, and was not changed: check the path", .0.display())]
    NotADatabase(PathBuf),
    /// File or folder that the system does not let svc use.
    #[error("{} {reason}", path.display())]
    Access { path: PathBuf, reason: String },
    #[error(
        "the database is newer than this binary (it has migration {0}): run the svc that wrote it, or a newer one"
    )]
    TooNew(i64),
    #[error(
        "the database is newer than this binary (its places follow newer rules): run the svc that wrote it, or a newer \
            one"
    )]
    NewerRules,
    /// Another rebuild considered this one dead and took over.
    #[error("another process has begun to rebuild the database: this one stopped")]
    Superseded,
    #[error("the database is older than this binary: run `svc db migrate` first")]
    TooOld,
    #[error("the database could not be migrated, and was not changed: {0}")]
    Migration(String),
    #[error(
        "another process has been writing to the database for {0} seconds without a pause: try again when it is done"
    )]
    Busy(u64),
    #[error("a stored value is damaged: {0}; run `svc db check --repair`")]
    Damaged(String),
    #[error(transparent)]
    Secrets(#[from] secrets::Error),
    /// Only SQLite would store such text.
    #[error("text that is stored must not have a zero byte (U+0000)")]
    ZeroByte,
    /// A repeated request has the [`Claim`](crate::Claim) now.
    #[error("another request with the same Idempotency-Key is being handled")]
    ClaimLost,
    /// The [`Precondition`](crate::Precondition) of a change is not met.
    #[error("the state is no longer the one that the change requires")]
    Outdated,
    #[error("there is no import {0}: `svc reports imports` lists them")]
    UnknownImport(ImportId),
    #[error("{} exists already: name a file that does not", .0.display())]
    Exists(PathBuf),
    #[error("stopped: {} was not written", .0.display())]
    Stopped(PathBuf),
    #[error("{} could not be written: {reason}", file.display())]
    NotWritten { file: PathBuf, reason: String },
    #[error("{} cannot be restored: {reason}", file.display())]
    NotABackup { file: PathBuf, reason: String },
    #[error(
        "the database {} is open in {}: stop the service and all other svc commands, then try again",
        file.display(),
        process.map_or_else(|| "another process".to_owned(), |id| format!("another process ({id})"))
    )]
    InUse { file: PathBuf, process: Option<i32> },
    #[error("{error} (the database is {database})")]
    About { database: String, error: Box<Error> },
    #[error(
        "the copy in the database {0} is not complete: run `svc db copy` again, which starts from the beginning"
    )]
    HalfCopied(String),
    #[error("a service is using the database {0}: stop it, then try again")]
    Served(String),
    #[error("{0} cannot be copied to itself: name two databases")]
    SameDatabase(String),
    #[error("the database {0} has data of its own, and was not changed: copy to an empty database")]
    NotEmpty(String),
    #[error(
        "the copy differs from its source in the table {table} ({source_rows} rows in the source, {rows} in \
         the copy), and was not kept: run `svc db copy` again"
    )]
    CopyDiffers { table: String, source_rows: u64, rows: u64 },
    #[error(
        "{0} counts, lists and places of the source do not agree with its reports, and the copy was not kept: run \
         `svc db check --repair` on the source, then `svc db copy` again"
    )]
    DamagedSource(u64),
}

impl Error {
    /// Whether the message contains the name of the database.
    #[must_use]
    pub fn names_the_database(&self) -> bool {
        match self {
            Self::Database(fault) => fault.database.is_some(),
            Self::OnlySqlite(_)
            | Self::OldServer(_)
            | Self::Encoding(_)
            | Self::TooNew(_)
            | Self::NewerRules
            | Self::Superseded
            | Self::TooOld
            | Self::Migration(_)
            | Self::Busy(_)
            | Self::Damaged(_)
            | Self::Secrets(_)
            | Self::ZeroByte
            | Self::ClaimLost
            | Self::Outdated
            | Self::UnknownImport(_)
            | Self::CopyDiffers { .. }
            | Self::DamagedSource(_) => false,
            _ => true,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        // character_not_in_repertoire
        match error.as_database_error().and_then(DatabaseError::code).as_deref() {
            Some("22021") => Self::ZeroByte,
            _ => Self::Database(Fault::new(error)),
        }
    }
}

impl From<MigrateError> for Error {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
            MigrateError::VersionMismatch(version) => Self::Migration(format!(
                "its migration {version} is not that of this binary; run the svc that wrote it"
            )),
            MigrateError::Dirty(version) => {
                Self::Migration(format!("its migration {version} is incomplete"))
            }
            other => Self::Migration(other.to_string()),
        }
    }
}

/// Result of a store method.
pub type Result<T, E = Error> = std::result::Result<T, E>;
