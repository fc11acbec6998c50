//! Query plans for the log and deliveries. Statements that run often, or while writers wait, must
//! find their rows by an index, so that they stay fast when the tables grow.

use super::{backlog, health, history, latest, log, pending_work, prune, queue, replay};
use crate::{
    Store,
    engine::{
        bulk,
        sql::{Engine, RowValues},
    },
    testing::Scratch,
};

/// Returns the full scans and sorts in the plan of a statement. The plan searches everything else.
async fn scans(store: &Store, sql: &str) -> Vec<String> {
    let is_scan = |line: &String| line.starts_with("SCAN") || line.starts_with("USE TEMP B-TREE");
    store.plan(sql).await.into_iter().filter(is_scan).collect()
}

/// Returns the statement of [`bulk::select_matching`].
fn matching(engine: Engine, head: &str, columns: usize) -> String {
    let key = vec![0_i64; columns];
    let keys = [key.clone(), key.clone(), key];
    let bind = |row: RowValues, key: &Vec<i64>| key.iter().copied().fold(row, RowValues::bind);
    bulk::matching(engine, head, &keys, bind).text().to_owned()
}

/// Plan lines for reading the given keys.
const KEYS: &[&str] = &["SCAN 3-ROW VALUES CLAUSE"];
/// Plan lines of [`pending_work`]. All subscriptions are scanned, with one index search each. `n` is the
/// newest event.
const PENDING_WORK: &[&str] =
    &["SCAN n", "SCAN s LEFT-JOIN", "SCAN subscriptions", "USE TEMP B-TREE FOR ORDER BY"];
/// Plan lines of the backlogs. `waiting` contains the counted retries of one subscription, a
/// limited number.
const BACKLOGS: &[&str] = &["SCAN s", "SCAN n", "SCAN waiting"];

/// Plan lines of the last failure. `d` contains some deliveries of one subscription; their attempts
/// are sorted.
const LAST_FAILURE: &[&str] = &["SCAN d", "USE TEMP B-TREE FOR ORDER BY"];

/// Plan lines of the count for a replay. `heads` contains the counted events, a limited number.
const COUNTED: &[&str] = &["SCAN heads", "USE TEMP B-TREE FOR GROUP BY"];

/// Statements that run often, or while writers wait, with the full scans and sorts in the plan of
/// SQLite.
fn statements(engine: Engine) -> [(&'static str, String, &'static [&'static str]); 31] {
    [
        ("pending work", pending_work::statement(engine), PENDING_WORK),
        ("events to send", queue::EVENTS_AFTER.to_owned(), &[]),
        ("events to send again", matching(engine, queue::EVENTS_NUMBERED, 1), KEYS),
        ("due retries", queue::DUE.to_owned(), &[]),
        ("retries to come", queue::UNFINISHED.to_owned(), &[]),
        ("what is delivered behind the cursor", queue::DELIVERED_AFTER.to_owned(), &[]),
        ("attempts of replayed events", matching(engine, queue::ATTEMPTS_OF, 2), KEYS),
        ("the ends of the log", log::ENDS.to_owned(), &["SCAN CONSTANT ROW"]),
        ("an event of the log", log::EVENT_AT.to_owned(), &[]),
        ("where the log begins", log::BOUNDS.to_owned(), &[]),
        ("which history it tells", log::HISTORY.to_owned(), &[]),
        ("whether an event is lost", log::IS_LOST.to_owned(), &["SCAN CONSTANT ROW"]),
        ("the event after a jump", queue::NEXT_EVENT.to_owned(), &[]),
        ("a page of the log", log::HEADS.to_owned(), &[]),
        ("the newest events", latest::LATEST.to_owned(), &[]),
        ("bodies of a page", matching(engine, log::BODIES, 1), KEYS),
        ("the first delivery", history::FIRST_DELIVERY.to_owned(), &[]),
        ("backlogs", backlog::BACKLOGS.to_owned(), BACKLOGS),
        ("why an endpoint failed last", health::LAST_FAILURE.to_owned(), LAST_FAILURE),
        ("what is replayed", replay::replayed(), &[]),
        ("counting a replay", replay::COUNTED.to_owned(), COUNTED),
        ("failed deliveries", replay::FAILED.to_owned(), &[]),
        ("pruning: the next subscription", prune::NEXT_SUBSCRIPTION.to_owned(), &[]),
        ("pruning: deliveries", prune::EXAMINED.to_owned(), &[]),
        ("pruning: attempts away", prune::forget_from("attempts"), &[]),
        ("pruning: deliveries away", prune::forget_from("deliveries"), &[]),
        ("pruning: a subscription away", prune::FORGET_SUBSCRIPTION.to_owned(), &[]),
        ("pruning: what is kept", prune::KEPT.to_owned(), &["SCAN s"]),
        ("pruning: the oldest event", prune::OLDEST_EVENT.to_owned(), &[]),
        ("pruning: the last of the oldest", prune::LAST_OF_OLDEST.to_owned(), &[]),
        ("pruning: events away", prune::FORGET_EVENTS.to_owned(), &[]),
    ]
}

#[tokio::test]
async fn nothing_that_grows_with_the_log_is_read_from_end_to_end() {
    let store = Scratch::sqlite().await;
    for (what, sql, expected) in statements(Engine::Sqlite) {
        assert_eq!(scans(&store, &sql).await, expected, "{what}");
    }
    store.close().await;
}

/// Log of 20,000 events. One subscription has received the first half; one in a hundred of those
/// waits for a retry.
const LOG: &str = "
    INSERT INTO partners (name, created_at) VALUES ('partner', 0);
    INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated, status, created_at, secret, secret_key, cursor)
    VALUES ('sub_1', 1, 'http://127.0.0.1:9/', TRUE, FALSE, 'ACTIVE', 0, '', 'none', 10000),
           ('sub_2', 1, 'http://127.0.0.1:9/', TRUE, TRUE, 'DELETED', 0, NULL, NULL, 0);
    INSERT INTO events (id, name, body, created_at)
    SELECT 'evt_' || i, 'report.created', '{}', i FROM generate_series(1, 20000) i;
    INSERT INTO deliveries (subscription_seq, event_seq, status, due_at, attempts)
    SELECT 1, i, CASE WHEN i % 500 = 0 THEN 'FAILED' WHEN i % 100 = 1 THEN 'PENDING' ELSE 'DELIVERED' END,
           CASE WHEN i % 100 = 1 THEN i END, 1 FROM generate_series(1, 10000) i;
    INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code)
    SELECT 1, i, 1, i, 5, 200 FROM generate_series(1, 10000) i";

/// Plans of PostgreSQL depend on the stored rows and on their statistics.
#[tokio::test]
async fn nor_does_postgresql_read_a_whole_log() {
    let store = Scratch::postgres().await;
    store.run(LOG).await;
    store.run("ANALYZE").await;
    for (what, sql, _) in statements(Engine::Postgres) {
        let mut read = store.tables_read_whole(&sql).await;
        read.retain(|table| ["events", "deliveries", "attempts"].contains(&table.as_str()));
        assert!(read.is_empty(), "{what}: {read:?}");
    }
    store.close().await;
}
