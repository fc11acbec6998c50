use std::time::Duration;

use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};

use svc::responses::snapshot::RECENT;

use crate::harness::{But, Running, report};

/// Starts a service with one report per second; the last one is the newest.
async fn running() -> Running {
    let running = Running::new().await;
    let lyon = |id, kind| report(id, kind).at("Lyon", "", "France");
    for report in [
        report("a", Water),
        lyon("b", Water),
        lyon("c", Spirit),
        lyon("d", Both),
        report("e", Spirit),
        lyon("f", Water),
    ] {
        running.publish(&[report]).await;
        running.clock.advance(Duration::from_secs(1));
    }
    running
}

/// Query string that requests the views.
pub(super) fn query(views: &[&str]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(views.iter().map(|view| ("view", view))).finish()
}

fn path(views: &[&str]) -> String {
    format!("/embed/live?{}", query(views))
}

async fn lines(running: &Running, views: &[&str]) -> Vec<Value> {
    let answer = running.get(&path(views)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/x-ndjson"));
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(view: &Value) -> String {
    view["reports"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn each_view_is_a_line_with_the_counters_and_reports_of_the_api() {
    let running = running().await;
    let lines = lines(&running, &["country=FR&limit=2", "city=campinas", ""]).await;
    for (line, (view, query)) in lines.iter().zip([
        ("country=FR&limit=2", "country=FR&limit=2"),
        ("city=campinas", "city=campinas"),
        ("", ""),
    ]) {
        assert_eq!(
            *line,
            json!({
                "view": view,
                "metrics": running.json(&format!("/api/v1/metrics?{query}")).await,
                "reports": running.json(&format!("/api/v1/reports?{query}")).await["reports"],
            })
        );
    }
    assert_eq!(lines.len(), 3);
}

#[tokio::test]
async fn reports_are_those_of_some_types_and_counters_of_all() {
    let running = running().await;
    for (view, listed, total) in [
        ("", "fedcba", 6),
        ("types=spirit", "ec", 6),
        ("types=spirit,both", "edc", 6),
        ("types=water&city=campinas", "a", 2),
        ("types=both&country=brazil", "", 2),
        ("types=water&limit=2", "fb", 6),
        ("from=2026-03-02", "", 0),
    ] {
        let [line] = &lines(&running, &[view]).await[..] else { panic!("{view}") };
        assert_eq!((&*ids(line), &line["metrics"]["total"]), (listed, &json!(total)), "{view}");
    }
}

#[tokio::test]
async fn names_are_in_the_language_of_the_view_or_as_given() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit).at("Vienna", "", "AT")]).await;
    for (view, city, country) in
        [("lang=de", "Wien", "Österreich"), ("lang=en", "Vienna", "Austria"), ("", "Vienna", "AT")]
    {
        let line = &lines(&running, &[view]).await[0];
        let report = &line["reports"][0];
        assert_eq!((&report["city"], &report["country"]), (&json!(city), &json!(country)));
    }
}

#[tokio::test]
async fn a_view_lists_twenty_reports_or_as_many_as_it_says() {
    let running = Running::new().await;
    let many: Vec<_> =
        (0..RECENT + 5).map(|number| report(&format!("r{number}"), Spirit)).collect();
    running.publish(&many).await;
    for (view, listed) in [("types=spirit", 20), ("limit=3", 3), ("limit=100", 25)] {
        let line = &lines(&running, &[view]).await[0];
        assert_eq!(line["reports"].as_array().unwrap().len(), listed, "{view}");
    }
}

#[tokio::test]
async fn a_view_has_the_days_of_events_where_it_asks_for_them() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit).on("2026-01-04"), report("b", Water)]).await;
    let query = path(&["dates=event", "", "dates=reported", "dates=event&country=BR"]);
    let days: Vec<Vec<Value>> = running
        .get(&query)
        .await
        .text()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| {
            let reports = line["reports"].as_array().unwrap();
            let mut days: Vec<Value> =
                reports.iter().map(|report| report["eventDate"].clone()).collect();
            days.sort_by_key(Value::to_string);
            days
        })
        .collect();
    let both = vec![json!("2026-01-04"), json!("2026-03-01")];
    let none = vec![Value::Null; 2];
    assert_eq!(days, [both.clone(), none.clone(), none, both]);
    // Lists of the API never contain event dates.
    assert!(!running.get("/api/v1/reports?dates=event").await.text().contains("eventDate"));
    let refused = running.get(&path(&["dates=x"])).await;
    assert_eq!(refused.status, 400);
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("\"dates\" is \"x\": give one of reported, event."), "{detail}");
}

#[tokio::test]
async fn nothing_is_sent_again_until_it_changes() {
    let running = running().await;
    let path = path(&["types=water&limit=2", "country=BR"]);
    let first = running.get(&path).await;
    assert_eq!(first.header("cache-control"), "public, max-age=1, stale-while-revalidate=5");
    assert_eq!(first.header("ratelimit"), "");
    let etag = first.header("etag");
    let again = running.get_with(&path, &[("if-none-match", etag)]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), etag);

    running.publish(&[report("other", Spirit)]).await;
    let changed = running.get_with(&path, &[("if-none-match", etag)]).await;
    assert_eq!(changed.status, 200);
    let lines: Vec<Value> =
        changed.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&*ids(&lines[0]), &lines[1]["metrics"]["total"]), ("fb", &json!(3)));
}

#[tokio::test]
async fn what_cannot_be_read_is_a_problem() {
    let running = running().await;
    for (path, status, code) in [
        ("/embed/live?view=limit%3D0", 400, "INVALID_LIMIT"),
        ("/embed/live?view=types%3Dfire", 400, "INVALID_PARAMETER"),
        ("/embed/live?view=lang%3Dxx", 400, "INVALID_PARAMETER"),
        ("/embed/live?view=from%3D2026-02-30", 400, "INVALID_PERIOD"),
        ("/embed/live?view=city%3D%25", 400, "INVALID_PARAMETER"),
        ("/embed/live?view=%", 400, "INVALID_PARAMETER"),
    ] {
        let problem = running.get(path).await;
        assert_eq!((problem.status, &problem.json()["code"]), (status, &json!(code)), "{path}");
    }
    running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
    running.service.app.snapshots.refresh().await;
    let problem = running.get(&path(&["country=FR"])).await;
    assert_eq!((problem.status, &problem.json()["code"]), (503, &json!("UNAVAILABLE")));
}
