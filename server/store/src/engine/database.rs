//! Database of either engine.

use std::fmt;

use sqlx::AssertSqlSafe;

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

/// Tables that grow with reports.
const ANALYZED: [&str; 8] =
    ["places", "reports", "counts", "presence", "segments", "postings", "calendars", "events"];
/// Maximum number of rows of a small table.
const SMALL_TABLE: u32 = 100;

/// Target of all writes of a [`Store`].
#[derive(Clone, Debug)]
pub(crate) enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Database {
    /// Begins a transaction that changes data. With SQLite, it is the only writer.
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
            Self::Sqlite(sqlite) => sqlite.close().await,
            Self::Postgres(postgres) => postgres.writers.close_all().await,
        }
    }
}

/// Name of the database in messages: the path of the file, or the URL without the password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(sqlite) => sqlite.path.display().fmt(f),
            Self::Postgres(postgres) => f.write_str(&postgres.name),
        }
    }
}

impl Store {
    /// Era of the database. Numbers read from the database, such as versions and sequence numbers, are comparable only
    /// within one era: a PostgreSQL server that replaces another may lack its latest changes.
    #[must_use]
    pub fn era(&self) -> u64 {
        match &self.database {
            Database::Sqlite(_) => 0,
            Database::Postgres(postgres) => postgres.writers.servers.era().number(),
        }
    }

    pub(crate) fn engine(&self) -> Engine {
        match self.database {
            Database::Sqlite(_) => Engine::Sqlite,
            Database::Postgres(_) => Engine::Postgres,
        }
    }

    /// Kind of database: `sqlite` or `postgres`.
    #[must_use]
    pub fn engine_name(&self) -> &'static str {
        match self.engine() {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgres",
        }
    }

    /// Updates the statistics of the query planner. PostgreSQL's autovacuum does so too, but up to minutes after a
    /// large change; SQLite does not need them.
    ///
    /// Leaves out small tables. Without statistics, the planner assumes some pages; with those of a single row it plans
    /// for one, and after an import of pending reports, approving them in thousands of cities took a hundred times as
    /// long.
    pub async fn gather_statistics(&self) -> Result<()> {
        if self.engine() == Engine::Sqlite {
            return Ok(());
        }
        let mut tx = self.database.begin_write(Turn::Rows).await?;
        for table in ANALYZED {
            let is_large = format!("SELECT EXISTS (SELECT FROM {table} OFFSET {SMALL_TABLE})");
            if sql::query_scalar(AssertSqlSafe(is_large)).fetch_one(&mut tx).await? {
                sql::query(AssertSqlSafe(format!("ANALYZE {table}"))).execute(&mut tx).await?;
            }
        }
        tx.commit().await?;
        Ok(())
    }

    /// SQLite database of this store.
    ///
    /// # Errors
    /// [`Error::OnlySqlite`] for another engine, which has its own tools for `what`.
    pub(crate) fn sqlite(&self, what: &'static str) -> Result<&Sqlite> {
        match &self.database {
            Database::Sqlite(sqlite) => Ok(sqlite),
            Database::Postgres(_) => Err(Error::OnlySqlite(what)),
        }
    }
}
