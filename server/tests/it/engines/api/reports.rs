use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};

use crate::harness::{But, Running, report};

fn ids(body: &Value) -> Vec<&str> {
    body["reports"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect()
}

/// Imports history, which is published in order of creation: the newest report is `e`.
async fn with_reports() -> Running {
    let running = Running::new().await;
    running
        .backfill(&[
            report("a", Spirit).created("2026-01-01T08:00:00Z").on("2026-01-01"),
            report("b", Water).created("2026-01-02T08:00:00Z").on("2026-01-01"),
            report("d", Both).created("2026-01-03T08:00:00.500Z").on("2025-12-24"),
            report("c", Spirit)
                .created("2026-01-03T08:00:00.500Z")
                .at("Köln", "", "Germany")
                .on("2026-01-03"),
            report("e", Water)
                .created("2026-01-04T08:00:00Z")
                .at("Koln", "", "DE")
                .on("2026-01-02"),
        ])
        .await;
    running
}

#[tokio::test]
async fn nothing_published_is_an_empty_list() {
    let running = Running::new().await;
    assert_eq!(running.json("/api/v1/reports").await, json!({ "reports": [] }));
}

#[tokio::test]
async fn lists_the_public_form_as_each_report_spells_itself() {
    let running = with_reports().await;
    assert_eq!(
        running.json("/api/v1/reports?limit=3").await,
        json!({ "reports": [
            {
                "id": "e", "city": "Koln", "country": "DE", "peopleCount": 1,
                "type": "water", "createdAt": "2026-01-04T08:00:00.000Z",
            },
            {
                "id": "c", "city": "Köln", "country": "Germany", "peopleCount": 1,
                "type": "spirit", "createdAt": "2026-01-03T08:00:00.500Z",
            },
            {
                "id": "d", "city": "Campinas", "country": "Brazil", "peopleCount": 1,
                "type": "both", "createdAt": "2026-01-03T08:00:00.500Z",
            },
        ] })
    );
}

#[tokio::test]
async fn newest_publication_comes_first_then_the_id() {
    let running = with_reports().await;
    assert_eq!(ids(&running.json("/api/v1/reports").await), ["e", "c", "d", "b", "a"]);
    running.publish(&[report("late", Spirit).created("2025-01-01T00:00:00Z")]).await;
    assert_eq!(ids(&running.json("/api/v1/reports?limit=2").await), ["late", "e"]);
}

#[tokio::test]
async fn until_keeps_those_published_at_or_before_the_instant_on_all_pages() {
    let running = with_reports().await;
    let list = async |query: &str| {
        let body = running.json(&format!("/api/v1/reports?{query}")).await;
        ids(&body).join("")
    };
    assert_eq!(list("until=2026-01-03T08:00:00.500Z").await, "cdba");
    assert_eq!(list("until=2026-01-03T08:00:00.499Z").await, "ba");
    assert_eq!(list("since=2026-01-02T08:00:00Z&until=2026-01-03T08:00:00.500Z").await, "cdb");
    assert_eq!(list("until=2025-12-31T00:00:00Z").await, "");
    let first = "/api/v1/reports?limit=2&since=2026-01-02T08:00:00Z&until=2026-01-03T23:59:59Z";
    let page = running.get(first).await;
    let link = page.headers["link"].to_str().unwrap();
    assert!(!link.contains("rel=\"current\""), "{link}");
    let (next, _) = link.strip_prefix('<').unwrap().split_once(">; rel=\"next\"").unwrap();
    assert!(next.contains("&until="), "{next}");
    assert_eq!(ids(&running.json(&format!("/api/v1/{next}")).await), ["b"]);
    // A page begins no earlier than `until`, even with the link of another list.
    let all = running.get("/api/v1/reports?limit=1").await;
    let link = all.headers["link"].to_str().unwrap();
    let (next, _) = link.strip_prefix('<').unwrap().split_once('>').unwrap();
    let other = format!("/api/v1/{next}&until=2026-01-02T08:00:00Z");
    assert_eq!(ids(&running.json(&other).await), ["b"]);
    let refused = running.get("/api/v1/reports?until=tomorrow").await;
    assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("INVALID_SINCE")));
}

