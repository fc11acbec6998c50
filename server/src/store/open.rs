//! Opening: which engine, which settings, and whether binary and database fit each other.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use sqlx::{
    ConnectOptions, Sqlite, Transaction,
    migrate::{MigrateError, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{
    Store,
    error::{Error, Result},
};
use crate::random::Random;

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite");

/// How long a writer waits for its turn before it reports that the database is busy.
const WRITE_PATIENCE: Duration = Duration::from_secs(60);
/// How often it tries: shorter than the pause that a long import leaves between two batches, so
/// that SQLite's own growing back-off does not miss every one of them.
const WRITE_RETRY: Duration = Duration::from_millis(3);
/// Connections that read for requests and commands.
const READERS: u32 = 4;
/// Connections that read for background work: one each for the snapshot, the keys, the dispatcher and
/// the operator's numbers, so that none of them waits for another.
const BACKGROUND_READERS: u32 = 4;
/// How much of the database connections keep in memory, in KiB as SQLite writes it. The system keeps
/// the file's pages too, once for all. SQLite pools what its connections may have: readers fill what
/// the writer leaves.
const READER_CACHE: &str = "-1024";
const WRITER_CACHE: &str = "-8192";
/// The same for the writer of an import, which changes pages all over the file.
const IMPORT_CACHE: &str = "PRAGMA cache_size = -65536";
/// How long background work waits for a connection before that is an error. Without reads that hang,
/// it never waits.
const BACKGROUND_PATIENCE: Duration = Duration::from_secs(5);

/// What to do where there is no database yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Make it, with its folder, and bring it up to date.
    Create,
    /// Refuse.
    Refuse,
}

/// Opens the database that `url` names; its scheme chooses the engine.
///
/// With [`Missing::Create`] the migrations are run; else the database has to be there and up to
/// date.
///
/// # Errors
/// An unknown scheme, a missing, newer or older database, and whatever the engine says.
pub async fn open_url(url: &str, missing: Missing) -> Result<Store> {
    let path = sqlite_path(url)?;
    if missing == Missing::Create {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|source| Error::Folder { folder: folder.to_owned(), source })?;
        }
    } else if !path.exists() {
        return Err(Error::Missing(path));
    }
    // Turning a new file into a database with a journal written ahead waits for nobody by itself.
    let began = Instant::now();
    let store = loop {
        match connect(&path, missing == Missing::Create).await {
            Ok(store) => break store,
            Err(error) => wait_if_busy(error, began).await?,
        }
    };
    if missing == Missing::Create {
        store.migrate().await?;
    } else {
        store.refuse_other_versions().await?;
    }
    Ok(store)
}

fn sqlite_path(url: &str) -> Result<PathBuf> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    // The mode that other tools want to be told is what this one does anyway.
    let path = path.map(|path| path.strip_suffix("?mode=rwc").unwrap_or(path));
    match path {
        Some(path) if !path.is_empty() && path != ":memory:" && !path.contains('?') => {
            Ok(PathBuf::from(path))
        }
        _ => Err(Error::UnknownScheme(without_password(url))),
    }
}

/// The URL as it may be shown in a message.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}://…{}", &url[..scheme], &url[at..]),
        _ => url.to_owned(),
    }
}

async fn connect(path: &Path, create: bool) -> Result<Store> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(create)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        // A long transaction of an import would else be copied into the database page by page
        // after each batch: let several gather.
        .pragma("wal_autocheckpoint", "16000")
        .disable_statement_logging();
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(WRITE_PATIENCE)
        .after_connect(|connection, _| {
            Box::pin(async move {
                // From here on `Store::write` does the waiting.
                sqlx::query("PRAGMA busy_timeout = 20").execute(connection).await?;
                Ok(())
            })
        })
        .connect_with(options.clone().pragma("cache_size", WRITER_CACHE))
        .await?;
    let options = options
        .create_if_missing(false)
        .pragma("query_only", "ON")
        .pragma("cache_size", READER_CACHE);
    let readers = |connections| {
        let pool = SqlitePoolOptions::new().max_connections(connections);
        pool.idle_timeout(None).max_lifetime(None)
    };
    let background = readers(BACKGROUND_READERS).acquire_timeout(BACKGROUND_PATIENCE);
    Ok(Store {
        background: background.connect_lazy_with(options.clone()),
        readers: readers(READERS).connect_lazy_with(options),
        writer,
        places: Arc::default(),
        random: Random::system(),
    })
}

