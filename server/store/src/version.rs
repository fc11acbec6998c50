//! Version numbers that show readers that the data has changed.

use base::time::instant_of_millis;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::{Result, Store};
use crate::engine::{
    announcements::Topic,
    sql::{self, Connection, Target},
    writes::Writes,
};

/// Last public change, as numbers that only grow within an era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastChange {
    /// Data version: see [`Store::data_version`].
    pub version: i64,
    /// Revision of the list of reports. Grows with every change that a client misses if it only requests reports
    /// published after those it has.
    pub revision: i64,
    /// Time of the change. Every later change has a later time.
    pub at: DateTime<Utc>,
    /// Era, within which the numbers are comparable: see [`Store::era`].
    pub era: u64,
}

impl LastChange {
    /// Time since which the public has seen this state on the day `today`: the time of the change, or the beginning of
    /// that day if that is later, because it changes today's counters. On every node, an equal time means an equal
    /// state.
    #[must_use]
    pub fn seen_since(&self, today: NaiveDate) -> DateTime<Utc> {
        self.at.max(today.and_time(NaiveTime::MIN).and_utc())
    }

    /// Whether `other` has changes that this state lacks, as far as this process can detect.
    #[must_use]
    pub fn is_before(&self, other: &Self) -> bool {
        (self.era, self.version) < (other.era, other.version)
    }
}

/// Data that was read, and the last change it includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versioned<T> {
    pub value: T,
    pub last: LastChange,
}

impl Store {
    /// Data version. It changes with every transaction of any process that changes public data.
    pub async fn data_version(&self) -> Result<i64> {
        Ok(sql::query_scalar("SELECT version FROM data_version WHERE id = 1")
            .fetch_one(&self.readers)
            .await?)
    }

    /// Last public change.
    pub async fn last_change(&self) -> Result<LastChange> {
        self.read(|tx| Box::pin(last_change(tx))).await
    }
}

/// Last public change that a transaction sees.
pub(super) async fn last_change(tx: &mut Connection) -> Result<LastChange> {
    let last = sql::query_as("SELECT version, revision, changed_at FROM data_version WHERE id = 1");
    let (version, revision, at) = last.fetch_one(&mut *tx).await?;
    Ok(LastChange { version, revision, at: instant_of_millis(at), era: tx.era() })
}

/// Increments the data version. The time of the change is `at`, or later if the previous change already has that time:
/// every change has a unique time.
pub(super) async fn bump(tx: &mut Connection, at: DateTime<Utc>) -> Result<()> {
    let mut writes = Writes::default();
    bump_with(tx, &mut writes, at).await?;
    writes.send(tx).await
}

/// Like [`bump`], when `writes` are sent.
pub(super) async fn bump_with(
    tx: &mut Connection,
    writes: &mut Writes,
    at: DateTime<Utc>,
) -> Result<()> {
    let tail = format!(
        ") UPDATE data_version
           SET version = version + 1,
               changed_at = CASE WHEN changed_at < change.at THEN change.at ELSE changed_at + 1 END
           FROM change WHERE id = 1 {}",
        tx.engine().announcing(Topic::Data)
    );
    let at = [at.timestamp_millis()];
    writes.insert(tx, "WITH change (at) AS (", &tail, &at, |row, at| row.bind(*at)).await
}

/// Increments the revision of the list. Call it for every change of approved reports or of their order, except when
/// reports are published as news, and call [`bump`] too.
pub(super) async fn revise(tx: &mut Connection) -> Result<()> {
    sql::query("UPDATE data_version SET revision = revision + 1 WHERE id = 1").execute(tx).await?;
    Ok(())
}

/// Gives the list a revision that it never had before, for data that replaces newer data.
pub(super) async fn replace<'c>(target: impl Into<Target<'c>>, now: DateTime<Utc>) -> Result<()> {
    sql::query(
        "UPDATE data_version
         SET revision = CASE WHEN revision < $1 THEN $1 ELSE revision + 1 END
         WHERE id = 1",
    )
    .bind(now.timestamp_millis())
    .execute(target)
    .await?;
    Ok(())
}
