//! PostgreSQL: a server that any number of nodes use.

mod connections;
pub(crate) mod lock;
mod open;
mod servers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::FutureExt;

pub(crate) use self::connections::{Begun, Connections};
pub(super) use self::open::open;
use super::{
    sql::Connection,
    transaction::{Turn, WRITE_PATIENCE},
};
use crate::error::Result;

/// A database of PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct Postgres {
    pub writers: Connections,
    /// Its URL without the password.
    pub name: Arc<str>,
}

impl Postgres {
    /// Begins a transaction that changes data. Every statement in it sees what was committed before that
    /// statement; it waits for locks for as long as writers do.
    pub(super) async fn begin_write(&self, turn: Turn) -> Result<Connection> {
        let mut begin = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{}s'",
            WRITE_PATIENCE.as_secs()
        );
        match turn {
            Turn::PublishingFew => begin += "; SET LOCAL plan_cache_mode = force_generic_plan",
            Turn::Administration => {
                begin += &format!("; SELECT pg_advisory_xact_lock({})", lock::ADMINISTRATION);
            }
            Turn::Publishing | Turn::PublishingUnreferenced | Turn::Rows => {}
        }
        Ok(Connection::Postgres(self.writers.begin(begin).boxed().await?))
    }
}
