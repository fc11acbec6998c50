use std::any::Any;

use sqlx::SqlitePool;

use super::{database::Database, postgres::Connections, sql::Pool};
use crate::{Store, error::Result};

/// The connections that a process has to the database for one purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// What for: `requests`, `background` or `changes`.
    pub pool: &'static str,
    pub open: u32,
    /// Of those that are open.
    pub idle: u32,
    /// How many may be open.
    pub most: u32,
}

impl Store {
    /// All connections to the database.
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
        idle: saturated(connections.num_idle()),
        most: connections.options().get_max_connections(),
    }
}

impl Connections {
    fn status(&self, pool: &'static str) -> PoolStatus {
        let pools = self.distinct();
        PoolStatus {
            pool,
            open: pools.iter().map(|pool| pool.size()).sum(),
            idle: pools.iter().map(|pool| saturated(pool.num_idle())).sum(),
            most: pools.iter().map(|pool| pool.options().get_max_connections()).sum(),
        }
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// All connections that a handle reads with: nobody else reads with it until this is dropped.
pub struct Occupied(
    #[expect(dead_code, reason = "counts by being dropped")] Vec<Box<dyn Any + Send>>,
);

impl Store {
    /// Takes all connections that this handle reads with, as slow reads would, to try what happens then.
    ///
    /// # Errors
    /// Some connection was not to be had in time.
    pub async fn occupy(&self) -> Result<Occupied> {
        let mut taken: Vec<Box<dyn Any + Send>> = Vec::new();
        match &self.readers {
            Pool::Sqlite(pool, _) => {
                for _ in 0..pool.options().get_max_connections() {
                    taken.push(Box::new(pool.acquire().await?));
                }
            }
            Pool::Postgres(pool, _) => {
                for _ in 0..pool.options().get_max_connections() {
                    taken.push(Box::new(pool.acquire().await?));
                }
            }
        }
        Ok(Occupied(taken))
    }
}
