//! The one way to read data and the one way to change it.
//!
//! [`Store::write`] waits for its turn among all processes, and only then reads the clock. So the times of
//! changes that the public sees are in the order of their commits, and none is earlier than the one before
//! it, even if the machine's clock is set back. Deadlines are different: the time when a delivery is due or
//! a lease ends is compared with the clock, so it is taken from the clock, inside the transaction.
//!
//! SQLite has one writer at a time, so a write transaction is the publishing lock, too. With PostgreSQL, the lock
//! is the row of `data_version`, which a change locks before it does anything else. So no two changes see each
//! other half done, and what one reads stays as it is until it commits.

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;

use super::sql::{self, Connection, Engine, Target};
use crate::{
    store::{
        Store,
        error::{Error, Result},
    },
    time::{format_instant, instant_of_millis},
};

/// How long a writer waits for its turn before it reports that the database is busy.
pub(in crate::store) const WRITE_PATIENCE: Duration = Duration::from_secs(60);
/// How often it tries. SQLite's own growing back-off could miss every [`TURN`]; this is shorter.
pub(in crate::store) const WRITE_RETRY: Duration = Duration::from_millis(3);

/// How far the last publication may be ahead of the clock without a warning: a report's `createdAt` may be
/// some minutes ahead, and clocks are corrected by seconds.
const USUAL_LEAD: TimeDelta = TimeDelta::minutes(10);
/// The time between two warnings of one process.
pub(super) const CLOCK_WARNING_EVERY: Duration = Duration::from_secs(60 * 60);

/// The pause that lets other writers in between two batches of a long change.
pub(in crate::store) const TURN: Duration = Duration::from_millis(5);

/// A transaction. `'s` is how long the closures given to [`Store::write`] and [`Store::read`]
/// borrow their surroundings: the type `&'t mut Tx<'s>` tells the compiler that `'s` outlives `'t`.
/// Without it, closures that borrow would not compile.
#[derive(Debug)]
pub(in crate::store) struct Tx<'s> {
    connection: Connection,
    borrowed: PhantomData<&'s ()>,
}

impl Tx<'_> {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection, borrowed: PhantomData }
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl<'t> From<&'t mut Tx<'_>> for Target<'t> {
    fn from(tx: &'t mut Tx<'_>) -> Self {
        (&mut tx.connection).into()
    }
}

/// What a transaction did, and for how long nobody else could write.
#[derive(Debug)]
pub(in crate::store) struct Timed<T> {
    pub done: T,
    pub held: Duration,
}

impl Store {
    /// Changes data: everything that `work` does or, after an error or a crash, nothing. `work`
    /// gets the time of the change, in whole milliseconds, which is never earlier than that of the last
    /// change that the public saw.
    ///
    /// # Errors
    /// [`Error::Busy`] after a minute of waiting for other writers, and whatever `work` fails with.
    pub(in crate::store) async fn write<'s, T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.write_timed(work).await?.done)
    }

    /// Like [`Store::write`]; also returns how long it kept everybody else from writing.
    pub(in crate::store) async fn write_timed<'s, T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<Timed<T>> {
        let mut tx = Tx::new(self.database.begin_write().await?);
        let since = self.clock.elapsed();
        let now = self.time_in(&mut tx).await?;
        let done = work(&mut tx, now).await?;
        tx.connection.commit().await?;
        Ok(Timed { done, held: self.clock.elapsed().saturating_sub(since) })
    }

    /// Reads data. All reads in `work` see the same state.
    pub(in crate::store) async fn read<'s, T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let mut tx = Tx::new(self.readers.begin_read().await?);
        work(&mut tx).await
    }

    /// Changes data in a transaction in which the engine need not look for references to deleted rows: `work` has
    /// to.
    pub(in crate::store) async fn write_unreferenced<'s, T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let mut tx = Tx::new(self.database.begin_unreferenced().await?);
        self.time_in(&mut tx).await?;
        let done = work(&mut tx).await?;
        tx.connection.commit().await?;
        Ok(done)
    }

    /// Takes the publishing lock, where a transaction does not have it from its beginning, and returns the time of
    /// this change.
    async fn time_in(&self, tx: &mut Connection) -> Result<DateTime<Utc>> {
        let last = match tx.engine() {
            Engine::Sqlite => "SELECT changed_at FROM data_version WHERE id = 1",
            Engine::Postgres => "SELECT changed_at FROM data_version WHERE id = 1 FOR UPDATE",
        };
        let last: i64 = sql::query_scalar(last).fetch_one(tx).await?;
        let (now, last) = (self.clock.now(), instant_of_millis(last));
        if last - now > USUAL_LEAD && self.clock_warnings.may_speak().is_some() {
            tracing::warn!(
                "the last publication was at {}, and this machine's clock says {}: until it has caught \
                 up, everything is published at that same instant. What to do is in docs/operating.md, \
                 under \"The clock\"",
                format_instant(last),
                format_instant(now),
            );
        }
        Ok(instant_of_millis(now.timestamp_millis()).max(last))
    }
}

/// Waits a moment if `error` says that another process is writing. Returns the error if it says anything
/// else, or when [`WRITE_PATIENCE`] has passed.
pub(in crate::store) async fn wait_if_busy(error: Error, began: Instant) -> Result<()> {
    match error {
        Error::Database(fault) if fault.is_busy() => {
            if began.elapsed() > WRITE_PATIENCE {
                return Err(Error::Busy(WRITE_PATIENCE.as_secs()));
            }
            tokio::time::sleep(WRITE_RETRY).await;
            Ok(())
        }
        other => Err(other),
    }
}