impl Store {
    /// Brings the database up to date.
    ///
    /// # Errors
    /// [`Error::TooNew`] where the database has migrations that this binary does not know.
    pub async fn migrate(&self) -> Result<()> {
        self.refuse_newer().await?;
        let mut migrated = MIGRATIONS.run(&self.writer).await;
        // Two processes that start on the same empty database meet here; who comes second finds
        // the work done.
        for _ in 0..20 {
            if !matches!(
                migrated,
                Err(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..))
            ) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
            migrated = MIGRATIONS.run(&self.writer).await;
        }
        migrated.map_err(|error| match error {
            MigrateError::VersionMissing(version) => Error::TooNew(version),
            other => Error::Migration(other),
        })
    }

    /// The same database for background work: it reads with connections of its own. What everybody
    /// sees (the snapshot, keys, deliveries) is then kept current even while slow requests occupy
    /// all the others.
    #[must_use]
    pub fn background(&self) -> Self {
        Self { readers: self.background.clone(), ..self.clone() }
    }

    /// Gives the writer the memory that a long import needs. For a process that does nothing else.
    pub async fn prepare_for_import(&self) -> Result<()> {
        sqlx::query(IMPORT_CACHE).execute(&self.writer).await?;
        Ok(())
    }

    /// Closes all connections, if called on the store that was opened; what was committed is in the
    /// file.
    pub async fn close(&self) {
        self.readers.close().await;
        self.background.close().await;
        self.writer.close().await;
    }

    /// A write transaction: waits for its turn among all processes.
    pub(super) async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        let began = Instant::now();
        loop {
            match self.writer.begin_with("BEGIN IMMEDIATE").await {
                Ok(begun) => return Ok(begun),
                Err(error) => wait_if_busy(error.into(), began).await?,
            }
        }
    }

    /// A read transaction: everything read in it is of one moment.
    pub(super) async fn read(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.readers.begin().await?)
    }

    async fn refuse_other_versions(&self) -> Result<()> {
        self.refuse_newer().await?;
        let applied = self.applied_migrations().await?;
        if MIGRATIONS.iter().any(|migration| !applied.contains(&migration.version)) {
            return Err(Error::TooOld);
        }
        Ok(())
    }

    async fn refuse_newer(&self) -> Result<()> {
        let began = Instant::now();
        let applied = loop {
            match self.applied_migrations().await {
                Ok(applied) => break applied,
                Err(error) => wait_if_busy(error, began).await?,
            }
        };
        match applied.into_iter().find(|version| !MIGRATIONS.version_exists(*version)) {
            Some(version) => Err(Error::TooNew(version)),
            None => Ok(()),
        }
    }

    async fn applied_migrations(&self) -> Result<Vec<i64>> {
        let known: Option<i64> = sqlx::query_scalar(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'",
        )
        .fetch_optional(&self.writer)
        .await?;
        if known.is_none() {
            return Ok(Vec::new());
        }
        Ok(sqlx::query_scalar(
            "SELECT version FROM _sqlx_migrations WHERE success ORDER BY version",
        )
        .fetch_all(&self.writer)
        .await?)
    }
}

/// Waits a moment if `error` says that another process is writing. Returns the error if it says
/// anything else, or [`WRITE_PATIENCE`] is over.
async fn wait_if_busy(error: Error, began: Instant) -> Result<()> {
    match error {
        Error::Database(sqlx::Error::Database(busy)) if is_busy(busy.as_ref()) => {
            if began.elapsed() > WRITE_PATIENCE {
                return Err(Error::Busy(WRITE_PATIENCE.as_secs()));
            }
            tokio::time::sleep(WRITE_RETRY).await;
            Ok(())
        }
        other => Err(other),
    }
}

fn is_busy(error: &dyn sqlx::error::DatabaseError) -> bool {
    // SQLITE_BUSY and its extended codes have 5 in the low byte.
    error.code().and_then(|code| i32::from_str(&code).ok()).is_some_and(|code| code & 0xff == 5)
}

#[cfg(test)]
impl Store {
    /// Takes all connections that this handle reads with, as slow reads would.
    pub(crate) async fn occupy(&self) -> Vec<sqlx::pool::PoolConnection<Sqlite>> {
        let mut taken = Vec::new();
        for _ in 0..self.readers.options().get_max_connections() {
            taken.push(self.readers.acquire().await.unwrap());
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn commits_are_on_the_disk_and_the_journal_is_written_ahead() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let journal: String =
            sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&store.writer).await.unwrap();
        let synchronous: i64 =
            sqlx::query_scalar("PRAGMA synchronous").fetch_one(&store.writer).await.unwrap();
        // 2 is FULL.
        assert_eq!((journal.as_str(), synchronous), ("wal", 2));
        let query_only: i64 =
            sqlx::query_scalar("PRAGMA query_only").fetch_one(&store.readers).await.unwrap();
        assert_eq!(query_only, 1);
    }
}
