//! A database of one engine or the other.

use std::fmt;

use super::{
    postgres::Postgres,
    sql::{self, Connection, Engine},
    sqlite::Sqlite,
    transaction::Turn,
};
use crate::{
    Store,
    error::{Error, Result},
};

/// What a [`Store`] writes to.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Database {
    /// Begins a transaction that changes data. With SQLite, it is alone in writing.
    pub(super) async fn begin_write(&self, turn: Turn) -> Result<Connection> {
        match self {
            Self::Sqlite(sqlite) if turn == Turn::PublishingUnreferenced => {
                sqlite.begin_unreferenced().await
            }
            Self::Sqlite(sqlite) => sqlite.begin_write().await,
            Self::Postgres(postgres) => postgres.begin_write(turn).await,
        }
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.writer.close().await,
            Self::Postgres(postgres) => postgres.writers.close_all().await,
        }
    }
}

/// What to call it in messages: the path of the file, or the URL without the password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(sqlite) => sqlite.path.display().fmt(f),
            Self::Postgres(postgres) => f.write_str(&postgres.name),
        }
    }
}

impl Store {
    /// What was read of numbers in the database, such as versions and sequence numbers, is true for one era only: a
    /// server of PostgreSQL that takes the place of another may lack its last changes.
    #[must_use]
    pub fn era(&self) -> u64 {
        match &self.database {
            Database::Sqlite(_) => 0,
            Database::Postgres(postgres) => postgres.writers.servers.era(),
        }
    }

    pub(crate) fn engine(&self) -> Engine {
        match self.database {
            Database::Sqlite(_) => Engine::Sqlite,
            Database::Postgres(_) => Engine::Postgres,
        }
    }

    /// What kind of database it is: `sqlite` or `postgres`.
    #[must_use]
    pub fn engine_name(&self) -> &'static str {
        match self.engine() {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgres",
        }
    }

    /// Has the database count what it plans its reads by. PostgreSQL does so by itself, but up to minutes after a large
    /// change; SQLite needs none of it.
    pub async fn gather_statistics(&self) -> Result<()> {
        if self.engine() == Engine::Postgres {
            let mut tx = self.database.begin_write(Turn::Rows).await?;
            let analyze =
                "ANALYZE places, reports, counts, presence, segments, postings, calendars, events";
            sql::query(analyze).execute(&mut tx).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// The database of SQLite that this is.
    ///
    /// # Errors
    /// [`Error::OnlySqlite`] for another engine's, which has tools of its own for `what`.
    pub(crate) fn sqlite(&self, what: &'static str) -> Result<&Sqlite> {
        match &self.database {
            Database::Sqlite(sqlite) => Ok(sqlite),
            Database::Postgres(_) => Err(Error::OnlySqlite(what)),
        }
    }
}
