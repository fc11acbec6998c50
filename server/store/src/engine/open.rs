//! Opening a database: chooses the engine and checks that this binary can use the database.

use std::{path::Path, sync::Arc};

use base::{
    clock::{Clock, Seldom},
    random::Random,
};

use super::{
    condition::Condition,
    database::Database,
    migrate::{Migrated, is_older},
    postgres,
    sql::{self, Pool},
    sqlite,
    transaction::CLOCK_WARNING_EVERY,
    url::DatabaseUrl,
};
use crate::{
    Store,
    counters::count_cache::CountCache,
    error::{Error, Result},
    list_index::SegmentCache,
    precondition::Precondition,
    secrets::Keyring,
};

/// Action if the database does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Creates the database and its folder, and runs the migrations.
    Create,
    /// Returns an error.
    Refuse,
}

/// Opens the database at `url`; the scheme selects the engine.
///
/// With [`Missing::Create`], the migrations are run; otherwise the database has to exist and be up to date. A file of
/// another application is refused before anything is written to it.
///
/// # Errors
/// An unknown scheme, a missing, newer or older database, one of another application, and errors of the engine.
pub async fn open_url(url: &str, missing: Missing) -> Result<Store> {
    open_with(url, missing, None).await
}

/// Opens a database like [`open_url`], with these keys for webhook secrets; `None` uses the key file beside the
/// database.
///
/// # Errors
/// See [`open_url`].
pub async fn open_with(url: &str, missing: Missing, keyring: Option<Keyring>) -> Result<Store> {
    Opening { missing, keyring, accepts: |_| false }.open(url).await
}

/// Opens an existing database that may be older than this binary, so that it can be backed up before it is migrated.
///
/// # Errors
/// See [`open_url`].
pub async fn open_for_backup(url: &str) -> Result<Store> {
    let accepts = |error: &Error| matches!(error, Error::TooOld);
    Opening { missing: Missing::Refuse, keyring: None, accepts }.open(url).await
}

/// Opens the target of a copy, which may be an unfinished copy. Creates the database if it does not exist; an existing
/// one is not changed.
pub(super) async fn open_for_copy(url: &str) -> Result<Store> {
    let accepts = |error: &Error| matches!(error, Error::HalfCopied(_));
    match (Opening { missing: Missing::Refuse, keyring: None, accepts }).open(url).await {
        Err(Error::Missing(_) | Error::Empty(_) | Error::EmptyServerDatabase(_)) => {
            Opening { missing: Missing::Create, keyring: None, accepts }.open(url).await
        }
        opened => opened,
    }
}

/// Application that a database belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    Ours,
    /// A database without tables, or an empty file.
    Empty,
    Foreign,
}

/// Conditions for opening a database.
pub(super) struct Opening {
    pub missing: Missing,
    pub keyring: Option<Keyring>,
    /// Whether a database may be used in spite of this error.
    accepts: fn(&Error) -> bool,
}

impl Opening {
    async fn open(&self, url: &str) -> Result<Store> {
        match DatabaseUrl::parse(url)? {
            DatabaseUrl::Sqlite(path) => {
                let path = sqlite::absolute(&path)?;
                Box::pin(async move { sqlite::open(&path, self).await }).await
            }
            DatabaseUrl::Postgres(servers) => Box::pin(postgres::open(servers, self)).await,
        }
    }

    /// Migrates the database, or refuses one that needs migrations.
    pub(super) async fn bring_up_to_date(&self, mut store: Store) -> Result<Store> {
        let usable = if self.missing == Missing::Create {
            store.migrated = store.migrate().await?;
            store.refuse_half_copied().await
        } else if is_older(&store.readers).await? {
            Err(Error::TooOld)
        } else {
            store.refuse_half_copied().await
        };
        match usable {
            Err(error) if !(self.accepts)(&error) => Err(error),
            _ => Ok(store),
        }
    }
}

fn clock_warnings(clock: Clock) -> Arc<Seldom> {
    Arc::new(Seldom::new(clock, CLOCK_WARNING_EVERY))
}

impl Store {
    pub(super) fn new(
        readers: Pool,
        background: Pool,
        database: Database,
        condition: Arc<Condition>,
        keyring: Keyring,
    ) -> Self {
        Self {
            readers,
            background,
            database,
            migrated: Migrated::default(),
            places: Arc::default(),
            segments: SegmentCache::default(),
            heard: Arc::default(),
            condition,
            counts: CountCache::default(),
            clock: Clock::system(),
            clock_warnings: clock_warnings(Clock::system()),
            random: Random::system(),
            keyring,
            actor: None,
            claim: None,
            precondition: Precondition::Exists,
        }
    }

    async fn refuse_half_copied(&self) -> Result<()> {
        let half = sql::query_scalar("SELECT EXISTS (SELECT 1 FROM unfinished_copy)");
        let half: bool = half.fetch_one(&self.readers).await?;
        if half { Err(Error::HalfCopied(self.name())) } else { Ok(()) }
    }

    /// Name of the database in messages: the path of its file, or its URL without the password.
    #[must_use]
    pub fn name(&self) -> String {
        self.database.to_string()
    }

    /// Absolute path of the database file, if the database is a file.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.database {
            Database::Sqlite(sqlite) => Some(&sqlite.path),
            Database::Postgres(_) => None,
        }
    }

    /// Keys for encrypting webhook secrets.
    #[must_use]
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Migrations applied when the database was opened.
    #[must_use]
    pub fn migrated(&self) -> Migrated {
        self.migrated
    }

    /// Handle of the same database for background work, with its own connections for reading. The snapshot, keys and
    /// deliveries thus stay current while slow requests occupy all other connections.
    #[must_use]
    pub fn background(&self) -> Self {
        Self { readers: self.background.clone(), ..self.clone() }
    }

    /// Handle of the same database, with `clock` instead of the machine's clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock_warnings: clock_warnings(clock.clone()), clock, ..self }
    }

    /// Closes all connections, if called on the store that was opened. Committed changes are safe.
    pub async fn close(&self) {
        self.readers.close().await;
        self.background.close().await;
        self.database.close().await;
    }
}
