//! OpenTelemetry spans, decoded as by a collector.

use std::time::Duration;

use domain::tier::Tier;
use model::ReportType::Spirit;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value},
    trace::v1::{Span, span::SpanKind, status::StatusCode},
};
use prost::Message;

use scratch::log::Log;
use svc::config::{Serve, WebhookTargets};

use crate::{
    harness::{Running, START, report, settings, soon},
    receiver::{Receiver, Reply},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: (&str, &str) =
    ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

/// Starts a service that sends traces to this collector.
async fn traced(collector: &Receiver, share: f64) -> Running {
    let endpoint = format!("http://{}", collector.address);
    let mut settings = Serve { endpoints: WebhookTargets::lenient(), ..settings() };
    settings.tracing.otlp_endpoint = Some(endpoint.parse().unwrap());
    settings.tracing.otlp_share = share;
    Running::with(settings, START).await
}

/// Stops the service, and returns all spans that the collector has received.
async fn stopped(running: Running, collector: &Receiver) -> Vec<Span> {
    let Running { service, database: _kept, .. } = running;
    service.stop().await;
    let requests = collector.requests();
    let spans = requests.iter().flat_map(|request| {
        assert_eq!(request.headers["content-type"], "application/x-protobuf");
        let sent = ExportTraceServiceRequest::decode(&*request.body).unwrap();
        let resources = sent.resource_spans.into_iter();
        resources.flat_map(|resource| {
            let attributes = resource.resource.unwrap().attributes;
            assert_eq!(value(&attributes, "service.name"), "svc");
            assert_eq!(value(&attributes, "service.version"), env!("CARGO_PKG_VERSION"));
            resource.scope_spans.into_iter().flat_map(|scope| scope.spans).collect::<Vec<_>>()
        })
    });
    spans.collect()
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Value of an attribute as text; empty if it is missing.
fn value(attributes: &[KeyValue], name: &str) -> String {
    let attribute = attributes.iter().find(|attribute| attribute.key == name);
    match attribute.and_then(|found| found.value.clone()?.value) {
        Some(any_value::Value::StringValue(text)) => text,
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        None => String::new(),
        Some(other) => panic!("{name}: {other:?}"),
    }
}

#[tokio::test]
async fn each_request_is_a_span_of_the_trace_that_it_belongs_to() {
    let collector = Receiver::with(Reply::Status(200)).await;
    let running = traced(&collector, 1.0).await;
    running.get_with("/api/v1/metrics?city=secret", &[PARENT]).await;
    let own = running.get("/made-up").await.header("x-request-id").to_owned();
    running.get("/healthz").await;
    let spans = stopped(running, &collector).await;
    let [metrics, unknown] = &spans[..] else { panic!("{spans:?}") };
    assert_eq!(hex::encode(&metrics.trace_id), TRACE);
    assert_eq!(hex::encode(&metrics.parent_span_id), "00f067aa0ba902b7");
    assert_eq!((&*metrics.name, metrics.kind()), ("GET /api/v1/metrics", SpanKind::Server));
    let of = |span: &Span, name| value(&span.attributes, name);
    for (name, expected) in [
        ("http.request.method", "GET"),
        ("http.route", "/api/v1/metrics"),
        ("http.response.status_code", "200"),
        ("url.path", "/api/v1/metrics"),
    ] {
        assert_eq!(of(metrics, name), expected, "{name}");
    }
    assert!(metrics.end_time_unix_nano >= metrics.start_time_unix_nano);
    assert_eq!(hex::encode(&unknown.trace_id), own);
    assert_eq!((&*unknown.name, unknown.parent_span_id.is_empty()), ("GET", true));
    assert_eq!(
        (of(unknown, "http.response.status_code"), of(unknown, "http.route")),
        ("404".into(), String::new())
    );
    assert_ne!(metrics.span_id, unknown.span_id);
}

#[tokio::test]
async fn a_key_in_a_path_reaches_no_trace() {
    let collector = Receiver::with(Reply::Status(200)).await;
    let running = traced(&collector, 1.0).await;
    let key = running.key("Aid", Tier::Partner).await;
    running.get(&format!("/keys/{}/x", key.as_str())).await;
    let spans = stopped(running, &collector).await;
    let [span] = &spans[..] else { panic!("{spans:?}") };
    assert_eq!(value(&span.attributes, "url.path"), format!("/keys/{}…/x", key.prefix()));
    assert!(!format!("{spans:?}").contains(&key.as_str()[12..]), "{spans:?}");
}

#[tokio::test]
async fn each_try_of_a_webhook_is_a_trace_that_shows_nothing_but_the_host() {
    let collector = Receiver::with(Reply::Status(200)).await;
    let partner = Receiver::with(Reply::Status(503)).await;
    let running = traced(&collector, 1.0).await;
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    let body =
        format!(r#"{{"url":"{}/a-secret-path","events":["report.created"]}}"#, partner.url());
    let subscribe = running.http.post(running.url("/api/v1/webhooks")).body(body);
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    assert_eq!(running.ask(subscribe, &headers).await.status, 201);
    running.publish(&[report("a", Spirit)]).await;
    soon("the webhook", async {
        while partner.count() == 0 {
            running.clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    soon("the span", async {
        while !collector.requests().iter().any(|request| has(&request.body, b"webhook")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let spans = stopped(running, &collector).await;
    let span = spans.iter().find(|span| span.name == "webhook").unwrap();
    assert_eq!(span.kind(), SpanKind::Client);
    assert_eq!(span.status.as_ref().unwrap().code(), StatusCode::Error);
    assert_eq!(value(&span.attributes, "http.response.status_code"), "503");
    assert_eq!(value(&span.attributes, "server.address"), "127.0.0.1");
    assert!(!format!("{spans:?}").contains("secret"), "{spans:?}");
}

#[tokio::test]
async fn no_caller_can_have_more_traces_recorded_than_the_share_but_fewer() {
    let sampled = |trace: u32| format!("00-{trace:032x}-00f067aa0ba902b7-01");
    let recorded = async |share: f64| {
        let collector = Receiver::with(Reply::Status(200)).await;
        let running = traced(&collector, share).await;
        let unsampled = format!("00-{TRACE}-00f067aa0ba902b7-00");
        running.get_with("/robots.txt", &[("traceparent", &unsampled)]).await;
        // Other services would sample these ids by their lower bytes, at any ratio.
        for trace in 1..=40 {
            running.get_with("/robots.txt", &[("traceparent", &sampled(trace))]).await;
            running.get("/robots.txt").await;
        }
        stopped(running, &collector).await.len()
    };
    assert_eq!([recorded(0.0).await, recorded(1.0).await], [0, 80]);
    let half = recorded(0.5).await;
    assert!((25..55).contains(&half), "{half}");
}

#[tokio::test]
async fn a_collector_that_is_away_costs_no_request_and_is_named_once() {
    let (log, _listening) = Log::listen();
    let collector = Receiver::with(Reply::Status(500)).await;
    let running = traced(&collector, 1.0).await;
    for times in 1..=3 {
        assert_eq!(running.get("/api/v1/metrics").await.status, 200);
        collector.until(times).await;
    }
    stopped(running, &collector).await;
    let lines = log.taken("traces are lost");
    assert!(matches!(&*lines, [line] if line.contains("host=\"127.0.0.1\"")), "{lines:?}");
}
