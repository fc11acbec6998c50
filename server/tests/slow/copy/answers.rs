//! A service on the copy sends the same responses as one on the original.

use base::{clock::Clock, random::Random};
use serde_json::Value;
use store::Missing;

use svc::service::Service;

use super::{copied, filled};
use crate::harness::{START, Svc, http, instant, settings};

const PATHS: [&str; 17] = [
    "/api/v1/metrics",
    "/api/v1/metrics?country=Brazil&from=2024-01-01&to=2026-06-30",
    "/api/v1/metrics?city=Oslo&country=Norway",
    "/api/v1/metrics/series?interval=week&from=2024-02-01&to=2026-06-30",
    "/api/v1/metrics/series?country=Brazil&interval=year",
    "/api/v1/geo-facets?from=2023-01-01&to=2026-12-31",
    "/api/v1/geo-facets?from=2024-02-01&to=2024-12-31&country=Brazil",
    "/api/v1/reports",
    "/api/v1/reports?limit=100&types=water",
    "/api/v1/reports?country=Brazil&city=S%C3%A3o%20Paulo",
    "/embed/globe/markers",
    "/embed/trend/series?from=2024-02-01",
    "/embed/metrics.svg",
    "/api/v1/events?limit=100",
    "/api/v1/events?limit=7&events=report.withdrawn",
    "/api/v1/webhooks",
    "/api/v1/webhooks/deliveries?id=sub_0000000000000000000002",
];

/// Entity tag and body of each response of a service at a fixed time.
async fn answers(svc: &Svc, key: &str) -> Vec<(String, String)> {
    let clock = Clock::stepped(instant(START));
    let store = svc.open(Missing::Refuse).await.with_clock(clock.clone());
    let service = Service::start(settings(), store, clock, Random::seeded(1)).await.unwrap();
    let mut answers = Vec::new();
    for path in PATHS {
        let request = http().get(format!("http://{}{path}", service.addr)).bearer_auth(key);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let tag = response.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned());
        answers.push((tag.unwrap_or_default(), response.text().await.unwrap()));
    }
    service.stop().await;
    answers
}

#[tokio::test]
async fn a_service_on_the_copy_answers_byte_for_byte_like_one_on_the_original() {
    let source = filled().await;
    let key: Value = source.json(&["keys", "create", "--partner", "Acme", "--json"]);
    // The pause prevents deliveries during the test.
    source
        .change("UPDATE subscriptions SET paused_until = 9000000000000 WHERE status = 'ACTIVE'")
        .await;
    let (server, file) = (Svc::with_server(), Svc::with_file());
    copied(&source, &server);
    copied(&server, &file);
    let key = key["key"].as_str().unwrap();
    let expected = answers(&source, key).await;
    for svc in [&server, &file] {
        std::fs::copy(source.key_file(), svc.key_file()).unwrap();
        for (path, (found, expected)) in
            PATHS.iter().zip(answers(svc, key).await.iter().zip(&expected))
        {
            assert_eq!(found, expected, "{path}");
        }
    }
}
