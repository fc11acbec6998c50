//! Metrics on the operator's `/metrics`.

use std::{collections::BTreeSet, time::Duration};

use domain::tier::Tier;
use model::ReportType::{Spirit, Water};
use serde_json::{Value, json};
use store::Mode;

use svc::{
    api::v1::stream::TICK,
    config::{Serve, WebhookTargets},
};

use webhooks::dispatcher::REST;

use crate::{
    exposition::Exposition,
    harness::{Running, START, report, settings, soon},
    receiver::{Receiver, Reply},
};

const DOCS: &str = include_str!("../../../docs/operate/monitor.md");
const DASHBOARD: &str = include_str!("../../../examples/grafana/dashboard.json");
const ALERTS: &str = include_str!("../../../examples/prometheus/alerts.yaml");

/// Waits until the metric with this name and labels has this value, and returns all metrics.
async fn until(running: &Running, name: &str, labels: &str, value: f64) -> Exposition {
    soon(name, async {
        loop {
            let shown = Exposition::of(running).await;
            if shown.all(name).contains(&(labels.to_owned(), value)) {
                return shown;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

fn labelled<const N: usize>(values: [(&str, f64); N]) -> Vec<(String, f64)> {
    values.map(|(labels, value)| (labels.to_owned(), value)).into()
}

#[tokio::test]
async fn requests_are_counted_by_the_route_and_the_class_of_the_status() {
    let running = Running::new().await;
    let from = [("x-forwarded-for", "192.0.2.1")];
    for path in ["/api/v1/metrics", "/api/v1/metrics?country=Brazil", "/api/v1/metrics?x"] {
        assert_eq!(running.get_with(path, &from).await.status, 200);
    }
    let etag = running.get_with("/api/v1/metrics", &from).await.header("etag").to_owned();
    let same = [from[0], ("if-none-match", &*etag)];
    assert_eq!(running.get_with("/api/v1/metrics", &same).await.status, 304);
    for number in 0..5 {
        assert_eq!(running.get(&format!("/made-up/{number}")).await.status, 404);
    }
    assert_eq!(running.get_with("/api/v1/reports?limit=x", &from).await.status, 400);
    assert_eq!(running.get("/embed/metrics").await.status, 200);
    assert_eq!(running.get("/embed/nothing").await.status, 404);
    assert_eq!(running.get("/api/v1/nothing").await.status, 404);
    assert_eq!(running.get("/robots.txt").await.status, 200);
    let preflight = running.http.request(http::Method::OPTIONS, running.url("/api/v1/metrics"));
    assert_eq!(running.ask(preflight, &[]).await.status, 200);
    while running.get_with("/api/v1/metrics", &from).await.status == 200 {}
    let shown = Exposition::of(&running).await;
    assert_eq!(
        shown.all("svc_http_request_duration_seconds_count"),
        labelled([
            ("public,other,2xx", 1.0),
            ("public,other,4xx", 5.0),
            ("public,/api/v1/metrics,2xx", 58.0),
            ("public,/api/v1/metrics,3xx", 1.0),
            ("public,/api/v1/metrics,4xx", 1.0),
            ("public,/api/v1/reports,4xx", 1.0),
            ("public,/api/{*unknown},4xx", 1.0),
            ("public,/embed/{widget},2xx", 1.0),
            ("public,/embed/{widget},4xx", 1.0),
            ("public,/robots.txt,2xx", 1.0),
        ])
    );
    let requests = shown.all("svc_http_requests_total");
    assert_eq!(requests, labelled([("public", 71.0), ("operator", 1.0)]));
    let limited = shown.all("svc_http_requests_limited_total");
    assert_eq!(
        limited,
        labelled([
            ("public,public", 1.0),
            ("public,partner", 0.0),
            ("public,uncached", 0.0),
            ("public,sign-in", 0.0),
            ("public,intake", 0.0),
            ("public,other", 0.0),
            ("operator,public", 0.0),
            ("operator,partner", 0.0),
            ("operator,uncached", 0.0),
            ("operator,sign-in", 0.0),
            ("operator,intake", 0.0),
            ("operator,other", 0.0),
        ])
    );
}

#[tokio::test]
async fn requests_on_the_operators_address_are_counted_too() {
    let running = Running::new().await;
    let ops = format!("http://{}", running.service.ops_addr.unwrap());
    for path in ["/health", "/operator/v1/status", "/operator/v1/status", "/nothing"] {
        running.http.get(format!("{ops}{path}")).send().await.unwrap();
    }
    assert_eq!(
        Exposition::of(&running).await.all("svc_http_request_duration_seconds_count"),
        labelled([
            ("operator,other,4xx", 1.0),
            ("operator,/health,2xx", 1.0),
            ("operator,/operator/v1/status,4xx", 2.0),
        ])
    );
}

#[tokio::test]
async fn a_service_below_a_path_has_the_same_routes() {
    let running = Running::with(crate::harness::reached_at("https://example.org/c"), START).await;
    for path in ["/c/api/v1/metrics", "/api/v1/metrics"] {
        assert_eq!(running.get(path).await.status, 200);
    }
    let shown = Exposition::of(&running).await;
    let counts = shown.all("svc_http_request_duration_seconds_count");
    assert_eq!(counts, labelled([("public,/api/v1/metrics,2xx", 2.0)]));
    // The two requests came from different addresses.
    assert_eq!(shown.one("svc_limit_clients"), 2.0);
}

#[tokio::test]
async fn ticks_that_are_late_are_counted_by_how_late_they_are() {
    let running = Running::new().await;
    let mut stream = running.http.get(running.url("/api/v1/stream")).send().await.unwrap();
    stream.chunk().await.unwrap();
    assert_eq!(Exposition::of(&running).await.one("svc_open_streams"), 1.0);
    running.clock.advance(TICK + Duration::from_millis(30));
    soon("a tick", stream.chunk()).await.unwrap();
    let shown = Exposition::of(&running).await;
    let name = "svc_stream_tick_lateness_seconds";
    let buckets = shown.all(&format!("{name}_bucket"));
    let at = |bound: &str| buckets.iter().find(|(le, _)| le == bound).unwrap().1;
    assert_eq!((at("0.025"), at("0.05"), at("+Inf")), (0.0, 1.0, 1.0));
    assert_eq!(shown.one(&format!("{name}_sum")), 0.03);
}

#[tokio::test]
async fn reports_and_deliveries_are_counted_by_what_became_of_them() {
    let serve = Serve { endpoints: WebhookTargets::lenient(), ..settings() };
    let running = Running::with(serve, START).await;
    let key = running.key("Aid", Tier::Partner).await;
    let (well, gone) =
        (Receiver::with(Reply::Status(204)).await, Receiver::with(Reply::Status(410)).await);
    for receiver in [&well, &gone] {
        let body = json!({ "url": receiver.url(), "events": ["report.created"] }).to_string();
        let request = running.http.post(running.url("/api/v1/webhooks")).body(body);
        let bearer = format!("Bearer {}", key.as_str());
        let headers = [("authorization", &*bearer), ("content-type", "application/json")];
        assert_eq!(running.ask(request, &headers).await.status, 201);
    }
    let pending = [report("p-1", Water), report("p-2", Spirit)];
    running.database.store.reports().import(&pending, Mode::Pending).await.unwrap();
    running.publish(&[report("a-1", Spirit)]).await;
    running.clock.advance(REST);
    let ended = "svc_webhook_deliveries_total";
    until(&running, ended, "delivered", 1.0).await;
    let shown = until(&running, "svc_webhook_subscriptions", "disabled", 1.0).await;
    assert_eq!(
        shown.all("svc_webhook_subscriptions"),
        labelled([("active", 1.0), ("disabled", 1.0)])
    );
    assert_eq!(shown.all(ended), labelled([("delivered", 1.0), ("failed", 0.0)]));
    let attempts = shown.all("svc_webhook_attempt_duration_seconds_count");
    assert_eq!(attempts, labelled([("2xx", 1.0), ("4xx", 1.0)]));
    assert_eq!(shown.one("svc_webhook_attempts_accepted_total"), 1.0);
    assert_eq!(shown.one("svc_webhook_attempts_failed_total"), 1.0);
    assert_eq!((shown.one("svc_reports"), shown.one("svc_reports_pending")), (1.0, 2.0));
    let routes = shown.all("svc_http_request_duration_seconds_count");
    let of_webhooks = routes.iter().find(|(labels, _)| labels == "public,/api/v1/webhooks,2xx");
    assert_eq!(of_webhooks.unwrap().1, 2.0);
}

#[tokio::test]
async fn connections_to_the_database_are_shown_for_each_purpose() {
    let running = Running::new().await;
    running.database.store.reports().pending().await.unwrap();
    let shown = Exposition::of(&running).await;
    let pools = shown.all("svc_database_connections");
    let names: Vec<&str> = pools.iter().map(|(labels, _)| labels.as_str()).collect();
    assert_eq!(
        names,
        [
            "requests,used",
            "requests,idle",
            "background,used",
            "background,idle",
            "changes,used",
            "changes,idle"
        ]
    );
    let used = shown.all("svc_database_connections_max");
    for ((pool, most), both) in used.iter().zip(pools.chunks(2)) {
        let open = both[0].1 + both[1].1;
        assert!(open <= *most && both[0].0.starts_with(pool.as_str()), "{pools:?} of {used:?}");
    }
    // The number of pending reports has just been read from the database.
    assert!(pools[2].1 + pools[3].1 >= 1.0, "{pools:?}");
}

#[tokio::test]
async fn numbers_from_a_database_that_cannot_be_read_are_those_of_the_last_reading_with_its_age() {
    let serve = Serve { endpoints: WebhookTargets::lenient(), ..settings() };
    let running = Running::with(serve, START).await;
    let key = running.key("Aid", Tier::Partner).await;
    let body = json!({ "url": "http://127.0.0.1:9/", "events": ["report.created"] }).to_string();
    let request = running.http.post(running.url("/api/v1/webhooks")).body(body);
    let bearer = format!("Bearer {}", key.as_str());
    let headers = [("authorization", &*bearer), ("content-type", "application/json")];
    assert_eq!(running.ask(request, &headers).await.status, 201);
    running.database.store.reports().import(&[report("p-1", Water)], Mode::Pending).await.unwrap();
    let read = [
        "svc_reports_pending",
        "svc_webhook_deliveries_pending",
        "svc_webhook_subscriptions",
        "svc_webhook_backlog_events",
        "svc_webhook_oldest_undelivered_seconds",
    ];
    let known = Exposition::of(&running).await;
    running.database.tamper("ALTER TABLE subscriptions RENAME TO elsewhere").await;
    running.database.tamper("ALTER TABLE reports RENAME TO nowhere").await;
    let shown = Exposition::of(&running).await;
    for name in read {
        assert!(!known.all(name).is_empty(), "{name}");
        assert_eq!(shown.all(name), known.all(name), "{name}");
    }
    running.clock.advance(Duration::from_secs(90));
    assert_eq!(Exposition::of(&running).await.one("svc_database_reading_age_seconds"), 90.0);
    running.database.tamper("ALTER TABLE elsewhere RENAME TO subscriptions").await;
    running.database.tamper("ALTER TABLE nowhere RENAME TO reports").await;
    assert_eq!(Exposition::of(&running).await.one("svc_database_reading_age_seconds"), 0.0);
}

#[tokio::test]
async fn the_version_is_a_label() {
    let shown = Exposition::of(&Running::new().await).await;
    assert_eq!(shown.all("svc_build_info"), labelled([(env!("CARGO_PKG_VERSION"), 1.0)]));
}

#[tokio::test]
async fn every_number_is_in_the_docs_with_its_kind() {
    let shown = Exposition::of(&Running::new().await).await;
    let shown: Vec<String> = shown
        .families
        .iter()
        .map(|family| {
            let ending = if family.kind == "counter" { "_total" } else { "" };
            format!("{}{ending} {}", family.name, family.kind)
        })
        .collect();
    let rows = DOCS.lines().filter_map(|line| line.strip_prefix("| `svc_"));
    let documented: Vec<String> = rows
        .map(|row| {
            let mut cells = row.split(" | ");
            let name = cells.next().unwrap().split(['`', '{']).next().unwrap();
            format!("svc_{name} {}", cells.next().unwrap())
        })
        .collect();
    assert_eq!(documented, shown);
}

/// Names of the service's metrics in a text.
fn names(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c)).filter(|word| word.starts_with("svc_"));
    words.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_dashboard_and_the_alerts_use_only_numbers_that_there_are() {
    let there_are = Exposition::of(&Running::new().await).await.names();
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    let queries: Vec<&str> = targets.map(|target| target["expr"].as_str().unwrap()).collect();
    assert!(queries.iter().all(|query| !names(query).is_empty()), "{queries:?}");
    let shown = names(&queries.join("\n"));
    let rules = ALERTS.lines().filter(|line| line.trim_start().starts_with("expr: "));
    assert_eq!(rules.count(), ALERTS.matches("- alert: ").count());
    for used in [&shown, &names(DASHBOARD), &names(ALERTS)] {
        let unknown: Vec<_> = used.difference(&there_are).collect();
        assert_eq!(unknown, [&""; 0]);
    }
    // The dashboard need not show every series of a histogram.
    let is_part = |name: &&String| name.ends_with("_sum") || name.ends_with("_count");
    let not_shown: Vec<_> = there_are.difference(&shown).filter(|name| !is_part(name)).collect();
    assert_eq!(not_shown, [&""; 0]);
}
