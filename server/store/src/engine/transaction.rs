//! Transactions that read or change data.
//!
//! [`Store::write`] waits for its turn among all processes, and only then reads the clock. So the times of public
//! changes are in the order of their commits, and each is later than the one before, even if the machine's clock is set
//! back. Deadlines are different: they are compared with the clock (when a delivery is due, when a lease ends), so they
//! are taken from the clock, inside the transaction.
//!
//! SQLite has one writer at a time. With PostgreSQL, the [`Turn`] of a change selects the other changes that it waits
//! for.
//!
//! A server may roll back a transaction in favour of another, restart, or fail over. The whole transaction is then
//! retried, so `work` may be called more than once. The one exception is a connection that is lost during the commit:
//! nobody can find out whether it succeeded, so the caller gets the error.

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
    time::{Duration, Instant},
};

use base::time::{format_instant, instant_of_millis};
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::{
    fault::FaultKind,
    retries::pause,
    sql::{self, Connection, Engine, Target},
};
use crate::{
    Store,
    error::{Error, Result},
    timeline::{self, Histories},
    version::{Versioned, last_change},
};

/// Maximum time that a writer waits for its turn before it reports that the database is busy.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval between two attempts. SQLite's own growing back-off could miss every [`TURN`]; this is shorter.
pub(crate) const WRITE_RETRY: Duration = Duration::from_millis(3);

/// Maximum number of reports in a change that uses the prepared plan.
const MAX_PREPARED_ROWS: usize = 16;

/// Lead of the last publication over the clock that causes no warning: a report's `createdAt` may be some minutes
/// ahead, and clocks are corrected by seconds.
const USUAL_LEAD: TimeDelta = TimeDelta::minutes(10);
/// Interval between two warnings of one process.
pub(super) const CLOCK_WARNING_EVERY: Duration = Duration::from_secs(60 * 60);

/// Pause between two batches of a long change, in which other writers get their turn.
pub(crate) const TURN: Duration = Duration::from_millis(5);

/// Transaction. `'s` is the lifetime of the borrows in closures given to [`Store::write`] and [`Store::read`]: the type
/// `&'t mut Tx<'s>` guarantees to the compiler that `'s` outlives `'t`. Without it, closures that borrow would not
/// compile.
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

/// Other changes that a change waits for, if the engine allows several writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// For all changes that publish, withdraw, import or rebuild: the row of `data_version` is locked. So commits are
    /// in the order of the event log, and data derived from the reports can be read, changed and written back.
    Publishing,
    /// Like `Publishing`, for a few reports. Planning the statements each time would take a quarter of the time, and a
    /// cached plan is good enough: at worst, it scans a table that has grown since, for a few reports.
    PublishingFew,
    /// Like `Publishing`, in a transaction without foreign key checks: the change itself has to check for references to
    /// deleted rows.
    PublishingUnreferenced,
    /// For all other changes of partners, keys and subscriptions, and for pruning. These changes are rare and short.
    Administration,
    /// For changes that only conflict on the same rows.
    Rows,
}

impl Turn {
    fn is_publishing(self) -> bool {
        matches!(self, Self::Publishing | Self::PublishingFew | Self::PublishingUnreferenced)
    }

    /// Row of `changes` that counts these transactions. Transactions that only conflict on the same rows have none,
    /// because a shared counter would make them wait for each other.
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
    /// Time of the change, in whole milliseconds. For a public change, it is later than that of the last public change;
    /// for others, not earlier.
    pub now: DateTime<Utc>,
    /// Time of the clock that all nodes share: the server's, or with SQLite the machine's. Leases are compared with it.
    pub clock: DateTime<Utc>,
}

