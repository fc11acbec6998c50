use std::{future::ready, time::Duration};

use chrono::TimeDelta;
use domain::tier::Tier;
use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};
use store::Mode;

use svc::keys::ApiKey;

use crate::harness::{Answer, But, Running, report};

const PATH: &str = "/api/v1/events";

struct Partner {
    running: Running,
    key: ApiKey,
}

impl Partner {
    async fn new() -> Self {
        let running = Running::new().await;
        // This tier has no quota: one test reads without a pause, while its clock stands still.
        let key = running.key("Aid", Tier::Enterprise).await;
        Self { running, key }
    }

    async fn ask(&self, query: &str) -> Answer {
        let bearer = format!("Bearer {}", self.key.as_str());
        let request = self.running.http.get(self.running.url(&format!("{PATH}?{query}")));
        self.running.ask(request, &[("authorization", &bearer)]).await
    }

    async fn read(&self, query: &str) -> Value {
        let answer = self.ask(query).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Prunes events older than thirty days, until a query has this response. The service prunes too,
    /// and only one process does at a time.
    async fn prune_until(&self, query: &str, expected: &Value) {
        let cutoff = self.running.clock.now() - TimeDelta::days(30);
        let log = self.running.database.store.event_log();
        let mut response = Value::Null;
        for _ in 0..400 {
            log.prune(cutoff, || ready(())).await.unwrap();
            response = self.read(query).await;
            if response == *expected {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        assert_eq!(response, *expected);
    }

    /// Names of events and ids of their reports, from all pages of `query`.
    async fn all(&self, query: &str) -> Vec<String> {
        let mut told = Vec::new();
        let mut page = self.read(query).await;
        loop {
            told.extend(page["events"].as_array().unwrap().iter().map(|event| {
                let name = event["event"].as_str().unwrap();
                format!("{name} {}", event["data"]["id"].as_str().unwrap_or("-"))
            }));
            if page["more"] == json!(false) {
                return told;
            }
            page = self.read(&format!("{query}&after={}", page["next"].as_str().unwrap())).await;
        }
    }
}

#[tokio::test]
async fn the_log_tells_what_was_published_and_withdrawn_without_any_subscription() {
    let partner = Partner::new().await;
    let running = &partner.running;
    assert_eq!(
        partner.read("").await,
        json!({ "events": [], "next": partner.read("after=latest").await["next"], "more": false })
    );
    running.publish(&[report("a", Spirit).at("Lyon", "Rhône", "France")]).await;
    running.clock.advance(Duration::from_secs(1));
    running.withdraw("a").await;
    let log = partner.read("").await;
    let ids: Vec<&str> =
        log["events"].as_array().unwrap().iter().map(|e| e["id"].as_str().unwrap()).collect();
    assert!(ids.iter().all(|id| id.starts_with("evt_") && id.len() == 26), "{ids:?}");
    let told = |status: &str| {
        json!({
            "id": "a", "city": "Lyon", "country": "France", "peopleCount": 1, "type": "spirit",
            "createdAt": "2026-03-01T10:00:00.000Z", "status": status,
        })
    };
    let counters = json!({
        "spirit": 1, "water": 0, "both": 0, "total": 1, "spiritToday": 1, "waterToday": 0,
        "bothToday": 0, "totalToday": 1, "countries": 1, "cities": 1,
        "updatedAt": "2026-03-01T12:00:00.000Z",
    });
    let event = |index: usize, name: &str, timestamp: &str, data: Value| json!({ "id": ids[index], "sequence": index + 1, "event": name, "timestamp": timestamp, "data": data });
    let [noon, later] = ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:01.000Z"];
    assert_eq!(
        log,
        json!({
            "events": [
                event(0, "report.created", noon, told("APPROVED")),
                event(1, "metrics.updated", noon, counters),
                event(2, "report.withdrawn", later, told("WITHDRAWN")),
            ],
            "next": log["next"],
            "more": false,
        })
    );
    // Imported history creates no events.
    running.backfill(&[report("b", Water)]).await;
    let after = log["next"].as_str().unwrap();
    assert_eq!(
        partner.read(&format!("after={after}")).await,
        json!({ "events": [], "next": after, "more": false })
    );
    assert_eq!(partner.read("after=latest").await["next"], after);
}

#[tokio::test]
async fn whoever_reads_on_gets_every_event_once_while_others_publish() {
    const REPORTS: usize = 60;
    let partner = Partner::new().await;
    let ids: Vec<String> = (0..REPORTS).map(|number| format!("r{number:02}")).collect();
    let publishing = async {
        let store = partner.running.database.elsewhere().await;
        for ids in ids.chunks(3) {
            let reports: Vec<_> = ids.iter().map(|id| report(id, Spirit)).collect();
            store.reports().import(&reports, Mode::Approve).await.unwrap();
        }
        store.close().await;
    };
    let reading = async {
        let (mut told, mut after) = (Vec::new(), String::new());
        while told.len() < REPORTS {
            let page = partner.read(&format!("events=report.created&limit=2{after}")).await;
            let events = page["events"].as_array().unwrap();
            assert!(events.len() <= 2);
            told.extend(events.iter().map(|e| e["data"]["id"].as_str().unwrap().to_owned()));
            after = format!("&after={}", page["next"].as_str().unwrap());
        }
        told
    };
    let ((), told) = tokio::join!(publishing, reading);
    assert_eq!(told, ids);
}

#[tokio::test]
async fn a_place_narrows_events_about_reports_and_names_narrow_all() {
    let partner = Partner::new().await;
    let lyon = report("lyon", Spirit).at("Lyon", "Rhône", "France");
    let nice = report("nice", Water).at("Nice", "", "FRA");
    let oslo = report("oslo", Both).at("Oslo", "", "Norway");
    partner.running.publish(&[lyon, nice, oslo]).await;
    partner.running.withdraw("nice").await;
    let (lyon, nice, oslo) = ("report.created lyon", "report.created nice", "report.created oslo");
    let (counters, gone) = ("metrics.updated -", "report.withdrawn nice");
    for (query, expected) in [
        ("", vec![lyon, counters, nice, counters, oslo, counters, gone]),
        ("limit=1", vec![lyon, counters, nice, counters, oslo, counters, gone]),
        ("country=france", vec![lyon, counters, nice, counters, counters, gone]),
        ("country=FR&events=report.created", vec![lyon, nice]),
        ("events=report.withdrawn,report.created&region=RHONE", vec![lyon]),
        ("events=report.withdrawn,report.created&city=Nice&limit=1", vec![nice, gone]),
        ("events=report.created&country=Norway&city=Nice", vec![]),
        ("events=metrics.updated&country=Norway", vec![counters; 3]),
        ("events=report.withdrawn", vec![gone]),
        ("country=%20", vec![lyon, counters, nice, counters, oslo, counters, gone]),
    ] {
        assert_eq!(partner.all(query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_from_before_what_is_kept_or_from_another_log_is_refused() {
    let partner = Partner::new().await;
    let running = &partner.running;
    let start = partner.read("").await["next"].as_str().unwrap().to_owned();
    running.publish(&[report("a", Spirit)]).await;
    let middle = partner.read("").await["next"].as_str().unwrap().to_owned();
    running.clock.advance(Duration::from_secs(86_400 * 30));
    running.publish(&[report("b", Spirit)]).await;
    running.clock.advance(Duration::from_millis(1));
    let kept = partner.read(&format!("after={middle}")).await;
    partner.prune_until("", &kept).await;
    let created = "events=report.created";
    assert_eq!(partner.all(created).await, ["report.created b"]);
    // All events after this cursor are still in the log.
    assert_eq!(partner.all(&format!("{created}&after={middle}")).await, ["report.created b"]);
    let refused = partner.ask(&format!("after={start}")).await;
    assert_eq!((refused.status, refused.json()["code"].clone()), (410, json!("CURSOR_EXPIRED")));
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("Events after this cursor are no longer kept."), "{detail}");
    // All events are old by now: the log is empty, and keeps its position.
    let end = partner.read("after=latest").await["next"].as_str().unwrap().to_owned();
    running.clock.advance(Duration::from_secs(86_400 * 31));
    partner.prune_until("", &json!({ "events": [], "next": end, "more": false })).await;
    assert_eq!(partner.ask(&format!("after={middle}")).await.status, 410);
    running.publish(&[report("c", Spirit)]).await;
    assert_eq!(partner.all(&format!("{created}&after={end}")).await, ["report.created c"]);
    // After restoring a backup, a client may have a cursor ahead of the log.
    let seen = partner.read("after=latest").await["next"].as_str().unwrap().to_owned();
    running.database.tamper("DELETE FROM events").await;
    let ahead = partner.ask(&format!("after={seen}")).await;
    assert_eq!(ahead.status, 410);
    let detail = ahead.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("This cursor is ahead of the log:"), "{detail}");
}

#[tokio::test]
async fn every_fault_of_a_request_has_its_code_and_says_what_to_change() {
    let partner = Partner::new().await;
    for (query, code, detail) in [
        (
            "after=c_1",
            "INVALID_PARAMETER",
            "\"after\" is \"c_1\", which is not a cursor of this service: give the \"next\" of an \
             earlier response, or leave it out.",
        ),
        (
            "events=report.created,%20metrics.updated",
            "INVALID_EVENTS",
            "\"events\" is \"report.created, metrics.updated\": did you mean \"metrics.updated\"?",
        ),
        ("limit=101", "INVALID_LIMIT", "\"limit\" is \"101\": give a whole number from 1 to 100."),
        ("after=latest&after=latest", "INVALID_PARAMETER", "\"after\" is given more than once."),
    ] {
        let answer = partner.ask(query).await;
        assert_eq!(answer.status, 400, "{query}");
        let body = answer.json();
        assert_eq!((body["code"].as_str(), body["detail"].as_str()), (Some(code), Some(detail)));
    }
    let running = &partner.running;
    let open = running.ask(running.http.get(running.url(PATH)), &[]).await;
    assert_eq!((open.status, open.json()["code"].clone()), (401, json!("UNAUTHENTICATED")));
    let operator = Partner { key: running.key("Us", Tier::Operator).await, ..partner };
    assert_eq!(operator.ask("").await.json()["code"], "FORBIDDEN");
}
