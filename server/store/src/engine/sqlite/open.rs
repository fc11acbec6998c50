//! Opening an SQLite file: its settings, and a check that it is ours.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use sqlx::{
    ConnectOptions, Connection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{Sqlite, access, identity::identify, partial::Partial};
use crate::{
    Store,
    engine::{
        condition::Condition,
        database::Database,
        fault::FaultKind,
        open::{Identity, Missing, Opening},
        retries::wait_if_busy,
        sql::Pool,
        transaction::WRITE_TIMEOUT,
    },
    error::{Error, Result},
    secrets::Keyring,
};

/// Maximum number of connections that read for requests and commands.
const READERS: u32 = 4;
/// Maximum number of connections that read for background work: one each for the snapshot, the keys, the dispatcher and
/// the operator's metrics, so that none of them waits for another.
const BACKGROUND_READERS: u32 = 4;
/// Page cache of a connection, in KiB (negative, as SQLite expects it). The operating system caches the pages of the
/// file as well, once for all connections.
const READER_CACHE: &str = "-1024";
const WRITER_CACHE: &str = "-8192";
/// Page cache of the writer during an import or a copy, which changes pages all over the file: 128 MiB hold the index
/// of ids of seven million reports.
pub(crate) const IMPORT_CACHE: &str = "PRAGMA cache_size = -131072";
/// Time that background work waits for a connection before it fails. It only ever waits if reads hang.
const BACKGROUND_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the database at `path`.
pub(in crate::engine) async fn open(path: &Path, opening: &Opening) -> Result<Store> {
    // Switching a new file to WAL mode does not honour the busy timeout, so this loop retries.
    let began = Instant::now();
    loop {
        match try_open(path, opening).await {
            Ok(Some(store)) => return Ok(store),
            Ok(None) => {}
            Err(error) => {
                wait_if_busy(error, began).await.map_err(|error| error.of(&path.display()))?
            }
        }
    }
}

/// Opens the database, or returns `None` if a restore replaced the file in the meantime.
async fn try_open(path: &Path, opening: &Opening) -> Result<Option<Store>> {
    let missing = opening.missing;
    if !access::check(path)? {
        if missing == Missing::Refuse {
            return Err(Error::Missing(path.to_owned()));
        }
        create(path)?;
    }
    let before = access::inode(path);
    match identify(path).await? {
        Identity::Empty if missing == Missing::Refuse => return Err(Error::Empty(path.to_owned())),
        Identity::Foreign => return Err(Error::Foreign(path.to_owned())),
        Identity::Ours | Identity::Empty => {}
    }
    let keyring = opening.keyring.clone().unwrap_or_else(|| Keyring::beside(path));
    let store = match connect(path, keyring).await {
        Err(Error::Database(fault)) if fault.kind == FaultKind::Moved => return Ok(None),
        connected => connected?,
    };
    // From here on, a restore detects that the database is open. SQLite does not touch the journal, which belongs to
    // the new file, when it closes a file that was moved.
    if access::inode(path) != before {
        store.close().await;
        return Ok(None);
    }
    opening.bring_up_to_date(store).await.map(Some)
}

/// Creates an empty file that only its owner may read. SQLite gives the journal the same mode.
fn create(path: &Path) -> Result<()> {
    let folder = access::folder(path);
    std::fs::create_dir_all(folder).map_err(|error| access::refused(folder, &error))?;
    match Partial::new(path)?.keep_as_new(path) {
        // Another process was faster.
        Err(Error::Exists(_)) => Ok(()),
        made => made,
    }
}

/// Options of all connections.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        // Otherwise the pages of a large import transaction would be copied into the database after each batch. This
        // lets several batches accumulate.
        .pragma("wal_autocheckpoint", "16000")
        // A separate thread reads: the more rows it may read ahead, the less often either side waits.
        .row_buffer_size(512)
        .disable_statement_logging()
}

/// Options of all pools. A connection to a file cannot break, and testing it costs two switches of threads.
fn pool() -> SqlitePoolOptions {
    SqlitePoolOptions::new().test_before_acquire(false).idle_timeout(None).max_lifetime(None)
}

