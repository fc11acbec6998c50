use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    thread::{self, JoinHandle},
    time::Duration,
};

use base::clock::Clock;
use domain::{
    event::EventName::{self, MetricsUpdated, ReportCreated},
    signature::Secret,
    subscription::NewSubscription,
    tier::Tier,
};
use model::ReportType;
use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use store::{Due, KeySettings, Missing, Mode, NewKey, NextStep, Store};

use crate::{
    harness::{Ran, START, Svc, instant, report},
    leasing::deliver,
};

pub(crate) const ACTIVE: &str = "sub_AAAAAAAAAAAAAAAAAAAAAA";
pub(crate) const OTHER: &str = "sub_BBBBBBBBBBBBBBBBBBBBBB";
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const ALLOW: [&str; 2] = ["--webhook-allow-http", "--webhook-allow-private"];

async fn open(svc: &Svc) -> Store {
    let store = svc.open(Missing::Create).await;
    store.with_clock(Clock::stepped(instant(START)))
}

/// Creates a database with one partner.
pub(crate) async fn with_partner() -> (Svc, Store) {
    let svc = Svc::new();
    let store = open(&svc).await;
    let key = NewKey {
        prefix: "svc_AAAAAAAA".to_owned(),
        hash: [0; 32],
        tier: Tier::Partner,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    assert!(store.keys().create("Acme", &key).await.unwrap().is_some());
    (svc, store)
}

pub(crate) async fn subscribe(store: &Store, id: &str, url: &str, events: &[EventName]) {
    let new = NewSubscription {
        id: id.to_owned(),
        partner_id: 1,
        url: url.to_owned(),
        events: events.to_vec(),
        filter: None,
        secret: SECRET.to_owned(),
    };
    assert!(store.subscriptions().create(&new, 25).await.unwrap().is_some());
}

pub(crate) async fn publish(store: &Store, id: &str) {
    let report = report(id, ReportType::Spirit);
    store.reports().import(&[report], Mode::Approve).await.unwrap();
}

/// Subscriptions that a dispatcher would lease.
async fn free(store: &Store) -> Vec<i64> {
    store.deliveries().pending_work(0).await.unwrap().free
}

/// Creates an active subscription with a successful and a failed delivery, and a disabled one with a waiting delivery.
pub(crate) async fn with_log() -> Svc {
    let (svc, store) = with_partner().await;
    let url = "https://hooks.example.org/a/rather/long/path/to/events";
    subscribe(&store, ACTIVE, url, &[ReportCreated, MetricsUpdated]).await;
    subscribe(&store, OTHER, "https://example.com/", &[ReportCreated]).await;
    publish(&store, "r-1").await;
    deliver(&store, 1, Ok(200), NextStep::Delivered).await;
    let why = "TLS: the certificate is not trusted (it has expired)";
    deliver(&store, 1, Err(why), NextStep::Failed { failures: 10 }).await;
    let at = instant("2026-03-01T12:00:05.000Z");
    deliver(&store, 2, Ok(410), NextStep::Retry { at, failures: 1 }).await;
    store.close().await;
    svc
}

/// Creates a subscription to a receiver on this machine.
async fn to_local(port: u16) -> Svc {
    let (svc, store) = with_partner().await;
    subscribe(&store, ACTIVE, &format!("http://127.0.0.1:{port}/hook"), &[ReportCreated]).await;
    store.close().await;
    svc
}

/// Request as received by an endpoint.
struct Received {
    /// Header names are in lower case.
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Received {
    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Accepts requests on a free port, one per connection, and sends these responses. An empty response closes the
/// connection.
fn receiver(answers: &'static [&'static str]) -> (u16, JoinHandle<Vec<Received>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = move |answer: &&str| {
        let (mut stream, _) = listener.accept().unwrap();
        let received = receive(&stream);
        stream.write_all(answer.as_bytes()).unwrap();
        received
    };
    (port, thread::spawn(move || answers.iter().map(answer).collect()))
}

fn receive(stream: &TcpStream) -> Received {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "POST /hook HTTP/1.1\r\n");
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut received = Received { headers, body: Vec::new() };
    received.body.resize(received.header("content-length").parse().unwrap(), 0);
    reader.read_exact(&mut received.body).unwrap();
    received
}

/// Port on which nothing listens or can listen while the socket is open.
pub(crate) fn deserted_port() -> (u16, Socket) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).unwrap();
    (socket.local_addr().unwrap().as_socket().unwrap().port(), socket)
}

