//! Pruning of old events and deliveries, in steps so small that writers do not wait.
//!
//! A pass covers the deliveries of one subscription after another, oldest event first, and then the
//! events. Expired rows are searched for without blocking writers. Rows to keep are read once per
//! pass, so the number of kept rows does not slow down the steps.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use sqlx::AssertSqlSafe;

use super::log;
use crate::{
    areas,
    engine::{
        postgres::PRUNING_LOCK,
        sql::{self, Connection, Pool},
    },
    error::Result,
};

/// Maximum number of deliveries or events that one step examines or removes.
const AT_ONCE: i64 = if cfg!(test) { 4 } else { 1_000 };
/// Number of attempts after which a step adds no more deliveries. Few deliveries have more than one
/// attempt.
const ATTEMPTS_AT_ONCE: i64 = if cfg!(test) { 8 } else { 2_000 };

/// Extra time for which events not yet sent to an active subscription are kept. A subscription is
/// disabled after five days of failures. Failures on our side do not count, however, and a name
/// that only its own DNS servers fail to resolve looks like one. Without a limit, such an endpoint
/// would make the log grow forever.
const UNSENT_GRACE: TimeDelta = TimeDelta::days(7);

/// Numbers of the last events that are old enough to prune.
#[derive(Clone, Copy, Debug)]
struct Old {
    /// Last event to prune. Events that reach this age during a pass are left to the next pass.
    last: i64,
    /// Last event to prune even if a subscription has not been sent it.
    given_up: i64,
}

/// Range of a subscription's deliveries: events after `after`, up to `up_to`.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    subscription: i64,
    is_deleted: bool,
    after: i64,
    up_to: i64,
    given_up: i64,
}

impl areas::EventLog<'_> {
    /// Removes old data: finished events from before `cutoff` with their deliveries and attempts,
    /// and all remaining data of deleted subscriptions. Waits for `pause` after each step.
    ///
    /// Events not yet sent to an active subscription are kept a week longer.
    pub async fn prune<F: Future<Output = ()>>(
        self,
        cutoff: DateTime<Utc>,
        pause: impl Fn() -> F,
    ) -> Result<()> {
        let Some(lock) = self.lock_pruning().await? else { return Ok(()) };
        let old = self.store.read(move |tx| Box::pin(old(tx, cutoff))).await?;
        let mut after = 0;
        while let Some(mut stretch) =
            self.store.read(move |tx| Box::pin(next_subscription(tx, after, old))).await?
        {
            after = stretch.subscription;
            while let Some((last, is_any_over)) =
                self.store.read(move |tx| Box::pin(examine(tx, stretch))).await?
            {
                if is_any_over {
                    let over = Stretch { up_to: last, ..stretch };
                    let forget =
                        self.store.administer(move |tx, _| Box::pin(forget_deliveries(tx, over)));
                    forget.await?;
                    self.end_step(&pause).await?;
                }
                stretch.after = last;
            }
            if stretch.is_deleted {
                self.store
                    .administer(move |tx, _| Box::pin(forget_subscription(tx, after)))
                    .await?;
                self.end_step(&pause).await?;
            }
        }
        while self.store.read(move |tx| Box::pin(last_to_forget(tx, old))).await?.is_some() {
            self.store.administer(move |tx, _| Box::pin(forget_events(tx, old))).await?;
            self.end_step(&pause).await?;
        }
        if let Some(lock) = lock {
            lock.commit().await?;
        }
        Ok(())
    }

    async fn end_step<F: Future<Output = ()>>(self, pause: impl Fn() -> F) -> Result<()> {
        // Ids of consecutive events are spread over their whole index, so each step changes many
        // pages.
        self.store.checkpoint().await?;
        pause().await;
        Ok(())
    }

    /// Locks pruning for this node. Returns `None` if another node is pruning. Locks nothing on
    /// SQLite, where writers have exclusive access anyway.
    async fn lock_pruning(self) -> Result<Option<Option<Connection>>> {
        let Pool::Postgres(pool, _) = &self.store.background else { return Ok(Some(None)) };
        // Between statements, a transaction with this isolation level holds no snapshot, so the
        // server can vacuum old rows.
        let begun = pool.begin("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY").boxed();
        let mut lock = Connection::Postgres(begun.await?);
        let is_free = sql::query_scalar("SELECT pg_try_advisory_xact_lock($1)").bind(PRUNING_LOCK);
        let is_free: bool = is_free.fetch_one(&mut lock).await?;
        Ok(is_free.then_some(Some(lock)))
    }
}

