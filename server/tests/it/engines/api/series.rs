use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};

use crate::harness::{But, Running, report};

async fn with_reports() -> Running {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit),
            report("b", Water).on("2026-02-28"),
            report("c", Both).at("München", "Bayern", "Germany").on("2025-12-31"),
            report("d", Spirit).at("MUNCHEN", "bayern", "Deutschland"),
            report("e", Water).at("Springfield", "Illinois", "USA").on("2026-02-03"),
        ])
        .await;
    running
}

fn point(from: &str, to: &str, [spirit, water, both]: [u64; 3]) -> Value {
    let total = spirit + water + both;
    json!({ "from": from, "to": to, "spirit": spirit, "water": water, "both": both, "total": total })
}

#[tokio::test]
async fn each_month_from_the_first_report_to_today_is_counted_unless_told_otherwise() {
    let running = with_reports().await;
    assert_eq!(
        running.json("/api/v1/metrics/series").await,
        json!({
            "interval": "month",
            "from": "2025-12-01",
            "to": "2026-03-01",
            "points": [
                point("2025-12-01", "2025-12-31", [0, 0, 1]),
                point("2026-01-01", "2026-01-31", [0, 0, 0]),
                point("2026-02-01", "2026-02-28", [0, 2, 0]),
                point("2026-03-01", "2026-03-01", [2, 0, 0]),
            ],
            "updatedAt": "2026-03-01T12:00:00.000Z",
        })
    );
}

#[tokio::test]
async fn intervals_are_cut_off_at_the_ends_of_the_period() {
    let running = with_reports().await;
    for (query, points) in [
        (
            "interval=day&from=2026-02-27&to=2026-03-01",
            vec![
                point("2026-02-27", "2026-02-27", [0, 0, 0]),
                point("2026-02-28", "2026-02-28", [0, 1, 0]),
                point("2026-03-01", "2026-03-01", [2, 0, 0]),
            ],
        ),
        (
            // From a Thursday to a Tuesday.
            "interval=week&from=2026-02-19&to=2026-03-03",
            vec![
                point("2026-02-19", "2026-02-22", [0, 0, 0]),
                point("2026-02-23", "2026-03-01", [2, 1, 0]),
                point("2026-03-02", "2026-03-03", [0, 0, 0]),
            ],
        ),
        (
            "interval=month&from=2026-02-04&to=2026-02-27",
            vec![point("2026-02-04", "2026-02-27", [0, 0, 0])],
        ),
        (
            "interval=year&from=2024-07-01&to=2026-02-28",
            vec![
                point("2024-07-01", "2024-12-31", [0, 0, 0]),
                point("2025-01-01", "2025-12-31", [0, 0, 1]),
                point("2026-01-01", "2026-02-28", [0, 2, 0]),
            ],
        ),
        (
            "interval=month&country=DE&to=2026-01-15",
            vec![
                point("2025-12-01", "2025-12-31", [0, 0, 1]),
                point("2026-01-01", "2026-01-15", [0, 0, 0]),
            ],
        ),
    ] {
        let series = running.json(&format!("/api/v1/metrics/series?{query}")).await;
        assert_eq!(series["points"], json!(points), "{query}");
        assert_eq!(series["from"], points[0]["from"], "{query}");
        assert_eq!(series["to"], points[points.len() - 1]["to"], "{query}");
    }
}

#[tokio::test]
async fn where_nothing_happened_the_series_is_of_today() {
    let running = Running::new().await;
    for (query, from) in [
        ("interval=day", "2026-03-01"),
        ("interval=week&country=France", "2026-02-23"),
        ("interval=month&city=Atlantis", "2026-03-01"),
        ("interval=year", "2026-01-01"),
    ] {
        let series = running.json(&format!("/api/v1/metrics/series?{query}")).await;
        let points = json!([point(from, "2026-03-01", [0, 0, 0])]);
        assert_eq!(series["points"], points, "{query}");
    }
}