fn test(svc: &Svc, flags: &[&str]) -> Ran {
    svc.run(&[&["webhooks", "test", ACTIVE], flags].concat())
}

/// Replaces the measured duration by `N`.
fn without_time(text: &str) -> String {
    match text.rsplit_once(" in ") {
        Some((before, time)) => {
            format!("{before} in N{}", time.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        None => text.to_owned(),
    }
}

#[tokio::test]
async fn the_list_in_json_counts_deliveries_and_says_why_a_subscription_is_disabled() {
    let svc = with_log().await;
    assert_eq!(
        svc.json(&["webhooks", "list", "--json"]),
        json!({ "subscriptions": [
            {
                "id": OTHER,
                "url": "https://example.com/",
                "events": ["report.created"],
                "createdAt": START,
                "status": "DISABLED",
                "disabledReason": "The receiver answered 410 Gone at 2026-03-01T12:00:00.000Z.",
                "partner": "Acme",
                "failingSince": START,
                "pausedUntil": null,
                "pending": 1,
                "delivered": 0,
                "failed": 0,
            },
            {
                "id": ACTIVE,
                "url": "https://hooks.example.org/a/rather/long/path/to/events",
                "events": ["report.created", "metrics.updated"],
                "createdAt": START,
                "status": "ACTIVE",
                "partner": "Acme",
                "failingSince": START,
                "pausedUntil": null,
                "pending": 0,
                "delivered": 1,
                "failed": 1,
            },
        ] })
    );
}

#[tokio::test]
async fn empty_lists_say_so() {
    let (svc, store) = with_partner().await;
    store.close().await;
    assert_eq!(
        svc.out(&["webhooks", "list"]),
        "No subscriptions: partners create them with their keys, by POST /api/v1/webhooks.\n"
    );
    assert_eq!(svc.out(&["webhooks", "deliveries"]), "No deliveries.\n");
    assert_eq!(svc.json(&["webhooks", "list", "--json"]), json!({ "subscriptions": [] }));
    assert_eq!(svc.json(&["webhooks", "deliveries", "--json"]), json!({ "deliveries": [] }));
}

#[tokio::test]
async fn deliveries_show_how_the_last_try_ended() {
    let svc = with_log().await;
    assert_eq!(
        svc.out(&["webhooks", "deliveries"]),
        "ID       EVENT            SUBSCRIPTION                STATUS     TRIES  \
         LAST ANSWER                               NEXT TRY                  CREATED\n\
         dlv_1_2  metrics.updated  sub_AAAAAAAAAAAAAAAAAAAAAA  FAILED     1      \
         TLS: the certificate is not trusted (it…  -                         \
         2026-03-01T12:00:00.000Z\n\
         dlv_2_1  report.created   sub_BBBBBBBBBBBBBBBBBBBBBB  PENDING    1      \
         410 in 34 ms                              2026-03-01T12:00:05.000Z  \
         2026-03-01T12:00:00.000Z\n\
         dlv_1_1  report.created   sub_AAAAAAAAAAAAAAAAAAAAAA  DELIVERED  1      \
         200 in 34 ms                              -                         \
         2026-03-01T12:00:00.000Z\n"
    );
    let mut shown = svc.json(&["webhooks", "deliveries", "--json", "--limit", "1"]);
    let event_id = shown["deliveries"][0]["eventId"].take();
    assert!(event_id.as_str().unwrap().starts_with("evt_"), "{event_id}");
    assert_eq!(
        shown,
        json!({ "deliveries": [{
            "id": "dlv_1_2",
            "subscription": ACTIVE,
            "event": "metrics.updated",
            "eventId": null,
            "createdAt": START,
            "status": "FAILED",
            "attempts": 1,
            "lastAttempt": {
                "startedAt": START,
                "durationMs": 34,
                "statusCode": null,
                "error": "TLS: the certificate is not trusted (it has expired)",
            },
            "nextAttemptAt": null,
        }] })
    );
}

#[tokio::test]
async fn deliveries_are_chosen_by_subscription_status_and_number() {
    let svc = with_log().await;
    let ids = |flags: &[&str]| {
        let shown = svc.json(&[&["webhooks", "deliveries", "--json"], flags].concat());
        let ids = shown["deliveries"].as_array().unwrap().iter();
        ids.map(|delivery| delivery["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&[]), ["dlv_1_2", "dlv_2_1", "dlv_1_1"]);
    assert_eq!(ids(&["--subscription", ACTIVE]), ["dlv_1_2", "dlv_1_1"]);
    assert_eq!(ids(&["--subscription", ACTIVE, "--status", "DELIVERED"]), ["dlv_1_1"]);
    assert_eq!(ids(&["--status", "pending"]), ["dlv_2_1"]);
    assert_eq!(ids(&["--limit", "2"]), ["dlv_1_2", "dlv_2_1"]);
    assert_eq!(
        svc.out(&["webhooks", "deliveries", "--subscription", OTHER, "--status", "FAILED"]),
        "No deliveries.\n"
    );
    let ran = svc.run(&["webhooks", "deliveries", "--subscription", "sub_x"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(1), "svc: there is no subscription \"sub_x\": `svc webhooks list` shows all\n")
    );
    for wrong in [["--limit", "0"], ["--limit", "1001"], ["--status", "GONE"]] {
        let ran = svc.run(&[&["webhooks", "deliveries"], &wrong[..]].concat());
        assert_eq!(ran.code, Some(2), "{wrong:?}");
    }
}

#[tokio::test]
async fn a_delivery_that_has_failed_is_sent_again() {
    let svc = with_log().await;
    assert_eq!(
        svc.out(&["webhooks", "redeliver", "dlv_1_2"]),
        "dlv_1_2 is due: a running service sends it now.\n"
    );
    let shown = svc.json(&["webhooks", "deliveries", "--status", "PENDING", "--json"]);
    assert_eq!(shown["deliveries"][0]["id"], "dlv_1_2");
    assert_eq!(
        svc.json(&["webhooks", "redeliver", "dlv_1_1", "--json"]),
        json!({ "delivery": "dlv_1_1", "due": true })
    );
    let store = open(&svc).await.with_clock(Clock::system());
    assert_eq!(free(&store).await, [1]);
    let mut due = store.deliveries().due_deliveries(1, 10).await.unwrap();
    due.sort_unstable_by_key(|due| due.event);
    // All attempts start again for both deliveries.
    assert_eq!(due, [1, 2].map(|event| Due { event, attempts: 1, failures: 0 }));
    store.close().await;
}

#[tokio::test]
async fn nothing_is_sent_again_to_a_disabled_subscription_or_out_of_nothing() {
    let svc = with_log().await;
    let ran = svc.run(&["webhooks", "redeliver", "dlv_2_1"]);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (
            Some(1),
            "",
            "svc: the subscription of dlv_2_1 is disabled: run \
             `svc webhooks enable sub_BBBBBBBBBBBBBBBBBBBBBB` first\n"
        )
    );
    let ran = svc.run(&["webhooks", "redeliver", "dlv_1_99"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            Some(1),
            "svc: there is no delivery dlv_1_99: `svc webhooks deliveries` lists those that are still kept\n"
        )
    );
    let ran = svc.run(&["webhooks", "redeliver", "evt_1"]);
    assert_eq!(ran.code, Some(2));
    let why = "write it as `svc webhooks deliveries` shows it, such as dlv_3_1042\n";
    assert!(ran.err.contains(why), "{}", ran.err);
}

#[tokio::test]
async fn an_enabled_subscription_gets_what_it_missed() {
    let svc = with_log().await;
    let enable = ["webhooks", "enable", OTHER];
    assert_eq!(
        svc.out(&enable),
        format!("{OTHER} is active again; 1 delivery that it missed is due.\n")
    );
    let store = open(&svc).await;
    let later = store.clone().with_clock(Clock::system());
    assert_eq!(free(&later).await, [2]);
    assert_eq!(svc.out(&enable), format!("{OTHER} is active already.\n"));
    let json_of = |missed: u64| json!({ "subscription": OTHER, "enabled": true, "missed": missed });
    assert_eq!(svc.json(&[&enable[..], &["--json"]].concat()), json_of(0));
    publish(&store, "r-2").await;
    deliver(&store, 2, Ok(410), NextStep::Failed { failures: 1 }).await;
    assert_eq!(svc.json(&[&enable[..], &["--json"]].concat()), json_of(2));
    store.close().await;
}

#[tokio::test]
async fn a_subscription_that_is_not_there_can_be_neither_enabled_nor_tested() {
    let svc = with_log().await;
    let store = open(&svc).await;
    assert!(store.subscriptions().unsubscribe(1, OTHER).await.unwrap());
    store.close().await;
    for command in ["enable", "test"] {
        let ran = svc.run(&["webhooks", command, OTHER, "--json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{command}");
        assert_eq!(
            ran.err,
            format!("svc: there is no subscription {OTHER:?}: `svc webhooks list` shows all\n")
        );
    }
}

#[tokio::test]
async fn a_test_is_delivered_signed_and_logged() {
    let (port, taken) = receiver(&["HTTP/1.1 204 No Content\r\n\r\n"]);
    let svc = to_local(port).await;
    let ran = test(&svc, &ALLOW);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_eq!(without_time(&ran.out), "Delivered: 204 in N ms.\n");
    let received = taken.join().unwrap().remove(0);
    let body: Value = serde_json::from_slice(&received.body).unwrap();
    assert_eq!(
        (&body["event"], &body["data"]["subscription"]),
        (&json!("webhook.test"), &json!(ACTIVE))
    );
    let secret = Secret::from_stored(SECRET.to_owned());
    assert_eq!(received.header("x-svc-signature"), secret.x_svc_signature(&received.body));
    let shown = svc.json(&["webhooks", "deliveries", "--json"]);
    let [delivery] = &shown["deliveries"].as_array().unwrap()[..] else { panic!("{shown}") };
    assert_eq!(delivery["eventId"], received.header("webhook-id"));
    assert_eq!(delivery["event"], "webhook.test");
    assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("DELIVERED"), &json!(1)));
    assert_eq!(delivery["lastAttempt"]["statusCode"], 204);
}

#[tokio::test]
async fn the_environment_allows_what_the_flags_allow_and_json_tells_the_result() {
    let (port, taken) = receiver(&["HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"]);
    let svc = to_local(port).await;
    let mut command = svc.command(&["webhooks", "test", ACTIVE, "--json"]);
    command.env("SVC_WEBHOOK_ALLOW_HTTP", "true").env("SVC_WEBHOOK_ALLOW_PRIVATE", "1");
    let ran = command.output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut shown: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert!(shown["durationMs"].take().is_u64());
    assert_eq!(
        shown,
        json!({
            "delivery": "dlv_1_1",
            "delivered": true,
            "statusCode": 200,
            "error": null,
            "durationMs": null,
        })
    );
    taken.join().unwrap();
}

#[tokio::test]
async fn a_test_that_fails_is_not_tried_again() {
    let (port, taken) = receiver(&["HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\r\n"]);
    let svc = to_local(port).await;
    let ran = test(&svc, &ALLOW);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{}", ran.out);
    assert_eq!(without_time(&ran.out), "Failed: 503 in N ms.\n");
    taken.join().unwrap();
    let shown = svc.json(&["webhooks", "deliveries", "--json"]);
    let delivery = &shown["deliveries"][0];
    assert_eq!((&delivery["status"], &delivery["nextAttemptAt"]), (&json!("FAILED"), &Value::Null));
    assert_eq!(delivery["lastAttempt"]["statusCode"], 503);
}

#[tokio::test]
async fn a_test_says_why_there_was_no_answer() {
    let (port, taken) = receiver(&[""]);
    let svc = to_local(port).await;
    let ran = test(&svc, &ALLOW);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(1), "Failed: the connection was closed without a response.\n")
    );
    taken.join().unwrap();

    let (port, _held) = deserted_port();
    let svc = to_local(port).await;
    let ran = test(&svc, &ALLOW);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (Some(1), "Failed: connection refused.\n", "")
    );
    let ran = test(&svc, &[&ALLOW[..], &["--json"]].concat());
    let mut shown: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(shown["durationMs"].take().is_u64());
    assert_eq!(
        (ran.code, shown),
        (
            Some(1),
            json!({
                "delivery": "dlv_1_2",
                "delivered": false,
                "statusCode": null,
                "error": "connection refused",
                "durationMs": null,
            })
        )
    );
}