async fn old(tx: &mut Connection, cutoff: DateTime<Utc>) -> Result<Old> {
    let last = log::last_before(tx, cutoff.timestamp_millis()).await?.unwrap_or_default();
    let given_up = log::last_before(tx, (cutoff - UNSENT_GRACE).timestamp_millis()).await?;
    Ok(Old { last, given_up: given_up.unwrap_or_default() })
}

/// Selects the next subscription that is deleted or has deliveries up to an event.
///
/// Uses the first delivery from the index: for `EXISTS`, PostgreSQL may read the table from the
/// start.
pub(super) const NEXT_SUBSCRIPTION: &str = "
    SELECT s.seq, s.status = 'DELETED' FROM subscriptions s
    WHERE s.seq > $1
      AND (s.status = 'DELETED'
           OR (SELECT min(d.event_seq) FROM deliveries d WHERE d.subscription_seq = s.seq) <= $2)
    ORDER BY s.seq LIMIT 1";

async fn next_subscription(
    tx: &mut Connection,
    after: i64,
    Old { last, given_up }: Old,
) -> Result<Option<Stretch>> {
    let next: Option<(i64, bool)> =
        sql::query_as(NEXT_SUBSCRIPTION).bind(after).bind(last).fetch_optional(tx).await?;
    Ok(next.map(|(subscription, is_deleted)| {
        let up_to = if is_deleted { i64::MAX } else { last };
        Stretch { subscription, is_deleted, after: 0, up_to, given_up }
    }))
}

/// Selects some deliveries of a stretch and whether each can be removed: it is not pending, its
/// subscription is not active, or its event number is at most `$5`.
pub(super) const EXAMINED: &str = "
    SELECT d.event_seq, d.attempts,
           d.status <> 'PENDING' OR s.status <> 'ACTIVE' OR d.event_seq <= $5
    FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq
    WHERE d.subscription_seq = $1 AND d.event_seq > $2 AND d.event_seq <= $3
    ORDER BY d.event_seq LIMIT $4";

/// Examines the first deliveries of a stretch, limited to one short read. Returns the event of the
/// last one, if there are any, and whether some can be removed.
async fn examine(tx: &mut Connection, stretch: Stretch) -> Result<Option<(i64, bool)>> {
    let rows: Vec<(i64, i64, bool)> = sql::query_as(EXAMINED)
        .bind(stretch.subscription)
        .bind(stretch.after)
        .bind(stretch.up_to)
        .bind(AT_ONCE)
        .bind(stretch.given_up)
        .fetch_all(tx)
        .await?;
    let (mut last, mut attempts, mut is_any_over) = (None, 0, false);
    for (event, tried, is_over) in rows {
        last = Some(event);
        if is_over {
            is_any_over = true;
            attempts += tried;
        }
        if attempts >= ATTEMPTS_AT_ONCE {
            break;
        }
    }
    Ok(last.map(|last| (last, is_any_over)))
}

/// Selects the limits of pruning: the lowest cursor of the active subscriptions, and the first
/// event up to `$1` for which one of them has a delivery. Finished deliveries are gone at that
/// point, so the remaining ones wait for a retry.
pub(super) const KEPT: &str = "
    SELECT min(s.cursor),
           min((SELECT d.event_seq FROM deliveries d
                WHERE d.subscription_seq = s.seq AND d.event_seq <= $1
                ORDER BY d.event_seq LIMIT 1))
    FROM subscriptions s WHERE s.status = 'ACTIVE'";

