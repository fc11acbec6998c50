//! A database of the release before events were a log, with deliveries in every state.

use base::{clock::Clock, random::Random};
use chrono::TimeDelta;
use domain::{report::NewReport, signature::Secret};
use model::ReportType::Spirit;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use store::{Enabled, HistoryQuery, Missing, Mode, Store, open_url};
use webhooks::{client::Client, dispatcher::Dispatcher, resolver::Resolver};

use crate::{
    harness::{START, database_of_version, instant, report, soon},
    node::{LENIENT, PATIENT},
    receiver::{Receiver, Reply},
};

/// An active subscription, a disabled one, and a deleted one.
const IDS: [&str; 3] =
    ["sub_0000000000000000000001", "sub_0000000000000000000002", "sub_0000000000000000000003"];

/// What has happened, in seconds after [`START`] where it says T. Numbers of events have gaps, and one
/// event is from before all subscriptions. Of the active one, c was never tried, d has failed twice, and e is under way.
const DELIVERIES: &str = r#"
    INSERT INTO deliveries (subscription_seq, event_seq, status, due_at, lease, failures, attempts)
    VALUES (1, 1, 'DELIVERED', NULL, NULL, 0, 2),
           (1, 2, 'FAILED', NULL, NULL, 10, 10),
           (1, 4, 'PENDING', T - 1000, NULL, 0, 0),
           (1, 5, 'PENDING', T + 60000, NULL, 2, 2),
           (1, 7, 'PENDING', T + 10000, 77, 0, 0),
           (2, 1, 'DELIVERED', NULL, NULL, 0, 1),
           (2, 2, 'FAILED', NULL, NULL, 10, 10),
           (2, 4, 'PENDING', T - 1000, NULL, 1, 1),
           (2, 5, 'FAILED', NULL, NULL, 10, 10),
           (2, 7, 'PENDING', T + 500000, NULL, 0, 0),
           (3, 1, 'DELIVERED', NULL, NULL, 0, 1),
           (3, 4, 'PENDING', T - 1000, NULL, 0, 0);
    INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code, error)
    VALUES (1, 1, 1, T - 86400000, 5, 500, NULL),
           (1, 1, 2, T - 86395000, 6, 200, NULL),
           (1, 2, 10, T - 3600000, 7, 500, NULL),
           (1, 5, 1, T - 70000, 8, 503, NULL),
           (1, 5, 2, T - 60000, 9, NULL, 'timed out'),
           (2, 2, 10, T - 172800000, 7, 500, NULL),
           (2, 4, 1, T - 3600000, 7, 500, NULL),
           (2, 5, 10, T - 1800000, 7, 500, NULL);
"#;

struct Upgraded {
    store: Store,
    clock: Clock,
    secrets: [String; 3],
    receivers: [Receiver; 3],
    _folder: tempfile::TempDir,
}

/// The bytes of the event of this report.
fn body(id: &str) -> String {
    format!(r#"{{"event":"report.created","timestamp":"{START}","data":{{"id":"{id}"}}}}"#)
}

impl Upgraded {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("svc.db");
        database_of_version(&file, 6).await;
        let (random, start) = (Random::seeded(6), instant(START).timestamp_millis());
        let secrets = [(); 3].map(|()| Secret::generate(&random).as_str().to_owned());
        let accepts = || Receiver::with(Reply::Status(200));
        let receivers = [accepts().await, accepts().await, accepts().await];
        let url = format!("sqlite://{}", file.display());
        let mut old = SqliteConnection::connect(&url).await.unwrap();
        let mut sql = format!(
            "PRAGMA journal_mode = WAL;
             INSERT INTO partners (id, name, created_at) VALUES (1, 'Aid', {start});"
        );
        for (seq, id) in [(1, "a"), (2, "b"), (3, "early"), (4, "c"), (5, "d"), (7, "e")] {
            sql += &format!(
                "INSERT INTO events (seq, id, name, body, created_at)
                 VALUES ({seq}, 'evt_{id}', 'report.created', CAST('{}' AS BLOB), {start} - 100000);",
                body(id)
            );
        }
        for (number, id) in IDS.into_iter().enumerate() {
            let (url, secret) = (receivers[number].url(), &secrets[number]);
            let (secret, status, reason, since) = match number {
                0 => (secret.as_str(), "ACTIVE", "NULL", "NULL".to_owned()),
                1 => (secret.as_str(), "DISABLED", "'gone'", (start - 3_600_000).to_string()),
                _ => ("", "DELETED", "NULL", "NULL".to_owned()),
            };
            sql += &format!(
                "INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated,
                                            secret, status, disabled_reason, failing_since, created_at)
                 VALUES ('{id}', 1, '{url}', 1, 0, '{secret}', '{status}', {reason}, {since}, {start});"
            );
        }
        sql += &DELIVERIES.replace(" T ", &format!(" {start} "));
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut old).await.unwrap();
        old.close().await.unwrap();
        let clock = Clock::stepped(instant(START));
        let store = open_url(&url, Missing::Create).await.unwrap().with_clock(clock.clone());
        Self { store, clock, secrets, receivers, _folder: folder }
    }

    /// Sends what is due; returns the ids of the events that each subscription gets, in their order.
    async fn dispatch(&self) -> [Vec<String>; 3] {
        let before = self.receivers.each_ref().map(Receiver::count);
        let client = Client::with_patience(LENIENT, Resolver::system(), PATIENT).unwrap();
        let (store, clock) = (self.store.clone(), self.clock.clone());
        let mut dispatcher = Dispatcher::new(store, clock, Random::seeded(7), client);
        soon("the end of the attempts", dispatcher.dispatch_due()).await.unwrap();
        std::array::from_fn(|number| {
            let requests = self.receivers[number].requests();
            let new = &requests[before[number]..];
            assert!(new.iter().all(|request| request.is_signed_with(&self.secrets[number])));
            let mut ids: Vec<String> = new.iter().map(|request| request.id().to_owned()).collect();
            ids.sort();
            ids
        })
    }

    async fn dispatch_after(&self, seconds: u64) -> [Vec<String>; 3] {
        self.clock.advance(std::time::Duration::from_secs(seconds));
        self.dispatch().await
    }

    /// The deliveries of a subscription: event, status, and what came of each attempt.
    async fn history(&self, subscription: &str) -> Vec<serde_json::Value> {
        let query = HistoryQuery {
            partner_id: 1,
            subscription: subscription.to_owned(),
            status: None,
            before: None,
            limit: 100,
        };
        let history = self.store.delivery_history(&query).await.unwrap().unwrap();
        let mut shown: Vec<_> = history
            .deliveries
            .into_iter()
            .map(|delivery| {
                let attempts = delivery.attempts.into_iter();
                let attempts = attempts.map(|attempt| {
                    json!([
                        attempt.started_at,
                        attempt.status.map_or(json!(attempt.error), |status| json!(status))
                    ])
                });
                json!([delivery.event_id, delivery.status.as_str(), attempts.collect::<Vec<_>>()])
            })
            .collect();
        shown.reverse();
        shown
    }
}

