//! Orphaned deliveries and attempts.

use sqlx::AssertSqlSafe;

use crate::{
    engine::sql::{self, Connection},
    error::Result,
};

/// Rows that refer to others that are not there.
#[derive(Debug)]
pub(crate) struct Orphans {
    /// What they are.
    pub what: &'static str,
    /// What they are without, such as `their events`.
    pub without: &'static str,
    pub count: u64,
}

/// What the rows are, what they are without, their table, and a condition that finds them.
const KINDS: [(&str, &str, &str, &str); 3] = [
    (
        "deliveries",
        "their events",
        "deliveries",
        "NOT EXISTS (SELECT 1 FROM events e WHERE e.seq = deliveries.event_seq)",
    ),
    (
        "deliveries",
        "their subscriptions",
        "deliveries",
        "NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.seq = deliveries.subscription_seq)",
    ),
    (
        "attempts",
        "their deliveries",
        "attempts",
        "NOT EXISTS (SELECT 1 FROM deliveries d
                     WHERE d.subscription_seq = attempts.subscription_seq
                       AND d.event_seq = attempts.event_seq)",
    ),
];

/// The rows that belong to nothing.
pub(crate) async fn orphans(tx: &mut Connection) -> Result<Vec<Orphans>> {
    let mut orphans = Vec::new();
    for (what, without, table, condition) in KINDS {
        let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
        let count: i64 = sql::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *tx).await?;
        if count > 0 {
            orphans.push(Orphans { what, without, count: count.cast_unsigned() });
        }
    }
    Ok(orphans)
}

/// Removes them: nobody can be told of an event that is gone. Returns how many there were.
pub(crate) async fn remove_orphans(tx: &mut Connection) -> Result<u64> {
    let mut removed = 0;
    for (_, _, table, condition) in KINDS {
        let sql = format!("DELETE FROM {table} WHERE {condition}");
        removed += sql::query(AssertSqlSafe(sql)).execute(&mut *tx).await?;
    }
    Ok(removed)
}
