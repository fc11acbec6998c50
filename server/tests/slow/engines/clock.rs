use std::time::Duration;

use chrono::TimeDelta;
use domain::tier::Tier;
use model::ReportType::Spirit;
use serde_json::json;

use svc::config::WebhookTargets;

use crate::{
    harness::{But, Running, report, settings, soon},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn a_clock_that_is_set_back_an_hour_and_ahead_a_day_loses_doubles_and_delays_nothing() {
    let endpoints = WebhookTargets::lenient();
    let settings = svc::config::Serve { endpoints, ..settings() };
    let running = Running::with(settings, "2026-03-01T12:00:00.000Z").await;
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    let receiver = Receiver::with(Reply::Status(200)).await;
    let body = json!({ "url": receiver.url(), "events": ["report.created"] }).to_string();
    let request = running.http.post(running.url("/api/v1/webhooks")).body(body);
    let request = request.header("content-type", "application/json");
    let answer = running.ask(request, &[("authorization", &bearer)]).await;
    assert_eq!(answer.status, 201, "{}", answer.text());

    let steps = [
        ("a", TimeDelta::zero(), "2026-03-01", 1),
        ("b", TimeDelta::hours(-1), "2026-03-01", 2),
        ("c", TimeDelta::hours(25), "2026-03-02", 1),
        ("d", TimeDelta::days(-1), "2026-03-01", 3),
    ];
    for (index, (id, set, date, of_today)) in steps.into_iter().enumerate() {
        running.clock.set(set);
        running.publish(&[report(id, Spirit).on(date)]).await;
        let counters = running.json("/api/v1/metrics").await;
        let shown = (counters["total"].as_u64(), counters["totalToday"].as_u64());
        assert_eq!(shown, (Some(index as u64 + 1), Some(of_today)), "{id}");
        // Deliveries do not wait until the clock reaches its earlier time again.
        let told = async {
            while receiver.count() <= index {
                running.clock.advance(Duration::from_millis(100));
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        let before = running.clock.elapsed();
        soon(id, told).await;
        let took = running.clock.elapsed() - before;
        assert!(took < Duration::from_secs(600), "{id}: {took:?}");
    }
    let told: Vec<String> = receiver.requests().iter().map(|request| request.report()).collect();
    assert_eq!(told, ["a", "b", "c", "d"]);
    let request = running.http.get(running.url("/api/v1/events?events=report.created"));
    let log = running.ask(request, &[("authorization", &bearer)]).await.json();
    let logged: Vec<_> = log["events"].as_array().unwrap().iter().collect();
    let ids: Vec<_> = logged.iter().map(|event| event["data"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    let times: Vec<_> = logged.iter().map(|event| event["timestamp"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(running.database.store.check().await.unwrap().differences, []);
}