#[tokio::test]
async fn deliveries_of_an_older_database_go_on_where_they_were() {
    let upgraded = Upgraded::new().await;
    let only = |ids: &[&str]| -> [Vec<String>; 3] {
        [ids.iter().map(|id| format!("evt_{id}")).collect(), Vec::new(), Vec::new()]
    };
    assert_eq!(upgraded.dispatch().await, only(&["c"]));
    // The process that had it in flight may still be waiting for the response.
    assert_eq!(upgraded.dispatch_after(9).await, only(&[]));
    assert_eq!(upgraded.dispatch_after(1).await, only(&["e"]));
    assert_eq!(upgraded.dispatch_after(49).await, only(&[]));
    assert_eq!(upgraded.dispatch_after(1).await, only(&["d"]));
    assert_eq!(upgraded.dispatch_after(86_400).await, only(&[]));
    for request in upgraded.receivers[0].requests() {
        let id = request.id().strip_prefix("evt_").unwrap().to_owned();
        assert_eq!(String::from_utf8(request.body).unwrap(), body(&id));
    }
    let at = |seconds| {
        let at = instant(START) + TimeDelta::seconds(seconds);
        base::time::format_instant(at)
    };
    let expected = [
        json!(["evt_a", "DELIVERED", [[at(-86_400), 500], [at(-86_395), 200]]]),
        json!(["evt_b", "FAILED", [[at(-3_600), 500]]]),
        json!(["evt_c", "DELIVERED", [[at(0), 200]]]),
        json!(["evt_d", "DELIVERED", [[at(-70), 503], [at(-60), "timed out"], [at(60), 200]]]),
        json!(["evt_e", "DELIVERED", [[at(10), 200]]]),
    ];
    assert_eq!(upgraded.history(IDS[0]).await, expected);
    assert_eq!(upgraded.store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn a_subscription_that_was_disabled_before_the_upgrade_gets_what_it_missed() {
    let upgraded = Upgraded::new().await;
    upgraded.dispatch().await;
    upgraded.dispatch_after(60).await;
    let enabled = upgraded.store.enable_subscription(IDS[1]).await.unwrap();
    assert_eq!(enabled, Enabled::Now { missed: 3 });
    let missed = ["c", "d", "e"].map(|id| format!("evt_{id}")).to_vec();
    assert_eq!(upgraded.dispatch().await, [Vec::new(), missed, Vec::new()]);
    assert_eq!(upgraded.dispatch_after(86_400).await, [const { Vec::<String>::new() }; 3]);
    let statuses = upgraded.history(IDS[1]).await;
    let statuses: Vec<_> = statuses.iter().map(|delivery| delivery[1].as_str().unwrap()).collect();
    assert_eq!(statuses, ["DELIVERED", "FAILED", "DELIVERED", "DELIVERED", "DELIVERED"]);
}

#[tokio::test]
async fn new_events_follow_those_of_an_older_database() {
    let upgraded = Upgraded::new().await;
    upgraded.dispatch().await;
    upgraded.dispatch_after(60).await;
    let new: [NewReport; 1] = [report("new", Spirit)];
    upgraded.store.import(&new, Mode::Approve).await.unwrap();
    let [active, disabled, deleted] = upgraded.dispatch().await;
    assert_eq!((active.len(), disabled, deleted), (1, Vec::new(), Vec::new()));
    assert_eq!(upgraded.receivers[0].requests().pop().unwrap().report(), "new");
    // What was missed before the upgrade and since.
    let enabled = upgraded.store.enable_subscription(IDS[1]).await.unwrap();
    assert_eq!(enabled, Enabled::Now { missed: 4 });
    let [active, disabled, deleted] = upgraded.dispatch().await;
    assert_eq!((active, disabled.len(), deleted), (Vec::new(), 4, Vec::new()));
    assert_eq!(upgraded.store.check().await.unwrap().differences, []);
}