/// Failure of a transaction that was not committed, or may not have been.
enum Failure {
    /// The transaction was rolled back.
    Undone(Error),
    /// The connection was lost during the commit, which may have succeeded.
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

/// Result of a transaction, and the time during which nobody else could write.
#[derive(Debug)]
pub(crate) struct Timed<T> {
    pub done: T,
    pub held: Duration,
}

impl Store {
    /// Changes published data. Commits everything that `work` does or, after an error or a crash, nothing. `work`
    /// receives the time of the change, in whole milliseconds, which is later than that of the last public change.
    ///
    /// # Errors
    /// [`Error::Busy`] after a minute of waiting for other writers, and errors of `work`.
    pub(crate) async fn write<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.change(Turn::Publishing, |tx, times| work(tx, times.now)).await?.done)
    }

    /// Changes this many reports. Also returns the time during which nobody else could publish.
    pub(crate) async fn write_reports<'s, T>(
        &self,
        reports: usize,
        work: impl for<'t> Fn(&'t mut Tx<'s>, Times) -> BoxFuture<'t, Result<T>>,
    ) -> Result<Timed<T>> {
        let turn =
            if reports <= MAX_PREPARED_ROWS { Turn::PublishingFew } else { Turn::Publishing };
        self.change(turn, work).await
    }

    /// Changes data that only partners and the operator see: keys, subscriptions, the retained part of the log. `work`
    /// receives the time of the clock, regardless of the last publication.
    pub(crate) async fn administer<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.change(Turn::Administration, |tx, times| work(tx, times.clock)).await?.done)
    }

    /// Changes rows that `work` itself locks before it reads them. `work` receives the time of the clock.
    pub(crate) async fn write_rows<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        Ok(self.change(Turn::Rows, |tx, times| work(tx, times.clock)).await?.done)
    }

    /// Changes data when it is its `turn`. Also returns the time during which nobody else could write.
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
        let (times, histories) = self.take_turn(&mut tx, turn).await?;
        let is_rewound = timeline::follow(&mut tx, histories, times.now).await?;
        let done = work(&mut tx, times).await?;
        self.note_effect(&mut tx, times.clock).await?;
        count(&mut tx, turn).await?;
        if let Err(error) = tx.connection.commit().await {
            let error = Error::from(error);
            return Err(match matches!(error.kind(), Some(FaultKind::Undone | FaultKind::Full)) {
                true => Failure::Undone(error),
                false => Failure::Unknown(error),
            });
        }
        if is_rewound {
            tracing::warn!(
                "the database server was promoted or restored, and may lack its last changes: mirrors will read all \
                    reports again, and events continue with other numbers"
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
        // Retries once, immediately: the connection may have been to a server that was restarted.
        let may_pass = |error: &Error| {
            matches!(error.kind(), Some(FaultKind::Undone | FaultKind::Unreachable))
        };
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

    /// Reads public data, together with the last change in the same state.
    pub(crate) async fn read_shown<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>> + Copy + Send + Sync + 's,
    ) -> Result<Versioned<T>> {
        self.read(move |tx| {
            Box::pin(async move {
                let last = last_change(tx).await?;
                Ok(Versioned { value: work(tx).await?, last })
            })
        })
        .await
    }

    /// Changes data in one transaction without retries and without foreign key checks: `work` has to check for
    /// references to deleted rows.
    pub(crate) async fn write_unreferenced<'s, T>(
        &self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        let turn = Turn::PublishingUnreferenced;
        let mut tx = Tx::new(self.database.begin_write(turn).await?);
        let (times, histories) = self.take_turn(&mut tx, turn).await?;
        timeline::follow(&mut tx, histories, times.now).await?;
        let done = work(&mut tx).await?;
        tx.connection.commit().await?;
        Ok(done)
    }

    /// Takes the publishing lock if the transaction needs it and does not have it yet, and counts a transaction that
    /// publishes. Returns the time of this change, and the histories. All in one statement: others that publish wait
    /// for every round trip.
    async fn take_turn(
        &self,
        tx: &mut Connection,
        turn: Turn,
    ) -> Result<(Times, Option<Histories>)> {
        let (last, server, histories) = match tx.engine() {
            Engine::Sqlite => (sql::query_scalar(LAST).fetch_one(tx).await?, None, None),
            Engine::Postgres => {
                let Taken { changed_at, clock, histories } = taken(tx, turn).await?;
                (changed_at, Some(clock), Some(histories))
            }
        };
        let server = server.filter(|_| !self.clock.is_stepped()).map(instant_of_millis);
        let (now, last) = (server.unwrap_or_else(|| self.clock.now()), instant_of_millis(last));
        if last - now > USUAL_LEAD && self.clock_warnings.may_speak().is_some() {
            tracing::warn!(
                "the last publication was at {}, but this machine's clock is at {}: until it has caught up, reports \
                    are published at that instant or just after it. See docs/operate/troubleshoot.md, under \"The \
                    clock\"",
                format_instant(last),
                format_instant(now),
            );
        }
        // Each public change has a unique time.
        let earliest = if turn.is_publishing() { last + TimeDelta::milliseconds(1) } else { last };
        let now =
            Times { now: instant_of_millis(now.timestamp_millis()).max(earliest), clock: now };
        Ok((now, histories))
    }
}

/// State at the beginning of a transaction.
#[derive(sqlx::FromRow)]
struct Taken {
    /// Time of the last public change.
    changed_at: i64,
    /// Time of the server, after the wait for the lock.
    clock: i64,
    #[sqlx(flatten)]
    histories: Histories,
}

async fn taken(tx: &mut Connection, turn: Turn) -> Result<Taken> {
    let publishing = turn.counted_as().filter(|_| turn.is_publishing());
    let (lock, count) = match publishing {
        Some(_) => ("FOR UPDATE", format!(", counted AS ({COUNT})")),
        None => ("", String::new()),
    };
    // The clock is read last, so after the wait.
    let query = sql::query_as(AssertSqlSafe(format!(
        "WITH last AS MATERIALIZED ({LAST} {lock}), histories AS ({}){count}
         SELECT changed_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock, histories.*
         FROM last CROSS JOIN histories",
        Histories::SELECT
    )));
    let query = match publishing {
        Some(turn) => query.bind(turn.to_owned()),
        None => query,
    };
    Ok(query.fetch_one(tx).await?)
}

/// Selects the time of the last public change.
const LAST: &str = "SELECT changed_at FROM data_version WHERE id = 1";

/// Counts a transaction of the turn `$1`.
const COUNT: &str = "UPDATE changes SET number = number + 1 WHERE turn = $1";

/// Counts a transaction just before its commit, so that the row is locked for no longer than the commit takes. Those
/// that publish were counted when they took their turn.
async fn count(tx: &mut Connection, turn: Turn) -> Result<()> {
    if tx.engine() == Engine::Postgres && turn.is_publishing() {
        return Ok(());
    }
    let Some(turn) = turn.counted_as() else { return Ok(()) };
    sql::query(COUNT).bind(turn.to_owned()).execute(tx).await?;
    Ok(())
}