pub(super) const OLDEST_EVENT: &str = "SELECT min(seq) FROM events";

/// Returns the number of the last old event that no subscription needs or that is given up; `None`
/// if no such event is left.
async fn last_to_forget(tx: &mut Connection, Old { last, given_up }: Old) -> Result<Option<i64>> {
    let (cursor, retried): (Option<i64>, Option<i64>) =
        sql::query_as(KEPT).bind(last).fetch_one(&mut *tx).await?;
    let kept = cursor.into_iter().chain(retried.map(|retried| retried - 1)).min();
    let up_to = kept.map_or(last, |kept| last.min(kept)).max(given_up);
    let oldest: Option<i64> = sql::query_scalar(OLDEST_EVENT).fetch_one(tx).await?;
    Ok(oldest.filter(|oldest| *oldest <= up_to).map(|_| up_to))
}

/// Returns the statement that deletes the removable deliveries of a stretch, or their attempts, from
/// `table`. It checks the status again, because a delivery may have been made due since it was
/// examined.
pub(super) fn forget_from(table: &str) -> String {
    format!(
        "DELETE FROM {table} WHERE subscription_seq = $1 AND event_seq IN (
             SELECT d.event_seq
             FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq
             WHERE d.subscription_seq = $1 AND d.event_seq > $2 AND d.event_seq <= $3
               AND (d.status <> 'PENDING' OR s.status <> 'ACTIVE' OR d.event_seq <= $5)
             ORDER BY d.event_seq LIMIT $4)"
    )
}

