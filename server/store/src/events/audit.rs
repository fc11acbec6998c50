//! Checks for and removes orphaned deliveries and attempts, as [derived data](crate::derived).

use sqlx::AssertSqlSafe;

use crate::{
    derived::{Derived, Difference, Found, Rebuilt},
    engine::sql::{self, Connection},
    error::Result,
};

/// Table of the orphaned rows, name of the missing rows, and the condition that finds the orphans.
const KINDS: [(&str, &str, &str); 3] = [
    (
        "deliveries",
        "their events",
        "NOT EXISTS (SELECT 1 FROM events e WHERE e.seq = deliveries.event_seq)",
    ),
    (
        "deliveries",
        "their subscriptions",
        "NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.seq = deliveries.subscription_seq)",
    ),
    (
        "attempts",
        "their deliveries",
        "NOT EXISTS (SELECT 1 FROM deliveries d
                     WHERE d.subscription_seq = attempts.subscription_seq
                       AND d.event_seq = attempts.event_seq)",
    ),
];

/// Check that deliveries and attempts refer to existing rows.
pub(crate) struct Orphans;

impl Derived for Orphans {
    type Fault = ();
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.orphans;

    async fn compare(tx: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        for (table, without, condition) in KINDS {
            let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
            let count: i64 = sql::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *tx).await?;
            if count > 0 {
                let stored = format!("{count} without");
                found.differ(|_| Difference::new(table, without, stored, "none without"));
                found.add(());
            }
        }
        Ok(())
    }

    /// Deletes the orphans: no partner can be notified of a deleted event. Attempts of a deleted
    /// delivery are deleted too.
    async fn correct(tx: &mut Connection, _: &[()]) -> Result<u64> {
        let mut removed = 0;
        for (table, _, condition) in KINDS {
            let sql = format!("DELETE FROM {table} WHERE {condition}");
            removed += sql::query(AssertSqlSafe(sql)).execute(&mut *tx).await?;
        }
        Ok(removed)
    }
}
