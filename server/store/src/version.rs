//! The numbers by which readers notice that the data has changed.

use base::time::instant_of_millis;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sqlx::AssertSqlSafe;

use super::{Result, Store};
use crate::engine::{
    announcements::Topic,
    sql::{self, Connection, Target},
};

/// The last change that the public sees, as numbers that only grow within an era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastChange {
    /// The data version: see [`Store::data_version`].
    pub version: i64,
    /// The revision of the list of reports: grows with every change that a client does not see by asking for
    /// reports published later than those it has.
    pub revision: i64,
    /// Every later change has a later time.
    pub at: DateTime<Utc>,
    /// The numbers are comparable only within one era: see [`Store::era`].
    pub era: u64,
}

impl LastChange {
    /// Since when the public has seen this on the day `today`: the time of the change, or the beginning of that day,
    /// when the counters of today changed by themselves. So what has the same time is the same, on every node.
    #[must_use]
    pub fn seen_since(&self, today: NaiveDate) -> DateTime<Utc> {
        self.at.max(today.and_time(NaiveTime::MIN).and_utc())
    }

    /// Whether `other` has changes that this lacks, as far as this process knows.
    #[must_use]
    pub fn is_before(&self, other: &Self) -> bool {
        (self.era, self.version) < (other.era, other.version)
    }
}

/// What was read, and the last change that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown<T> {
    pub value: T,
    pub last: LastChange,
}

impl Store {
    /// The data version: moves with every transaction that changes what the public sees, whichever
    /// process made it.
    pub async fn data_version(&self) -> Result<i64> {
        Ok(sql::query_scalar("SELECT version FROM data_version WHERE id = 1")
            .fetch_one(&self.readers)
            .await?)
    }

    /// The last change that the public sees.
    pub async fn last_change(&self) -> Result<LastChange> {
        self.read(|tx| Box::pin(last_change(tx))).await
    }
}

/// The last change that a transaction sees.
pub(super) async fn last_change(tx: &mut Connection) -> Result<LastChange> {
    let last = sql::query_as("SELECT version, revision, changed_at FROM data_version WHERE id = 1");
    let (version, revision, at) = last.fetch_one(&mut *tx).await?;
    Ok(LastChange { version, revision, at: instant_of_millis(at), era: tx.era() })
}

/// Moves the data version. The change has the time `at`, or a later one if the one before it has: every change has its own.
pub(super) async fn bump(tx: &mut Connection, at: DateTime<Utc>) -> Result<()> {
    let announcing = tx.engine().announcing(Topic::Data);
    sql::query(AssertSqlSafe(format!(
        "UPDATE data_version
         SET version = version + 1,
             changed_at = CASE WHEN changed_at < $1 THEN $1 ELSE changed_at + 1 END
         WHERE id = 1 {announcing}"
    )))
    .bind(at.timestamp_millis())
    .execute(tx)
    .await?;
    Ok(())
}

/// Moves the revision of the list: for every change of approved reports or of their order, except when
/// reports are published as news. Also [`bump`] the data version then.
pub(super) async fn revise(tx: &mut Connection) -> Result<()> {
    sql::query("UPDATE data_version SET revision = revision + 1 WHERE id = 1").execute(tx).await?;
    Ok(())
}

/// Gives the list a revision that it never had, for data that replaces newer data.
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