async fn connect(path: &Path, keyring: Keyring) -> Result<Store> {
    let options = options(path);
    let writer = pool()
        .max_connections(1)
        .acquire_timeout(WRITE_TIMEOUT)
        // On a full disk, SQLite ends the transaction. sqlx assumes that it is still open, and would reject every other
        // transaction on that connection, so a new connection replaces it.
        .before_acquire(|connection, _| {
            let usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(usable) })
        })
        .after_connect(|connection, _| {
            Box::pin(async move {
                // From here on, `Store::write` does the waiting.
                sqlx::query("PRAGMA busy_timeout = 20").execute(connection).await?;
                Ok(())
            })
        })
        .connect_with(options.clone().pragma("cache_size", WRITER_CACHE))
        .await?;
    let options = options.pragma("query_only", "ON").pragma("cache_size", READER_CACHE);
    let background = pool().max_connections(BACKGROUND_READERS).acquire_timeout(BACKGROUND_TIMEOUT);
    let readers = pool().max_connections(READERS).connect_lazy_with(options.clone());
    let condition = Condition::new(path.display().to_string());
    let watcher = pool().max_connections(1).connect_lazy_with(options.clone());
    let sqlite = Sqlite { writer, watcher, path: path.into(), is_tight: Arc::default() };
    Ok(Store::new(
        Pool::Sqlite(readers, condition.clone()),
        Pool::Sqlite(background.connect_lazy_with(options), condition.clone()),
        Database::Sqlite(sqlite),
        condition,
        keyring,
    ))
}

impl Store {
    /// Gives the writer the memory that a long import needs. For processes that do nothing else.
    pub async fn prepare_for_import(&self) -> Result<()> {
        if let Database::Sqlite(sqlite) = &self.database {
            sqlx::query(IMPORT_CACHE).execute(&sqlite.writer).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{engine::fault::FaultKind, error::Error, testing::Scratch};

    /// After such an error, SQLite ends the transaction, and sqlx does not notice.
    #[tokio::test]
    async fn after_a_full_disk_there_are_further_transactions() {
        let store = Scratch::sqlite().await;
        let mut tx = store.sqlite("").unwrap().writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
        // No more than there are now.
        sqlx::query("PRAGMA max_page_count = 1").execute(&mut *tx).await.unwrap();
        let large = "INSERT INTO partners (name, created_at) VALUES (hex(zeroblob(1000000)), 0)";
        let refused = sqlx::query(large).execute(&mut *tx).await.unwrap_err();
        assert_eq!(Error::from(refused).kind(), Some(FaultKind::Full));
        drop(tx);
        store.try_write().await.unwrap();
    }

    #[tokio::test]
    async fn commits_are_on_the_disk_and_the_journal_is_written_ahead() {
        let store = Scratch::sqlite().await;
        let writer = &store.sqlite("").unwrap().writer;
        let journal: String =
            sqlx::query_scalar("PRAGMA journal_mode").fetch_one(writer).await.unwrap();
        let synchronous: i64 =
            sqlx::query_scalar("PRAGMA synchronous").fetch_one(writer).await.unwrap();
        // 2 is FULL.
        assert_eq!((journal.as_str(), synchronous), ("wal", 2));
        assert_eq!(store.value("PRAGMA query_only").await, 1, "readers only read");
    }

    #[tokio::test]
    async fn sqlite_is_compiled_as_the_configuration_of_cargo_says() {
        let store = Scratch::sqlite().await;
        let writer = &store.sqlite("").unwrap().writer;
        let flags: Vec<String> =
            sqlx::query_scalar("PRAGMA compile_options").fetch_all(writer).await.unwrap();
        let has = |flag: &str| flags.iter().any(|has| has == flag);
        assert!(has("DEFAULT_MEMSTATUS=0") && has("STMTJRNL_SPILL=16777216"), "{flags:?}");
        assert!(!has("ENABLE_MEMORY_MANAGEMENT"), "{flags:?}");
    }
}
