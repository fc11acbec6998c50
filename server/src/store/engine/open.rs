//! Opening a database: its engine, its settings, and whether this binary can use it.

use std::{
    os::unix::fs::MetadataExt,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use sqlx::{
    ConnectOptions, Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{
    access,
    fault::Kind,
    identity::{Identity, identify},
    migrate::Migrated,
    partial::Partial,
    transaction::{CLOCK_WARNING_EVERY, WRITE_PATIENCE, wait_if_busy},
    url::sqlite_path,
};
use crate::{
    clock::{Clock, Seldom},
    random::Random,
    secrets::Keyring,
    store::{
        Store,
        counters::count_cache::CountCache,
        error::{Error, Result},
        reports::segment_cache::SegmentCache,
    },
};

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
    /// Create it, with its folder, and bring it up to date.
    Create,
    /// Refuse.
    Refuse,
}

/// Opens the database that `url` names; its scheme chooses the engine.
///
/// With [`Missing::Create`] the migrations are run; else the database has to be there and up to
/// date. A file that is not ours is refused before anything is written to it.
///
/// # Errors
/// An unknown scheme, a missing, newer or older database, one of another application, and whatever
/// the engine says.
pub async fn open_url(url: &str, missing: Missing) -> Result<Store> {
    open_with(url, missing, None).await
}

/// The same with the keys of webhook secrets; `None` stands for those in the file beside the database.
///
/// # Errors
/// See [`open_url`].
pub async fn open_with(url: &str, missing: Missing, keyring: Option<Keyring>) -> Result<Store> {
    let (store, version) = open_any(url, missing, keyring).await?;
    version.map(|()| store)
}

/// Opens a database that has to be there, but may be older than this binary: it can be backed up
/// before it is migrated.
///
/// # Errors
/// See [`open_url`].
pub async fn open_for_backup(url: &str) -> Result<Store> {
    match open_any(url, Missing::Refuse, None).await? {
        (store, Ok(()) | Err(Error::TooOld)) => Ok(store),
        (_, Err(error)) => Err(error),
    }
}

/// Opens a database, and says whether its version is that of this binary.
async fn open_any(
    url: &str,
    missing: Missing,
    keyring: Option<Keyring>,
) -> Result<(Store, Result<()>)> {
    let path = access::absolute(&sqlite_path(url)?)?;
    // Turning a new file into a database with a journal written ahead waits for nobody by itself.
    let began = Instant::now();
    loop {
        match open(&path, missing, keyring.clone()).await {
            Ok(Some(opened)) => return Ok(opened),
            Ok(None) => {}
            Err(error) => wait_if_busy(error, began).await.map_err(|error| error.of(&path))?,
        }
    }
}

/// None if a restore replaced the file that was opened.
async fn open(
    path: &Path,
    missing: Missing,
    keyring: Option<Keyring>,
) -> Result<Option<(Store, Result<()>)>> {
    if !access::check(path)? {
        if missing == Missing::Refuse {
            return Err(Error::Missing(path.to_owned()));
        }
        create(path)?;
    }
    let before = inode(path);
    match identify(path).await? {
        Identity::Empty if missing == Missing::Refuse => return Err(Error::Empty(path.to_owned())),
        Identity::Foreign => return Err(Error::Foreign(path.to_owned())),
        Identity::Ours | Identity::Empty => {}
    }
    let keyring = keyring.unwrap_or_else(|| Keyring::beside(path));
    let mut store = match connect(path, keyring).await {
        Err(Error::Database(fault)) if fault.kind() == Kind::Moved => return Ok(None),
        connected => connected?,
    };
    // From now on a restore sees that the database is open. SQLite does not touch the journal, which
    // belongs to the new file, when it closes one that was moved.
    if inode(path) != before {
        store.close().await;
        return Ok(None);
    }
    if missing == Missing::Create {
        store.migrated = store.migrate().await?;
        return Ok(Some((store, Ok(()))));
    }
    let version = match store.refuse_other_versions().await {
        // The caller tries again if it was busy.
        Err(error @ Error::Database(_)) => return Err(error),
        version => version,
    };
    Ok(Some((store, version)))
}

/// Creates an empty file that only its owner may read; SQLite gives its journal the same mode.
fn create(path: &Path) -> Result<()> {
    let folder = access::folder(path);
    std::fs::create_dir_all(folder).map_err(|error| access::refused(folder, &error))?;
    match Partial::new(path)?.keep_as_new(path) {
        // Another process was faster.
        Err(Error::Exists(_)) => Ok(()),
        made => made,
    }
}

fn inode(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// What all connections have in common.
fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        // A long transaction of an import would else be copied into the database page by page
        // after each batch: let several gather.
        .pragma("wal_autocheckpoint", "16000")
        // A thread of its own reads: the more rows it may be ahead, the less often either waits.
        .row_buffer_size(512)
        .disable_statement_logging()
}

async fn connect(path: &Path, keyring: Keyring) -> Result<Store> {
    let options = options(path);
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(WRITE_PATIENCE)
        // On a full disk SQLite ends a transaction by itself. sqlx thinks that it goes on, and would
        // refuse every other one on that connection: another takes its place.
        .before_acquire(|connection, _| {
            let usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(usable) })
        })
        .after_connect(|connection, _| {
            Box::pin(async move {
                // From here on `Store::write` does the waiting.
                sqlx::query("PRAGMA busy_timeout = 20").execute(connection).await?;
                Ok(())
            })
        })
        .connect_with(options.clone().pragma("cache_size", WRITER_CACHE))
        .await?;
    let options = options.pragma("query_only", "ON").pragma("cache_size", READER_CACHE);
    let readers = |connections| {
        let pool = SqlitePoolOptions::new().max_connections(connections);
        pool.idle_timeout(None).max_lifetime(None)
    };
    let background = readers(BACKGROUND_READERS).acquire_timeout(BACKGROUND_PATIENCE);
    Ok(Store {
        background: background.connect_lazy_with(options.clone()),
        readers: readers(READERS).connect_lazy_with(options),
        writer,
        path: path.into(),
        migrated: Migrated::default(),
        places: Arc::default(),
        segments: SegmentCache::default(),
        pruning: Arc::default(),
        counts: CountCache::default(),
        clock: Clock::system(),
        clock_warnings: clock_warnings(Clock::system()),
        random: Random::system(),
        keyring,
    })
}