#[tokio::test]
async fn a_test_that_is_not_allowed_says_why_and_leaves_no_trace() {
    let (port, _held) = deserted_port();
    let svc = to_local(port).await;
    let refused = |flags: &[&str], why: &str| {
        let ran = test(&svc, flags);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{flags:?}");
        assert_eq!(
            ran.err,
            format!(
                "svc: nothing was sent. {why} If `svc serve` runs with --webhook-allow-http, \
                 --webhook-allow-private or --webhook-deny, give the same here.\n"
            )
        );
    };
    refused(&[], "The URL's scheme is http: use https.");
    refused(
        &ALLOW[..1],
        "The URL's host is 127.0.0.1, a loopback address: use one with a public address.",
    );
    refused(&ALLOW[1..], "The URL's scheme is http: use https.");
    assert_eq!(svc.out(&["webhooks", "deliveries"]), "No deliveries.\n");
    let listed = svc.json(&["webhooks", "list", "--json"]);
    assert_eq!(listed["subscriptions"][0]["failingSince"], Value::Null);
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_disabled_and_can_still_be_tested() {
    let (port, taken) = receiver(&[
        "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    ]);
    let svc = to_local(port).await;
    let ran = test(&svc, &ALLOW);
    assert_eq!((ran.code, without_time(&ran.out).as_str()), (Some(1), "Failed: 410 in N ms.\n"));
    let start = format!("{ACTIVE} is disabled now: The receiver answered 410 Gone at ");
    assert!(ran.err.starts_with(&start), "{}", ran.err);
    let ran = test(&svc, &ALLOW);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let (first, second) = ran.out.split_once('\n').unwrap();
    assert_eq!(without_time(first), "Delivered: 200 in N ms.");
    assert_eq!(
        second,
        format!("The subscription remains disabled: `svc webhooks enable {ACTIVE}` enables it.\n")
    );
    assert_eq!(taken.join().unwrap().len(), 2);
    let listed = svc.json(&["webhooks", "list", "--json"]);
    assert_eq!(listed["subscriptions"][0]["status"], "DISABLED");
}

/// Status of each subscription and the reason if it is disabled, newest first.
fn statuses(svc: &Svc) -> Value {
    let mut listed = svc.json(&["webhooks", "list", "--json"]);
    let listed = listed["subscriptions"].as_array_mut().unwrap();
    listed.iter().map(|s| json!([s["id"], s["status"], s["disabledReason"]])).collect()
}

#[tokio::test]
async fn the_operator_disables_a_subscription_and_enables_it_with_what_it_missed() {
    let (svc, store) = with_partner().await;
    subscribe(&store, ACTIVE, "https://example.com/", &[ReportCreated]).await;
    let said = svc.out(&["webhooks", "disable", ACTIVE]);
    let expected = format!(
        "{ACTIVE} is disabled. Its events are kept until `svc webhooks enable {ACTIVE}`, or until they are pruned from \
            the log.\n"
    );
    assert_eq!(said, expected);
    assert_eq!(statuses(&svc), json!([[ACTIVE, "DISABLED", "The operator has disabled it."]]));
    let again = svc.out(&["webhooks", "disable", ACTIVE, "--reason", "Unpaid."]);
    let told = "is disabled already. From now on only you can enable it, and its partner sees this reason: Unpaid.";
    assert_eq!(again, format!("{ACTIVE} {told}\n"));
    assert_eq!(statuses(&svc), json!([[ACTIVE, "DISABLED", "Unpaid."]]));
    publish(&store, "r-1").await;
    assert_eq!(free(&store).await, [0; 0]);
    let enabled = svc.json(&["webhooks", "enable", ACTIVE, "--json"]);
    assert_eq!(enabled, json!({ "subscription": ACTIVE, "enabled": true, "missed": 1 }));
    let disabled = svc.json(&["webhooks", "disable", ACTIVE, "--reason", "Unpaid.", "--json"]);
    assert_eq!(disabled, json!({ "subscription": ACTIVE, "disabled": true }));
    assert_eq!(statuses(&svc), json!([[ACTIVE, "DISABLED", "Unpaid."]]));
    store.close().await;
}

#[tokio::test]
async fn the_operator_deletes_a_subscription_with_what_waits_for_it() {
    let (svc, store) = with_partner().await;
    for id in [ACTIVE, OTHER] {
        subscribe(&store, id, "https://example.com/", &[ReportCreated]).await;
    }
    publish(&store, "r-1").await;
    let said = svc.out(&["webhooks", "delete", ACTIVE]);
    assert_eq!(said, format!("{ACTIVE} is deleted, with its pending events.\n"));
    assert_eq!(statuses(&svc), json!([[OTHER, "ACTIVE", null]]));
    assert_eq!(free(&store).await, [2]);
    assert_eq!(
        svc.json(&["webhooks", "delete", OTHER, "--json"]),
        json!({ "subscription": OTHER, "deleted": true })
    );
    for command in ["delete", "disable"] {
        let ran = svc.run(&["webhooks", command, ACTIVE]);
        let error =
            format!("svc: there is no subscription \"{ACTIVE}\": `svc webhooks list` shows all\n");
        assert_eq!((ran.code, ran.err), (Some(1), error));
    }
    store.close().await;
}

#[tokio::test]
async fn revoking_the_last_key_of_a_partner_stops_its_webhooks() {
    let (svc, store) = with_partner().await;
    let key = |prefix: &str, tier| NewKey {
        prefix: prefix.to_owned(),
        hash: prefix.as_bytes().repeat(3)[..32].try_into().unwrap(),
        tier,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    let spare = key("svc_BBBBBBBB", Tier::Enterprise);
    let expired = NewKey {
        scope: None,
        expires_at: Some(instant("2020-01-01T00:00:00Z")),
        ..key("svc_CCCCCCCC", Tier::Partner)
    };
    // Keys that cannot manage webhooks.
    let operators = key("svc_DDDDDDDD", Tier::Operator);
    for key in [&spare, &expired, &operators] {
        assert!(store.keys().create("Acme", key).await.unwrap().is_some());
    }
    for id in [ACTIVE, OTHER] {
        subscribe(&store, id, "https://example.com/", &[ReportCreated]).await;
    }
    publish(&store, "r-1").await;
    let said = svc.out(&["keys", "revoke", "svc_AAAAAAAA"]);
    assert_eq!(said, "svc_AAAAAAAA is revoked: every node refuses it within 5 seconds.\n");
    assert_eq!(statuses(&svc), json!([[OTHER, "ACTIVE", null], [ACTIVE, "ACTIVE", null]]));
    let said = svc.out(&["keys", "revoke", "svc_BBBBBBBB"]);
    let expected = format!(
        "svc_BBBBBBBB is revoked: every node refuses it within 5 seconds.\n\
         Its partner has no other valid key, so these subscriptions are disabled:\n  {ACTIVE}\n  {OTHER}\n"
    );
    assert_eq!(said, expected);
    let reason = "The partner has no valid key any more.";
    assert_eq!(statuses(&svc), json!([[OTHER, "DISABLED", reason], [ACTIVE, "DISABLED", reason]]));
    assert_eq!(free(&store).await, [0; 0]);
    store.close().await;
}

#[tokio::test]
async fn networks_are_allowed_and_denied_by_flags_and_by_the_environment() {
    const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
    let (port, taken) = receiver(&[NO_CONTENT, NO_CONTENT]);
    let svc = to_local(port).await;
    let ran = |flags: &[&str], environment: &[(&str, &str)]| {
        let mut command = svc.command(&["webhooks", "test"]);
        command.args(flags).arg(ACTIVE).arg("--webhook-allow-http");
        let ran = Ran::of(command.envs(environment.iter().copied()).output().unwrap());
        (ran.code, ran.err)
    };
    let here = [("SVC_WEBHOOK_ALLOW_PRIVATE", "127.0.0.0/8,::1")];
    assert_eq!(ran(&[], &here), (Some(0), String::new()));
    // The flag without a value comes before the id, as in scripts.
    assert_eq!(ran(&["--webhook-allow-private"], &[]), (Some(0), String::new()));
    taken.join().unwrap();

    let elsewhere = ran(&["--webhook-allow-private", "10.0.0.0/8"], &[]);
    assert_eq!(elsewhere.0, Some(1));
    assert!(elsewhere.1.contains("127.0.0.1, a loopback address"), "{}", elsewhere.1);
    let denied = ran(&["--webhook-deny", "127.0.0.1"], &here);
    assert_eq!(denied.0, Some(1));
    assert!(denied.1.contains("127.0.0.1, an address that the operator of this service denies"));
    let wrong = ran(&["--webhook-deny", "127.0.0.0/33"], &[]);
    assert_eq!(wrong.0, Some(2));
    let words = "invalid value '127.0.0.0/33' for '--webhook-deny <CIDR,…>': \"127.0.0.0/33\" is \
                 neither an IP address nor a network: write it like 192.0.2.1, 10.0.0.0/8 or \
                 2001:db8::/32";
    assert!(wrong.1.contains(words), "{}", wrong.1);
}
