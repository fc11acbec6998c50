use std::path::PathBuf;

/// What can go wrong in the store. The texts are for the operator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the database did not answer as it should: {0}")]
    Database(#[from] sqlx::Error),
    #[error(
        "the database URL {0:?} is not one this binary can open: use sqlite://PATH, for example sqlite://data/svc.db"
    )]
    UnknownScheme(String),
    #[error("there is no database at {}: `svc serve`, `svc reports import` and `svc db migrate` make one", .0.display())]
    Missing(PathBuf),
    #[error("the folder {} for the database could not be made: {source}", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error(
        "the database is newer than this binary (it has migration {0}): run the svc that wrote it, or a newer one"
    )]
    TooNew(i64),
    #[error("the database is older than this binary: run `svc db migrate` first")]
    TooOld,
    #[error("the database could not be migrated: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    #[error(
        "another process has been writing to the database for {0} seconds without a pause: try again when it is done"
    )]
    Busy(u64),
    #[error("a stored value is damaged: {0}; run `svc db check`")]
    Damaged(String),
    #[error("{} exists already: name a file that does not", .0.display())]
    BackupExists(PathBuf),
}

/// The result of a store method.
pub type Result<T, E = Error> = std::result::Result<T, E>;
