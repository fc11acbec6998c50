use std::time::Duration;

use model::ReportType::{Both, Spirit, Water};
use serde_json::json;

use crate::harness::{But, Running, report};

async fn with_reports() -> Running {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit),
            report("b", Water).on("2026-02-28"),
            report("c", Both).at("München", "Bayern", "Germany").on("2025-12-31"),
            report("d", Spirit).at("MUNCHEN", "bayern", "Deutschland"),
            report("e", Water).at("Springfield", "Illinois", "USA").on("2016-07-04"),
            report("f", Water).at("Springfield", "Oregon", "US").on("2024-02-29"),
        ])
        .await;
    running
}

#[tokio::test]
async fn an_empty_service_counts_nothing() {
    let running = Running::new().await;
    assert_eq!(
        running.json("/api/v1/metrics").await,
        json!({
            "spirit": 0, "water": 0, "both": 0, "total": 0,
            "spiritToday": 0, "waterToday": 0, "bothToday": 0, "totalToday": 0,
            "countries": 0, "cities": 0, "updatedAt": "2026-03-01T00:00:00.000Z",
        })
    );
}

#[tokio::test]
async fn counts_types_apart_and_places_once() {
    let running = with_reports().await;
    assert_eq!(
        running.json("/api/v1/metrics").await,
        json!({
            "spirit": 2, "water": 3, "both": 1, "total": 6,
            "spiritToday": 2, "waterToday": 0, "bothToday": 0, "totalToday": 2,
            "countries": 3, "cities": 4, "updatedAt": "2026-03-01T12:00:00.000Z",
        })
    );
}

#[tokio::test]
async fn a_period_narrows_the_counters_but_not_those_of_today() {
    let running = with_reports().await;
    assert_eq!(
        running.json("/api/v1/metrics?from=2025-12-31&to=2026-02-28").await,
        json!({
            "spirit": 0, "water": 1, "both": 1, "total": 2,
            "spiritToday": 2, "waterToday": 0, "bothToday": 0, "totalToday": 2,
            "countries": 2, "cities": 2, "updatedAt": "2026-03-01T12:00:00.000Z",
        })
    );
}

#[tokio::test]
async fn either_end_of_a_period_may_be_open() {
    let running = with_reports().await;
    let total = async |query: &str| running.json(query).await["total"].clone();
    assert_eq!(total("/api/v1/metrics?from=2026-02-28").await, 3);
    assert_eq!(total("/api/v1/metrics?from=2026-03-02").await, 0);
    assert_eq!(total("/api/v1/metrics?to=2024-02-29").await, 2);
    assert_eq!(total("/api/v1/metrics?to=2016-07-03").await, 0);
    assert_eq!(total("/api/v1/metrics?from=0001-01-01&to=9999-12-31").await, 6);
}

#[tokio::test]
async fn a_place_matches_without_regard_to_case_accents_and_the_form_of_the_country() {
    let running = with_reports().await;
    for query in [
        "city=munchen",
        "city=M%C3%9CNCHEN",
        "city=Mu%CC%88nchen",
        "city=%20M%C3%BCnchen%20",
        "region=BAYERN",
        "country=de",
        "country=DEU",
        "country=Alemania",
        "country=germany&region=Bayern&city=M%C3%BCnchen",
        "country=&region=&city=munchen",
    ] {
        let metrics = running.json(&format!("/api/v1/metrics?{query}")).await;
        let expected = json!({
            "spirit": 1, "water": 0, "both": 1, "total": 2,
            "spiritToday": 1, "waterToday": 0, "bothToday": 0, "totalToday": 1,
            "countries": 1, "cities": 1, "updatedAt": "2026-03-01T12:00:00.000Z",
        });
        assert_eq!(metrics, expected, "{query}");
    }
}

#[tokio::test]
async fn a_city_alone_counts_in_every_region_that_has_one() {
    let running = with_reports().await;
    let metrics = running.json("/api/v1/metrics?city=springfield").await;
    assert_eq!((&metrics["total"], &metrics["cities"]), (&json!(2), &json!(2)));
    let metrics = running.json("/api/v1/metrics?city=springfield&region=oregon").await;
    assert_eq!((&metrics["total"], &metrics["cities"]), (&json!(1), &json!(1)));
    let metrics = running.json("/api/v1/metrics?city=springfield&from=2020-01-01").await;
    assert_eq!((&metrics["total"], &metrics["cities"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn a_place_where_nothing_happened_counts_nothing() {
    let running = with_reports().await;
    for query in ["country=France", "region=Texas", "city=Atlantis", "country=DE&city=Campinas"] {
        let metrics = running.json(&format!("/api/v1/metrics?{query}")).await;
        assert_eq!((&metrics["total"], &metrics["cities"]), (&json!(0), &json!(0)), "{query}");
    }
}

#[tokio::test]
async fn an_empty_geo_parameter_is_no_filter() {
    let running = with_reports().await;
    assert_eq!(
        running.json("/api/v1/metrics?country=&region=&city=").await,
        running.json("/api/v1/metrics").await
    );
}

#[tokio::test]
async fn the_time_of_the_counters_is_the_same_for_every_filter_and_however_late_it_is_asked() {
    let running = with_reports().await;
    let read_at = json!("2026-03-01T12:00:00.000Z");
    for path in [
        "/api/v1/metrics",
        "/api/v1/metrics?country=BR",
        "/api/v1/metrics?country=BR&to=2026-03-01",
    ] {
        running.clock.advance(Duration::from_secs(600));
        assert_eq!(running.json(path).await["updatedAt"], read_at, "{path}");
    }
    running.publish(&[report("g", Water)]).await;
    let read_at = json!("2026-03-01T12:30:00.000Z");
    for path in ["/api/v1/metrics?country=BR", "/api/v1/metrics"] {
        assert_eq!(running.json(path).await["updatedAt"], read_at, "{path}");
        running.clock.advance(Duration::from_secs(600));
    }
}

#[tokio::test]
async fn types_narrow_all_counters_also_those_of_places() {
    let running = with_reports().await;
    for (query, [spirit, water, both, spirit_today, countries, cities]) in [
        ("types=water", [0, 3, 0, 0, 2, 3]),
        ("types=both,spirit", [2, 0, 1, 2, 2, 2]),
        ("types=spirit,water,both", [2, 3, 1, 2, 3, 4]),
        ("types=water&from=2025-12-31&to=2026-02-28", [0, 1, 0, 0, 1, 1]),
        ("types=water&country=US&lang=de", [0, 2, 0, 0, 1, 2]),
        ("types=spirit&country=US", [0; 6]),
        ("types=spirit&country=Atlantis", [0; 6]),
    ] {
        let total = spirit + water + both;
        assert_eq!(
            running.json(&format!("/api/v1/metrics?{query}")).await,
            json!({
                "spirit": spirit, "water": water, "both": both, "total": total,
                "spiritToday": spirit_today, "waterToday": 0, "bothToday": 0, "totalToday": spirit_today,
                "countries": countries, "cities": cities, "updatedAt": "2026-03-01T12:00:00.000Z",
            }),
            "{query}"
        );
    }
}
