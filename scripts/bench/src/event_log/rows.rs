//! The rows of a long event log, as the service would have written them in 40 days. Generating them
//! by the service would take hours.

use anyhow::{Result, ensure};
use base::clock::Clock;
use sqlx::{Connection, Executor, SqliteConnection};

/// Minimum number of events, so that no two of the rows below refer to the same event.
const FEWEST: u64 = 400_000;

/// Statements over the table `sizes`: `n` events within `span` milliseconds before `now`.
const STATEMENTS: [&str; 10] = [
    // Ids are spread like those of the service, so that consecutive events are far apart in the
    // index.
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT n FROM sizes))
     INSERT INTO events (seq, id, name, body, created_at, place, type)
     SELECT i, 'evt_' || substr(hex(randomblob(11)), 1, 22),
            CASE i % 2 WHEN 1 THEN 'report.created' ELSE 'metrics.updated' END,
            CAST(CASE i % 2 WHEN 1 THEN printf(
                '{\"event\":\"report.created\",\"timestamp\":\"2026-03-01T12:00:00.000Z\",\"data\":{\"id\":\"rep-%d\",\"city\":\"City %d\",\"country\":\"Brazil\",\"peopleCount\":1,\"type\":\"spirit\",\"createdAt\":\"2026-03-01T12:00:00.000Z\",\"status\":\"APPROVED\"}}',
                i, i % 5000)
            ELSE printf(
                '{\"event\":\"metrics.updated\",\"timestamp\":\"2026-03-01T12:00:00.000Z\",\"data\":{\"total\":%d,\"spirit\":%d,\"water\":0,\"both\":0,\"totalToday\":1,\"spiritToday\":1,\"waterToday\":0,\"bothToday\":0,\"countries\":1,\"cities\":5000,\"updatedAt\":\"2026-03-01T12:00:00.000Z\"}}',
                i / 2, i / 2)
            END AS BLOB),
            s.now - s.span + i * (s.span / s.n),
            CASE i % 2 WHEN 1 THEN printf('BR%scity %d', char(10, 10), i % 5000) END,
            CASE i % 2 WHEN 1 THEN 'spirit' END
     FROM n CROSS JOIN sizes s",
    "UPDATE subscriptions SET cursor = (SELECT n FROM sizes)",
    // Paused subscriptions, up to five days behind; after that they would be disabled.
    "UPDATE subscriptions
     SET cursor = s.n - s.n / 8 + s.n / 8 * subscriptions.seq / 1000, failures = 5, probes = 6,
         failing_since = s.now - 345600000, last_failure_at = s.now, paused_until = s.now + 3600000
     FROM sizes s WHERE subscriptions.seq % 20 = 1",
    "UPDATE subscriptions
     SET status = 'DELETED', secret = NULL, secret_key = NULL WHERE seq = 4",
    // Each subscription has received 5,000 of the events, the deleted one also others.
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
     INSERT INTO deliveries (subscription_seq, event_seq, status, attempts)
     SELECT f.seq, 1 + n.i * (s.n / 5000), 'DELIVERED', 1
     FROM subscriptions f CROSS JOIN n CROSS JOIN sizes s",
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199999)
     INSERT INTO deliveries (subscription_seq, event_seq, status, attempts)
     SELECT 4, 2 + n.i * (s.n / 200000), 'DELIVERED', 1 FROM n CROSS JOIN sizes s",
    // Ten subscriptions have 20,000 events that failed for good.
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
     INSERT INTO deliveries (subscription_seq, event_seq, status, attempts, failures)
     SELECT f.seq, 2 + n.i * (s.n / 20000), 'FAILED', 10, 10
     FROM subscriptions f CROSS JOIN n CROSS JOIN sizes s WHERE f.seq % 100 = 2
     ON CONFLICT DO NOTHING",
    // A paused subscription has requested a retry of failed events, a tenth of the log; some of
    // them are old.
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT n / 10 FROM sizes))
     INSERT INTO deliveries (subscription_seq, event_seq, status, attempts, due_at)
     SELECT 21, s.n / 10 + 8 * n.i + 4, 'PENDING', 1, s.now + n.i % 1000
     FROM n CROSS JOIN sizes s WHERE true
     ON CONFLICT DO NOTHING",
    "INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code)
     SELECT subscription_seq, event_seq, 1, 0, 3, CASE status WHEN 'DELIVERED' THEN 200 ELSE 500 END
     FROM deliveries",
    "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
     INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code)
     SELECT d.subscription_seq, d.event_seq, n.i, 0, 3, 500
     FROM subscriptions f JOIN deliveries d ON d.subscription_seq = f.seq CROSS JOIN n
     WHERE f.seq % 100 = 2 AND d.status = 'FAILED'",
];

/// Runs the engine's integrity check.
pub(super) async fn check(url: &str) -> Result<()> {
    let mut connection = SqliteConnection::connect(url).await?;
    let found: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await?;
    ensure!(found == ["ok"], "the database is damaged: {found:?}");
    Ok(connection.close().await?)
}

/// Writes a log of `events` events, with the deliveries of 1,000 subscriptions.
pub(super) async fn write(url: &str, events: u64) -> Result<()> {
    ensure!(events >= FEWEST, "a log has at least {FEWEST} events");
    let mut connection = SqliteConnection::connect(url).await?;
    // Not durable: a crash may corrupt the database.
    for setting in ["journal_mode = OFF", "synchronous = OFF", "cache_size = -1500000"] {
        connection.execute(sqlx::AssertSqlSafe(format!("PRAGMA {setting}"))).await?;
    }
    connection.execute("CREATE TEMP TABLE sizes (n BIGINT, now BIGINT, span BIGINT)").await?;
    sqlx::query("INSERT INTO sizes VALUES ($1, $2, 40 * 86400000)")
        .bind(i64::try_from(events)?)
        .bind(Clock::system().now().timestamp_millis())
        .execute(&mut connection)
        .await?;
    for statement in STATEMENTS {
        connection.execute(statement).await?;
    }
    connection.execute("PRAGMA journal_mode = WAL").await?;
    Ok(connection.close().await?)
}