fn clock_warnings(clock: Clock) -> Arc<Seldom> {
    Arc::new(Seldom::new(clock, CLOCK_WARNING_EVERY))
}

impl Store {
    /// The database's file, as an absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What webhook secrets are encrypted with.
    #[must_use]
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// What opening it changed.
    #[must_use]
    pub fn migrated(&self) -> Migrated {
        self.migrated
    }

    /// The same database for background work: it reads with connections of its own. What everybody
    /// sees (the snapshot, keys, deliveries) is then kept current even while slow requests occupy
    /// all the others.
    #[must_use]
    pub fn background(&self) -> Self {
        Self { readers: self.background.clone(), ..self.clone() }
    }

    /// The same database, with `clock` instead of the machine's clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock_warnings: clock_warnings(clock.clone()), clock, ..self }
    }

    /// Gives the writer the memory that a long import needs. For a process that does nothing else.
    pub async fn prepare_for_import(&self) -> Result<()> {
        sqlx::query(IMPORT_CACHE).execute(&self.writer).await?;
        Ok(())
    }

    /// Changes data on a connection of its own, on which the engine does not look whether rows are left
    /// that refer to what is deleted: without an index it would read them all, for each. `work` has to.
    pub(in crate::store) async fn write_unreferenced<T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut SqliteConnection) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let mut connection = options(&self.path).foreign_keys(false).connect().await?;
        let began = Instant::now();
        let mut tx = loop {
            match connection.begin_with("BEGIN IMMEDIATE").await {
                Ok(tx) => break tx,
                Err(error) => wait_if_busy(error.into(), began).await?,
            }
        };
        let done = work(&mut tx).await?;
        tx.commit().await?;
        connection.close().await?;
        Ok(done)
    }

    /// Closes all connections, if called on the store that was opened; what was committed is in the
    /// file.
    pub async fn close(&self) {
        self.readers.close().await;
        self.background.close().await;
        self.writer.close().await;
    }
}

#[cfg(test)]
impl Store {
    /// Takes all connections that this handle reads with, as slow reads would.
    pub(crate) async fn occupy(&self) -> Vec<sqlx::pool::PoolConnection<sqlx::Sqlite>> {
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

    /// SQLite then ends the transaction by itself, and sqlx does not notice.
    #[tokio::test]
    async fn after_a_full_disk_there_are_further_transactions() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let mut tx = store.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
        // No more than there are now.
        sqlx::query("PRAGMA max_page_count = 1").execute(&mut *tx).await.unwrap();
        let large = "INSERT INTO partners (name, created_at) VALUES (hex(zeroblob(1000000)), 0)";
        let refused = sqlx::query(large).execute(&mut *tx).await.unwrap_err();
        assert_eq!(Error::from(refused).kind(), Some(Kind::Full));
        drop(tx);
        store.try_write().await.unwrap();
        store.close().await;
    }

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