#[tokio::test]
async fn a_report_of_a_day_that_is_still_to_come_is_counted() {
    let running = Running::new().await;
    let from = "/api/v1/metrics/series?interval=month&from=2026-03-01";
    running.publish(&[report("a", Spirit).on("2026-04-02")]).await;
    let points = [
        point("2026-03-01", "2026-03-31", [0, 0, 0]),
        point("2026-04-01", "2026-04-02", [1, 0, 0]),
    ];
    assert_eq!(running.json(from).await["points"], json!(points));
    let later = running.json(&from.replace("03-01", "05-07")).await;
    assert_eq!(later["points"], json!([point("2026-05-07", "2026-05-07", [0, 0, 0])]));
}

#[tokio::test]
async fn a_series_changes_with_the_reports() {
    let running = with_reports().await;
    let path = "/api/v1/metrics/series?interval=year&from=2026-01-01";
    let year = async || running.json(path).await["points"][0].clone();
    assert_eq!(year().await, point("2026-01-01", "2026-03-01", [2, 2, 0]));
    running.publish(&[report("f", Both)]).await;
    assert_eq!(year().await, point("2026-01-01", "2026-03-01", [2, 2, 1]));
    running.withdraw("a").await;
    assert_eq!(year().await, point("2026-01-01", "2026-03-01", [1, 2, 1]));
}

#[tokio::test]
async fn more_than_a_thousand_points_are_refused_with_what_to_do() {
    let running = with_reports().await;
    let days = "/api/v1/metrics/series?interval=day&from=2023-06-06&to=2026-03-01";
    let points = running.json(days).await["points"].as_array().unwrap().len();
    assert_eq!(points, 1_000);
    for (query, detail) in [
        (
            "interval=day&from=2023-06-05&to=2026-03-01",
            "From 2023-06-05 to 2026-03-01 there are 1001 intervals of one day; a series has at most \
             1000: give a shorter period or interval=week.",
        ),
        (
            "interval=week&from=1900-01-01",
            "From 1900-01-01 to 2026-03-01 there are 6583 intervals of one week; a series has at most \
             1000: give a shorter period or interval=year.",
        ),
        (
            "interval=year&from=0001-01-01&to=9999-12-31",
            "From 0001-01-01 to 9999-12-31 there are 9999 intervals of one year; a series has at most \
             1000: give a shorter period.",
        ),
    ] {
        for _ in 0..2 {
            let answer = running.get(&format!("/api/v1/metrics/series?{query}")).await;
            assert_eq!(
                (answer.status, answer.json()),
                (
                    400,
                    json!({
                        "type": "/docs/errors#INVALID_PERIOD",
                        "title": "The period is missing or invalid",
                        "status": 400,
                        "detail": detail,
                        "code": "INVALID_PERIOD",
                    })
                )
            );
        }
    }
}

#[tokio::test]
async fn an_unknown_interval_is_refused() {
    let running = Running::new().await;
    for interval in ["", "hour", "Day", "day,week"] {
        let answer = running.get(&format!("/api/v1/metrics/series?interval={interval}")).await;
        let problem = answer.json();
        assert_eq!((answer.status, &problem["code"]), (400, &json!("INVALID_PARAMETER")));
        let detail = format!("\"interval\" is {interval:?}: give one of day, week, month, year.");
        assert_eq!(problem["detail"], detail);
    }
}

#[tokio::test]
async fn types_narrow_the_points_and_the_period() {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit).on("2020-05-01"),
            report("b", Both).on("2025-12-31"),
            report("c", Water).on("2026-02-01"),
        ])
        .await;
    let series = running.json("/api/v1/metrics/series?interval=year&types=both,water").await;
    let point = |from: &str, to: &str, water: u64, both: u64| json!({ "from": from, "to": to, "spirit": 0, "water": water, "both": both, "total": 1 });
    assert_eq!(
        series["points"],
        json!([point("2025-01-01", "2025-12-31", 0, 1), point("2026-01-01", "2026-03-01", 1, 0)])
    );
}
