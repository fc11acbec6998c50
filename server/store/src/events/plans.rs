//! How the engine reads the log and the deliveries. What is done again and again, or while others wait to write,
//! must find its rows by an index, however many there are.

use super::{backlog, health, log, look, prune, queue, replay};
use crate::{
    Store,
    engine::{
        bulk,
        sql::{Engine, RowValues},
    },
    testing::Scratch,
};

/// All that a statement reads from end to end, or sorts. What else it reads, it searches for.
async fn scans(store: &Store, sql: &str) -> Vec<String> {
    let is_scan = |line: &String| line.starts_with("SCAN") || line.starts_with("USE TEMP B-TREE");
    store.plan(sql).await.into_iter().filter(is_scan).collect()
}

/// The statement of [`bulk::select_matching`].
fn matching(head: &str, columns: usize) -> String {
    let key = vec![0_i64; columns];
    let keys = [key.clone(), key.clone(), key];
    let bind = |row: RowValues, key: &Vec<i64>| key.iter().copied().fold(row, RowValues::bind);
    bulk::matching(Engine::Sqlite, head, &keys, bind).text().to_owned()
}

/// The keys that are looked for are read from end to end.
const KEYS: &[&str] = &["SCAN 3-ROW VALUES CLAUSE"];
/// Of the subscriptions all are looked at, for what one index entry says of each. `n` is the newest event.
const LOOK: &[&str] =
    &["SCAN n", "SCAN s LEFT-JOIN", "SCAN subscriptions", "USE TEMP B-TREE FOR ORDER BY"];
/// `waiting` are the retries of one subscription that are counted at most.
const BACKLOGS: &[&str] = &["SCAN s", "SCAN n", "SCAN waiting"];

/// `d` are some deliveries of one subscription; their attempts are sorted.
const LAST_FAILURE: &[&str] = &["SCAN d", "USE TEMP B-TREE FOR ORDER BY"];

/// `heads` are the events that are counted at most.
const COUNTED: &[&str] = &["SCAN heads", "USE TEMP B-TREE FOR GROUP BY"];

#[tokio::test]
async fn nothing_that_grows_with_the_log_is_read_from_end_to_end() {
    let store = Scratch::sqlite().await;
    let statements: [(&str, String, &[&str]); 29] = [
        ("looking", look::statement(Engine::Sqlite), LOOK),
        ("events to send", queue::EVENTS_AFTER.to_owned(), &[]),
        ("events to send again", matching(queue::EVENTS_NUMBERED, 1), KEYS),
        ("due retries", queue::DUE.to_owned(), &[]),
        ("retries to come", queue::UNFINISHED.to_owned(), &[]),
        ("what is delivered behind the cursor", queue::DELIVERED_AFTER.to_owned(), &[]),
        ("attempts of replayed events", matching(queue::ATTEMPTS_OF, 2), KEYS),
        ("the ends of the log", log::ENDS.to_owned(), &["SCAN CONSTANT ROW"]),
        ("an event of the log", log::EVENT_AT.to_owned(), &[]),
        ("where the log begins", log::BOUNDS.to_owned(), &[]),
        ("which history it tells", log::HISTORY.to_owned(), &[]),
        ("whether an event is lost", log::IS_LOST.to_owned(), &["SCAN CONSTANT ROW"]),
        ("the event after a jump", queue::NEXT_EVENT.to_owned(), &[]),
        ("a page of the log", log::HEADS.to_owned(), &[]),
        ("bodies of a page", matching(log::BODIES, 1), KEYS),
        ("backlogs", backlog::BACKLOGS.to_owned(), BACKLOGS),
        ("why an endpoint failed last", health::LAST_FAILURE.to_owned(), LAST_FAILURE),
        ("what is replayed", replay::REPLAYED.to_owned(), &[]),
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
    ];
    for (what, sql, expected) in statements {
        assert_eq!(scans(&store, &sql).await, expected, "{what}");
    }
    store.close().await;
}
