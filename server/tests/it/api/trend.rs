use model::ReportType::{Both, Spirit, Water};
use serde_json::json;

use crate::harness::{But, Running, report};

const SERIES: &str = "/embed/trend/series";

async fn running() -> Running {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit),
            report("b", Water).on("2026-02-28"),
            report("c", Both).on("2026-01-30"),
            report("d", Water).at("Lyon", "", "France").on("2025-01-02"),
        ])
        .await;
    running
}

#[tokio::test]
async fn the_trend_shows_the_last_thirty_days() {
    let running = running().await;
    let series = running.json(SERIES).await;
    assert_eq!(
        series,
        running.json("/api/v1/metrics/series?interval=day&from=2026-01-31&to=2026-03-01").await
    );
    assert_eq!(series["points"].as_array().unwrap().len(), 30);
    let html = running.get("/embed/trend").await.text();
    assert!(html.contains("<b>2</b> <span>reports</span>"), "{html}");
    assert!(html.contains("<li>2026-02-28: 1 report</li><li>2026-03-01: 1 report</li>"), "{html}");
}

#[tokio::test]
async fn if_the_last_days_have_no_reports_the_trend_shows_months_or_else_years() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit).on("2019-06-01")]).await;
    let years = running.json(SERIES).await;
    assert_eq!((&years["interval"], &years["from"]), (&json!("year"), &json!("2019-01-01")));
    running.publish(&[report("b", Water).on("2025-06-01")]).await;
    let months = running.json(SERIES).await;
    assert_eq!((&months["interval"], &months["from"]), (&json!("month"), &json!("2025-04-01")));
    assert_eq!(months["points"].as_array().unwrap().len(), 12);
    let html = running.get("/embed/trend").await.text();
    assert!(html.contains("<span class=\"period\">Last 12 months</span>"), "{html}");
    // A requested period never widens.
    assert_eq!(running.json(&format!("{SERIES}?from=2026-02-01")).await["interval"], "day");
}

#[tokio::test]
async fn a_longer_period_has_longer_intervals() {
    let running = running().await;
    for (query, same) in [
        ("from=2025-06-01", "interval=week&from=2025-06-01&to=2026-03-01"),
        ("from=2023-06-01&country=FR", "interval=month&from=2023-06-01&to=2026-03-01&country=FR"),
        ("from=1990-01-01&to=2025-12-31", "interval=year&from=1990-01-01&to=2025-12-31"),
    ] {
        let shown = running.json(&format!("{SERIES}?{query}")).await;
        assert_eq!(shown, running.json(&format!("/api/v1/metrics/series?{same}")).await, "{query}");
    }
    let years = running.get("/embed/trend?from=1990-01-01").await.text();
    assert!(years.contains("<li>2025: 1 report</li><li>2026: 3 reports</li>"), "{years}");
}

#[tokio::test]
async fn any_period_can_be_shown() {
    let running = running().await;
    for query in ["from=0001-01-01", "to=0001-01-01", "from=9999-12-31", "to=9999-12-31", "from=x"]
    {
        let answer = running.get(&format!("{SERIES}?{query}")).await;
        assert_eq!(answer.status, 200, "{query}");
        let points = answer.json()["points"].as_array().unwrap().len();
        assert!((1..=62).contains(&points), "{query}: {points}");
    }
}

#[tokio::test]
async fn the_series_is_read_without_a_limit_and_sent_again_only_when_it_changed() {
    let running = running().await;
    let first = running.get(SERIES).await;
    let known = [("if-none-match", first.header("etag"))];
    for _ in 0..70 {
        assert_eq!(running.get_with(SERIES, &known).await.status, 304);
    }
    running.publish(&[report("e", Both)]).await;
    let changed = running.get_with(SERIES, &known).await;
    assert_eq!(changed.status, 200);
    let last = &changed.json()["points"][29];
    assert_eq!(
        *last,
        json!({
            "from": "2026-03-01", "to": "2026-03-01",
            "spirit": 1, "water": 0, "both": 1, "total": 2,
        })
    );
}
