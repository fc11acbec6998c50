use sqlx::SqlitePool;

use super::{
    database::Database,
    postgres::Connections,
    sql::{Connection, Pool},
};
use crate::{Store, error::Result};

/// State of one connection pool of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// Purpose: `requests`, `background` or `changes`.
    pub pool: &'static str,
    pub open: u32,
    /// Number of open connections that are idle.
    pub idle: u32,
    /// Maximum number of open connections.
    pub most: u32,
}

impl Store {
    /// State of all connection pools.
    #[must_use]
    pub fn pools(&self) -> Vec<PoolStatus> {
        let changes = match &self.database {
            Database::Sqlite(sqlite) => of_sqlite("changes", &sqlite.writer),
            Database::Postgres(postgres) => postgres.writers.status("changes"),
        };
        let reading = [of_pool("requests", &self.readers), of_pool("background", &self.background)];
        reading.into_iter().chain([changes]).collect()
    }
}

fn of_pool(pool: &'static str, connections: &Pool) -> PoolStatus {
    match connections {
        Pool::Sqlite(connections, _) => of_sqlite(pool, connections),
        Pool::Postgres(connections, _) => connections.status(pool),
    }
}

fn of_sqlite(pool: &'static str, connections: &SqlitePool) -> PoolStatus {
    PoolStatus {
        pool,
        open: connections.size(),
        idle: connections.num_idle() as u32,
        most: connections.options().get_max_connections(),
    }
}

impl Connections {
    fn status(&self, pool: &'static str) -> PoolStatus {
        let pools = self.pools();
        let distinct = if self.servers.is_pooled { 2 } else { 1 };
        let pools = &[pools.pool, pools.statements][..distinct];
        PoolStatus {
            pool,
            open: pools.iter().map(|pool| pool.size()).sum(),
            idle: pools.iter().map(|pool| pool.num_idle() as u32).sum(),
            most: pools.iter().map(|pool| pool.options().get_max_connections()).sum(),
        }
    }
}

/// All connections that a handle reads with. Blocks other readers until dropped.
pub struct Occupied(#[expect(dead_code, reason = "counts by being dropped")] Vec<Connection>);

impl Store {
    /// Takes all connections that this handle reads with, as slow reads would. For tests of that situation.
    ///
    /// # Errors
    /// Some connection was not available in time.
    pub async fn occupy(&self) -> Result<Occupied> {
        let mut taken = Vec::new();
        for _ in 0..of_pool("", &self.readers).most {
            taken.push(self.readers.begin_read().await?);
        }
        Ok(Occupied(taken))
    }
}