#[tokio::test]
async fn since_keeps_those_published_at_or_after_the_instant() {
    let running = with_reports().await;
    let since = async |since: &str| {
        let body = running.json(&format!("/api/v1/reports?since={since}")).await;
        ids(&body).join("")
    };
    assert_eq!(since("2026-01-03T08:00:00.500Z").await, "ecd");
    assert_eq!(since("2026-01-03T08:00:00.501Z").await, "e");
    assert_eq!(since("2026-01-03T08:00:00.500000001Z").await, "e");
    assert_eq!(since("2026-01-03T10:00:00.500%2B02:00").await, "ecd");
    assert_eq!(since("2026-01-03T10:00:00.500+02:00").await, "ecd");
    assert_eq!(since("2026-01-03T08:00:00").await, "ecd");
    for same in [
        "2026-01-03T08:00:00.500%2B0000",
        "2026-01-03T08:00:00.500+0000",
        "2026-01-03T10:00:00.500%2B02",
        "2026-01-03T10:00:00.500+02",
        "2026-01-03T05:30:00.500-0230",
        "2026-01-03 10:00:00.500+02:00",
        "2026-01-03+10:00:00.500+02:00",
        "2026-01-03T08:00:00,5Z",
        "20260103T080000.5Z",
        "20260103T100000.5+0200",
        "20260103T08",
    ] {
        assert_eq!(since(same).await, "ecd", "{same}");
    }
    assert_eq!(since("2027-01-01T00:00:00Z").await, "");
}

#[tokio::test]
async fn period_and_place_narrow_the_list() {
    let running = with_reports().await;
    let of = async |query: &str| {
        let body = running.json(&format!("/api/v1/reports?{query}")).await;
        ids(&body).join("")
    };
    assert_eq!(of("from=2026-01-01&to=2026-01-01").await, "ba");
    assert_eq!(of("to=2025-12-31").await, "d");
    assert_eq!(of("from=2026-01-02").await, "ec");
    assert_eq!(of("country=de").await, "ec");
    assert_eq!(of("city=koln&to=2026-01-02").await, "e");
    assert_eq!(of("country=Brasil&region=sao+paulo&city=campinas").await, "dba");
    assert_eq!(of("country=Brazil&since=2026-01-02T00:00:00Z&limit=1").await, "d");
    assert_eq!(of("country=France").await, "");
}

#[tokio::test]
async fn a_list_has_twenty_reports_unless_asked_for_more() {
    let running = Running::new().await;
    let many: Vec<_> = (0..130)
        .map(|number| report(&format!("r{number:03}"), Spirit))
        .map(|report| report.created("2026-02-01T00:00:00Z"))
        .collect();
    running.backfill(&many).await;
    let count = async |query: &str| ids(&running.json(query).await).len();
    assert_eq!(count("/api/v1/reports").await, 20);
    assert_eq!(count("/api/v1/reports?limit=1").await, 1);
    assert_eq!(count("/api/v1/reports?limit=100").await, 100);
    let filtered = running.json("/api/v1/reports?city=campinas&limit=3").await;
    assert_eq!(ids(&filtered), ["r000", "r001", "r002"]);
}

#[tokio::test]
async fn types_narrow_the_list_and_stay_in_its_links() {
    let running = with_reports().await;
    assert_eq!(ids(&running.json("/api/v1/reports?types=water").await), ["e", "b"]);
    assert_eq!(ids(&running.json("/api/v1/reports?types=both,spirit").await), ["c", "d", "a"]);
    let answer = running.get("/api/v1/reports?types=water&limit=1&lang=de").await;
    assert!(answer.header("link").contains("reports?types=water&limit=1&lang=de&page="));
    assert_eq!(running.get("/api/v1/reports?types=fire").await.status, 400);
}

#[tokio::test]
async fn places_have_their_names_in_the_requested_language() {
    let running = with_reports().await;
    let place = async |lang: &str| {
        let body = running.json(&format!("/api/v1/reports?limit=1{lang}")).await;
        let part = |name: &str| body["reports"][0][name].as_str().unwrap().to_owned();
        format!("{}, {}", part("city"), part("country"))
    };
    assert_eq!(place("").await, "Koln, DE");
    assert_eq!(place("&lang=de").await, "Köln, Deutschland");
    assert_eq!(place("&lang=pt-BR").await, "Colônia, Alemanha");
    let answer = running.get("/api/v1/reports?lang=xx").await;
    assert_eq!(answer.json()["code"], "INVALID_PARAMETER");
}
