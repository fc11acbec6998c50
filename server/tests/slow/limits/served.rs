//! Two services on one Redis, over HTTP.

use std::time::Duration;

use domain::tier::Tier;
use reqwest::Response;

use svc::config::Serve;

use crate::{
    harness::{Answer, Running, START, settings, soon},
    redis::{PATIENT, Redis},
};

const HOME: (&str, &str) = ("x-forwarded-for", "192.0.2.1");

/// Starts two nodes with stepped clocks and separate databases, and waits until they have detected each other.
async fn two(redis: &Redis) -> [Running; 2] {
    let shared = || Serve { redis_url: Some(redis.url(PATIENT).parse().unwrap()), ..settings() };
    let nodes = [Running::with(shared(), START).await, Running::with(shared(), START).await];
    for node in &nodes {
        soon("the other node", async {
            while node.service.app.limits.status().unwrap().nodes < 2 {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
    nodes
}

async fn number(running: &Running, name: &str) -> String {
    let url = format!("http://{}/metrics", running.service.ops_addr.unwrap());
    let numbers = Answer::of(running.http.get(url).send().await.unwrap()).await.text();
    let mut lines = numbers.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(named, _)| *named == name).map_or(String::new(), |(_, value)| value.to_owned())
}

/// Status, headers and body of a response, without headers that differ between any two responses.
fn shown(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let differs = |name: &str| matches!(name, "date" | "x-request-id");
    let headers = answer.headers.iter().filter(|(name, _)| !differs(name.as_str()));
    let headers =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (answer.status, headers.collect(), answer.text())
}

async fn open(running: &Running) -> Response {
    let request = running.http.get(running.url("/api/v1/stream"));
    request.header(HOME.0, HOME.1).send().await.unwrap()
}

#[tokio::test]
async fn two_services_answer_as_one_with_its_limits_in_memory_does() {
    let redis = Redis::start().await;
    let (nodes, alone) = (two(&redis).await, Running::new().await);
    let all = [&nodes[0], &nodes[1], &alone];
    for (number, millis) in [(0..50, 100), (50..70, 0), (70..72, 54_999), (72..75, 1)] {
        for number in number {
            let node = &nodes[number % 2];
            let path = ["/api/v1/metrics", "/api/v1/reports?limit=x"][number / 2 % 2];
            let answer = node.get_with(path, &[HOME]).await;
            assert_eq!(shown(&answer), shown(&alone.get_with(path, &[HOME]).await), "{number}");
            for running in all {
                running.clock.advance(Duration::from_millis(millis));
            }
        }
    }
    for (running, policy) in [(&nodes[0], "1"), (&alone, "")] {
        assert_eq!(number(running, "svc_redis_up").await, policy);
    }
    assert_eq!(number(&nodes[1], "svc_limit_nodes").await, "2");
    assert_eq!(number(&nodes[1], "svc_limit_local_decisions_total").await, "0");
}

#[tokio::test]
async fn streams_of_an_address_count_on_both_services() {
    let redis = Redis::start().await;
    let (nodes, alone) = (two(&redis).await, Running::new().await);
    let mut streams = Vec::new();
    for number in 0..20 {
        streams.push(open(&nodes[number % 2]).await);
        streams.push(open(&alone).await);
    }
    assert!(streams.iter().all(|stream| stream.status() == 200));
    let refused = Answer::of(open(&nodes[0]).await).await;
    assert_eq!(refused.status, 429);
    assert_eq!(shown(&refused), shown(&Answer::of(open(&alone).await).await));
    assert_eq!(number(&nodes[0], "svc_open_streams").await, "10");
    drop(streams);
    // Each attempt counts as a request, so the clocks advance.
    soon("another stream", async {
        while open(&nodes[1]).await.status() != 200 {
            for node in &nodes {
                node.clock.advance(Duration::from_secs(60));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn without_redis_a_service_starts_and_says_so_in_its_numbers() {
    let mut redis = Redis::start().await;
    redis.kill();
    let shared = Serve { redis_url: Some(redis.url(PATIENT).parse().unwrap()), ..settings() };
    let running = Running::with(shared, START).await;
    assert_eq!(running.get_with("/api/v1/metrics", &[HOME]).await.status, 200);
    for (name, value) in [
        ("svc_redis_up", "0"),
        ("svc_redis_outages_total", "1"),
        ("svc_limit_nodes", "1"),
        ("svc_limit_local_decisions_total", "1"),
    ] {
        assert_eq!(number(&running, name).await, value, "{name}");
    }
    redis.run().await;
    soon("Redis", async {
        while number(&running, "svc_redis_up").await != "1" {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let answer = running.get_with("/api/v1/metrics", &[HOME]).await;
    assert_eq!(answer.header("ratelimit"), "\"public\";r=58;t=60");
}

#[tokio::test]
async fn a_key_without_a_limit_needs_no_redis() {
    let redis = Redis::start().await;
    let [node, _other] = two(&redis).await;
    let key = node.key("Aid", Tier::Enterprise).await;
    node.service.app.keys.refresh().await.unwrap();
    redis.pause();
    let bearer = format!("Bearer {}", key.as_str());
    let answer = node.get_with("/api/v1/metrics", &[("authorization", &bearer)]).await;
    redis.resume();
    assert_eq!(answer.header("ratelimit"), "\"enterprise\";r=999999999999999;t=0");
    assert_eq!(number(&node, "svc_limit_local_decisions_total").await, "0");
}

#[tokio::test]
async fn an_empty_url_is_none() {
    let empty = Serve { redis_url: Some("".parse().unwrap()), ..settings() };
    let running = Running::with(empty, START).await;
    assert_eq!(running.service.app.limits.status(), None);
}
