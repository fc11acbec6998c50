//! Opening a database: its engine, and whether this binary can use it.

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
    secrets::Keyring,
};

/// Action where there is no database yet.
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
    Opening { missing, keyring, accepts: |_| false }.open(url).await
}

/// Opens a database that has to be there, but may be older than this binary: it can be backed up
/// before it is migrated.
///
/// # Errors
/// See [`open_url`].
pub async fn open_for_backup(url: &str) -> Result<Store> {
    let accepts = |error: &Error| matches!(error, Error::TooOld);
    Opening { missing: Missing::Refuse, keyring: None, accepts }.open(url).await
}

/// Opens the database that becomes a copy of another. It may be half a copy. It is created where there is none;
/// one that is there is not changed.
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
    /// A database without anything in it, or a file without a byte.
    Empty,
    Foreign,
}

/// Conditions under which a database is opened.
pub(super) struct Opening {
    pub missing: Missing,
    pub keyring: Option<Keyring>,
    /// Whether a database may be used although it is refused with this error.
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

    /// Migrates the database, or refuses one that has to be.
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

    /// The database's file, as an absolute path, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.database {
            Database::Sqlite(sqlite) => Some(&sqlite.path),
            Database::Postgres(_) => None,
        }
    }

    /// Keys that webhook secrets are encrypted with.
    #[must_use]
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Changes that were made when it was opened.
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

    /// Closes all connections, if called on the store that was opened; what was committed is safe.
    pub async fn close(&self) {
        self.readers.close().await;
        self.background.close().await;
        self.database.close().await;
    }
}
