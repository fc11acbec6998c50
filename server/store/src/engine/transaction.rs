//! The one way to read data and the one way to change it.
//!
//! [`Store::write`] waits for its turn among all processes, and only then reads the clock. So the times of
//! changes that the public sees are in the order of their commits, and each is later than the one before
//! it, even if the machine's clock is set back. Deadlines are different: the time when a delivery is due or
//! a lease ends is compared with the clock, so it is taken from the clock, inside the transaction.
//!
//! SQLite has one writer at a time. With PostgreSQL, a change waits for others by its [`Turn`].
//!
//! A server may undo a transaction for the sake of another, restart, or hand over to another server. The whole
//! transaction is then tried again, so `work` may be called more than once. Only if the connection is lost while a
//! transaction commits, nobody knows whether it did, and the caller gets the error.

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
    time::{Duration, Instant},
};

use base::time::{format_instant, instant_of_millis};
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;

use super::{
    fault::Kind,
    retries::pause,
    sql::{self, Connection, Engine, Target},
};
use crate::{
    Store,
    error::{Error, Result},
    timeline,
    version::{Shown, last_change},
};

/// Time that a writer waits for its turn before it reports that the database is busy.
pub(crate) const WRITE_PATIENCE: Duration = Duration::from_secs(60);
/// Time between two tries. SQLite's own growing back-off could miss every [`TURN`]; this is shorter.
pub(crate) const WRITE_RETRY: Duration = Duration::from_millis(3);

/// Reports that are a few.
const FEW: usize = 16;

/// How far the last publication may be ahead of the clock without a warning: a report's `createdAt` may be
/// some minutes ahead, and clocks are corrected by seconds.
const USUAL_LEAD: TimeDelta = TimeDelta::minutes(10);
/// The time between two warnings of one process.
pub(super) const CLOCK_WARNING_EVERY: Duration = Duration::from_secs(60 * 60);

/// The pause that lets other writers in between two batches of a long change.
pub(crate) const TURN: Duration = Duration::from_millis(5);

/// A transaction. `'s` is how long the closures given to [`Store::write`] and [`Store::read`]
/// borrow their surroundings: the type `&'t mut Tx<'s>` tells the compiler that `'s` outlives `'t`.
/// Without it, closures that borrow would not compile.
#[derive(Debug)]
pub(crate) struct Tx<'s> {
    connection: Connection,
    borrowed: PhantomData<&'s ()>,
}

impl Tx<'_> {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection, borrowed: PhantomData }
    }
}

/// Other changes that a change waits for, where the engine allows several writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// For everything that publishes, withdraws, imports or rebuilds: the row of `data_version` is locked. So
    /// the order of commits is that of the log of events, and what is derived from the reports can be read,
    /// changed and written back.
    Publishing,
    /// Like `Publishing`, for a few reports. Planning its statements each time would take a quarter of the time, and the
    /// plan that was made once is good enough: at worst, a few reports look through a table that has grown since.
    PublishingFew,
    /// Like `Publishing`, in a transaction in which the engine need not look for references to deleted rows: the change
    /// has to.
    PublishingUnreferenced,
    /// For everything else that changes partners, keys and subscriptions, or forgets what is old. These changes are
    /// rare and short.
    Administration,
    /// For changes of the same rows.
    Rows,
}

impl Turn {
    fn is_publishing(self) -> bool {
        matches!(self, Self::Publishing | Self::PublishingFew | Self::PublishingUnreferenced)
    }

    /// The row of `changes` that counts these transactions. Those that wait only for who changes the same rows have
    /// none: they would wait for each other then.
    const fn counted_as(self) -> Option<&'static str> {
        match self {
            Turn::Publishing | Turn::PublishingFew | Turn::PublishingUnreferenced => {
                Some("publishing")
            }
            Turn::Administration => Some("administration"),
            Turn::Rows => None,
        }
    }
}