async fn forget_deliveries(tx: &mut Connection, stretch: Stretch) -> Result<()> {
    for table in ["attempts", "deliveries"] {
        sql::query(AssertSqlSafe(forget_from(table)))
            .bind(stretch.subscription)
            .bind(stretch.after)
            .bind(stretch.up_to)
            .bind(AT_ONCE)
            .bind(stretch.given_up)
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

pub(super) const FORGET_SUBSCRIPTION: &str = "
    DELETE FROM subscriptions
    WHERE seq = $1 AND status = 'DELETED'
      AND (SELECT min(event_seq) FROM deliveries WHERE subscription_seq = $1) IS NULL";

async fn forget_subscription(tx: &mut Connection, seq: i64) -> Result<()> {
    sql::query(FORGET_SUBSCRIPTION).bind(seq).execute(tx).await?;
    Ok(())
}

/// Selects the last of the oldest events, up to a given one.
pub(super) const LAST_OF_OLDEST: &str = "
    SELECT max(seq) FROM (SELECT seq FROM events WHERE seq <= $1 ORDER BY seq LIMIT $2) AS oldest";

pub(super) const FORGET_EVENTS: &str = "DELETE FROM events WHERE seq <= $1";

async fn forget_events(tx: &mut Connection, old: Old) -> Result<()> {
    // Reads the limit again, because a subscription may have been enabled since.
    let Some(up_to) = last_to_forget(tx, old).await? else { return Ok(()) };
    let last: Option<i64> =
        sql::query_scalar(LAST_OF_OLDEST).bind(up_to).bind(AT_ONCE).fetch_one(&mut *tx).await?;
    let Some(last) = last else { return Ok(()) };
    sql::query("UPDATE event_log SET pruned_up_to = $1 WHERE id = 1 AND pruned_up_to < $1")
        .bind(last)
        .execute(&mut *tx)
        .await?;
    sql::query(FORGET_EVENTS).bind(last).execute(tx).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        cell::RefCell,
        sync::{
            Arc,
            atomic::{AtomicU64, Ordering::Relaxed},
        },
    };

    use super::*;
    use crate::Store;
    use crate::testing::Scratch;

    /// Counts the SQLite instructions of write transactions from now on, in hundreds.
    async fn watch_writes(store: &Store) -> Arc<AtomicU64> {
        let taken = Arc::new(AtomicU64::new(0));
        let sqlite = store.sqlite("counts instructions").unwrap();
        let mut writer = sqlite.writer.acquire().await.unwrap();
        let counted = Arc::clone(&taken);
        writer.lock_handle().await.unwrap().set_progress_handler(100, move || {
            counted.fetch_add(1, Relaxed);
            true
        });
        taken
    }

    /// Inserts a subscription with `waiting` old deliveries that wait for a retry, followed by ten
    /// finished deliveries with twelve attempts each.
    async fn fill(store: &Store, waiting: i64) {
        store.run("INSERT INTO partners (name, created_at) VALUES ('partner', 0)").await;
        store.run("INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated, status,
                                        created_at, cursor)
             VALUES ('sub_1', 1, 'http://127.0.0.1:9/', 1, 0, 'ACTIVE', 0, 1000000)",
        )
        .await;
        let deliveries = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {waiting} + 10)
             INSERT INTO deliveries (subscription_seq, event_seq, status, attempts, due_at)
             SELECT 1, i, CASE WHEN i > {waiting} THEN 'FAILED' ELSE 'PENDING' END, 12,
                    CASE WHEN i <= {waiting} THEN 0 END FROM n",
        );
        store.run(&deliveries).await;
        for sql in [
            "INSERT INTO events (seq, id, name, body, created_at)
             SELECT event_seq, 'evt_' || event_seq, 'report.created', x'7b7d', 0 FROM deliveries",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
             INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code)
             SELECT subscription_seq, event_seq, i, 0, 1, 500 FROM deliveries CROSS JOIN n
             WHERE status = 'FAILED'",
        ] {
            store.run(sql).await;
        }
    }

    /// Returns the instructions of the most expensive step, in hundreds, and the number of
    /// remaining attempts after each step.
    async fn steps(waiting: i64) -> (u64, Vec<i64>) {
        let store = Scratch::sqlite().await;
        fill(&store, waiting).await;
        let taken = watch_writes(&store).await;
        let (most, attempts) = (AtomicU64::new(0), RefCell::new(Vec::new()));
        let look = || async {
            most.fetch_max(taken.swap(0, Relaxed), Relaxed);
            let left = store.value("SELECT count(*) FROM attempts").await;
            attempts.borrow_mut().push(left);
        };
        let cutoff = DateTime::from_timestamp_millis(1).unwrap();
        store.event_log().prune(cutoff, look).await.unwrap();
        let left = store.value("SELECT count(*) FROM deliveries").await;
        assert_eq!(left, waiting);
        let seen = (most.load(Relaxed), attempts.take());
        store.close().await;
        seen
    }

    #[tokio::test]
    async fn the_journal_does_not_grow_however_many_steps_there_are() {
        let store = Scratch::sqlite().await;
        let file = store.file().unwrap().to_owned();
        store
            .run(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
             INSERT INTO events (id, name, body, created_at)
             SELECT hex(randomblob(16)), 'report.created', zeroblob(500), 0 FROM n",
            )
            .await;
        // The journal has room for dozens of steps from now on, and all of it is in the database. A
        // step adds to the journal, instead of starting it over, if a read has not quite ended.
        store.checkpoint().await.unwrap();
        let journal = || std::fs::metadata(file.with_extension("db-wal")).unwrap().len();
        let before = journal();
        let cutoff = DateTime::from_timestamp_millis(1).unwrap();
        let sizes = RefCell::new(Vec::new());
        let look = || async { sizes.borrow_mut().push(journal()) };
        store.event_log().prune(cutoff, look).await.unwrap();
        assert_eq!(sizes.take(), [before; 250]);
        store.close().await;
    }

    #[tokio::test]
    async fn a_step_takes_no_longer_however_much_waits_before_what_it_removes() {
        let (few, _) = steps(10).await;
        let (many, _) = steps(20_000).await;
        assert!(many <= few + 2, "{many} hundred instructions instead of {few}");
    }

    #[tokio::test]
    async fn a_step_removes_fewer_deliveries_if_they_have_many_attempts() {
        let (_, attempts) = steps(3).await;
        assert_eq!(attempts, [108, 96, 84, 72, 60, 48, 36, 24, 12, 0]);
    }
}