/// Times of a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The time of the change, in whole milliseconds: later than that of the last change that the public saw. For
    /// changes that it does not see, never earlier.
    pub now: DateTime<Utc>,
    /// What the clock says that all nodes go by: the server's, or with SQLite the machine's. It is what leases
    /// end by.
    pub clock: DateTime<Utc>,
}

/// Failure of a transaction that was not committed.
enum Failure {
    /// It was undone.
    Undone(Error),
    /// The connection was lost while it was committed: it may have been.
    Unknown(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Undone(error)
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

/// Result of a transaction, and the time for which nobody else could write.
#[derive(Debug)]
pub(crate) struct Timed<T> {
    pub done: T,
    pub held: Duration,
}

impl Store {
    /// Changes what is published: everything that `work` does or, after an error or a crash, nothing. `work`
    /// gets the time of the change, in whole milliseconds, which is later than that of the last change that
    /// the public saw.
    ///
    /// # Errors
    /// [`Error::Busy`] after a minute of waiting for other writers, and whatever `work` fails with.
    pub(crate) async fn write<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.change(Turn::Publishing, |tx, times| work(tx, times.now)).await?.done)
    }

    /// Changes this many reports; also returns for how long that kept everybody else from publishing.
    pub(crate) async fn write_reports<'s, T>(
        &self,
        reports: usize,
        work: impl for<'t> Fn(&'t mut Tx<'s>, Times) -> BoxFuture<'t, Result<T>>,
    ) -> Result<Timed<T>> {
        let turn = if reports <= FEW { Turn::PublishingFew } else { Turn::Publishing };
        self.change(turn, work).await
    }

    /// Changes what partners and the operator see, and not the public: keys, subscriptions, what is kept of the
    /// log. `work` gets the time that the clock says, whatever the time of the last publication.
    pub(crate) async fn administer<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.change(Turn::Administration, |tx, times| work(tx, times.clock)).await?.done)
    }

    /// Changes rows that `work` locks itself before it reads them. It gets the time that the clock says.
    pub(crate) async fn write_rows<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.change(Turn::Rows, |tx, times| work(tx, times.clock)).await?.done)
    }

    /// Changes data when it is its `turn`; also returns for how long.
    pub(crate) async fn change<'s, T>(
        &self,
        turn: Turn,
        work: impl for<'t> Fn(&'t mut Tx<'s>, Times) -> BoxFuture<'t, Result<T>>,
    ) -> Result<Timed<T>> {
        self.written(self.change_with_retries(turn, work).await)
    }

    async fn change_with_retries<'s, T>(
        &self,
        turn: Turn,
        work: impl for<'t> Fn(&'t mut Tx<'s>, Times) -> BoxFuture<'t, Result<T>>,
    ) -> Result<Timed<T>> {
        let (began, mut tries, mut was_full) = (Instant::now(), 0, false);
        loop {
            match self.try_to_change(turn, &work).await {
                Ok(timed) => return Ok(timed),
                Err(Failure::Undone(error)) if !was_full && self.may_have_room(&error) => {
                    was_full = true;
                }
                Err(Failure::Undone(error)) => {
                    tries += 1;
                    pause(error, tries, began).await?;
                }
                Err(Failure::Unknown(error)) => return Err(error),
            }
        }
    }

    async fn try_to_change<'s, T>(
        &self,
        turn: Turn,
        work: impl for<'t> Fn(&'t mut Tx<'s>, Times) -> BoxFuture<'t, Result<T>>,
    ) -> std::result::Result<Timed<T>, Failure> {
        let mut tx = Tx::new(self.database.begin_write(turn).await?);
        let since = self.clock.elapsed();
        let times = self.times_in(&mut tx, turn).await?;
        let is_rewound = timeline::follow(&mut tx, times.now).await?;
        let done = work(&mut tx, times).await?;
        count(&mut tx, turn).await?;
        if let Err(error) = tx.connection.commit().await {
            let error = Error::from(error);
            return Err(match matches!(error.kind(), Some(Kind::Undone | Kind::Full)) {
                true => Failure::Undone(error),
                false => Failure::Unknown(error),
            });
        }
        if is_rewound {
            tracing::warn!(
                "the database server was promoted or restored, and may lack its last changes: mirrors are told to \
                 read all reports again, and events go on with other numbers"
            );
        }
        Ok(Timed { done, held: self.clock.elapsed().saturating_sub(since) })
    }

    /// Reads data. All reads in `work` see the same state.
    pub(crate) async fn read<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let mut read = self.try_to_read(&work).await;
        // Once more, at once: the connection may have been one of a server that was restarted.
        let may_pass =
            |error: &Error| matches!(error.kind(), Some(Kind::Undone | Kind::Unreachable));
        if read.as_ref().is_err_and(may_pass) {
            read = self.try_to_read(&work).await;
        }
        self.note_end(&read);
        read
    }

    async fn try_to_read<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let mut tx = Tx::new(self.readers.begin_read().await?);
        work(&mut tx).await
    }

    /// Reads what the public is shown, of the state of the change that is returned.
    pub(crate) async fn read_shown<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>> + Copy + Send + Sync + 's,
    ) -> Result<Shown<T>> {
        self.read(move |tx| {
            Box::pin(async move {
                let last = last_change(tx).await?;
                Ok(Shown { value: work(tx).await?, last })
            })
        })
        .await
    }

    /// Changes data in one transaction without retries, in which the engine need not look for references to deleted rows:
    /// `work` has to.
    pub(crate) async fn write_unreferenced<'s, T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let turn = Turn::PublishingUnreferenced;
        let mut tx = Tx::new(self.database.begin_write(turn).await?);
        let times = self.times_in(&mut tx, turn).await?;
        timeline::follow(&mut tx, times.now).await?;
        let done = work(&mut tx).await?;
        tx.connection.commit().await?;
        Ok(done)
    }

    /// Takes the publishing lock, where a transaction that needs it does not have it from its beginning, and
    /// returns the time of this change.
    async fn times_in(&self, tx: &mut Connection, turn: Turn) -> Result<Times> {
        let last = match (tx.engine(), turn) {
            (Engine::Sqlite, _) => "SELECT changed_at, NULL FROM data_version WHERE id = 1",
            // The clock is read after the wait.
            (Engine::Postgres, turn) if turn.is_publishing() => {
                "WITH last AS MATERIALIZED (SELECT changed_at FROM data_version WHERE id = 1 FOR UPDATE)
                 SELECT changed_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM last"
            }
            (Engine::Postgres, _) => {
                "SELECT changed_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
                 FROM data_version WHERE id = 1"
            }
        };
        let (last, server): (i64, Option<i64>) = sql::query_as(last).fetch_one(tx).await?;
        let server = server.filter(|_| !self.clock.is_stepped()).map(instant_of_millis);
        let (now, last) = (server.unwrap_or_else(|| self.clock.now()), instant_of_millis(last));
        if last - now > USUAL_LEAD && self.clock_warnings.may_speak().is_some() {
            tracing::warn!(
                "the last publication was at {}, and this machine's clock says {}: until it has caught \
                 up, everything is published at that instant or just after it. What to do is in \
                 docs/operate/troubleshoot.md, under \"The clock\"",
                format_instant(last),
                format_instant(now),
            );
        }
        // A change of its own has a time of its own.
        let earliest = if turn.is_publishing() { last + TimeDelta::milliseconds(1) } else { last };
        Ok(Times { now: instant_of_millis(now.timestamp_millis()).max(earliest), clock: now })
    }
}

/// Counts a transaction that ends. Not earlier, so that the row is locked for no longer than the commit takes.
async fn count(tx: &mut Connection, turn: Turn) -> Result<()> {
    let Some(turn) = turn.counted_as() else { return Ok(()) };
    let count = sql::query("UPDATE changes SET number = number + 1 WHERE turn = $1");
    count.bind(turn.to_owned()).execute(tx).await?;
    Ok(())
}
