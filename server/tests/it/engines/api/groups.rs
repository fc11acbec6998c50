use domain::report::NewReport;
use model::ReportType::{self, Both, Spirit, Water};
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::harness::{But, Running, report};

const PATH: &str = "/api/v1/metrics/by";

async fn with_reports() -> Running {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit).at("Wien", "", "Österreich"),
            report("b", Water).at("VIENNA", "", "AT").on("2026-02-28"),
            report("c", Both).at("Pune", "Maharashtra", "भारत").on("2025-12-31"),
            report("d", Spirit).at("Pune", "Maharashtra", "India").on("2025-12-31"),
            report("e", Water).at("Deep", "", "Atlantis").on("2025-12-30"),
            report("f", Water).at("Mumbai", "Maharashtra", "India"),
        ])
        .await;
    running
}

/// Members of the groups of a response.
fn listed<'g>(body: &'g Value, member: &str) -> Vec<&'g str> {
    let groups = body["groups"].as_array().unwrap();
    groups.iter().map(|group| group[member].as_str().unwrap()).collect()
}

#[tokio::test]
async fn countries_have_codes_positions_and_names_in_the_language() {
    let running = with_reports().await;
    let mut body = running.json(&format!("{PATH}?group=country")).await;
    let position = body["groups"][0]["position"].take();
    assert_eq!(position["precision"], "country");
    assert!((5.0..35.0).contains(&position["lat"].as_f64().unwrap()), "{position}");
    body["groups"][1]["position"].take();
    let key = body["groups"][2]["key"].take();
    assert!(key.as_str().unwrap().starts_with("pl_"), "{key}");
    assert_eq!(
        body,
        json!({ "groups": [
            {
                "key": "IN", "name": "India", "countryCode": "IN", "position": null,
                "spirit": 1, "water": 1, "both": 1, "total": 3,
            },
            {
                "key": "AT", "name": "Austria", "countryCode": "AT", "position": null,
                "spirit": 1, "water": 1, "both": 0, "total": 2,
            },
            { "key": null, "name": "Atlantis", "spirit": 0, "water": 1, "both": 0, "total": 1 },
        ] })
    );
    let german = running.json(&format!("{PATH}?group=country&lang=de&sort=name")).await;
    assert_eq!(listed(&german, "name"), ["Atlantis", "Indien", "Österreich"]);
}

#[tokio::test]
async fn regions_and_cities_name_what_they_are_in() {
    let running = with_reports().await;
    let regions = running.json(&format!("{PATH}?group=region&country=IN")).await;
    let mut region = regions["groups"][0].clone();
    region["position"].take();
    region["key"].take();
    assert_eq!(
        region,
        json!({
            "key": null, "name": "Maharashtra", "country": "India", "countryCode": "IN", "position": null,
            "spirit": 1, "water": 1, "both": 1, "total": 3,
        })
    );
    let cities = running.json(&format!("{PATH}?group=city&lang=en&types=spirit,both")).await;
    assert_eq!(listed(&cities, "name"), ["Pune", "Vienna"]);
    assert_eq!(listed(&cities, "country"), ["India", "Austria"]);
    assert_eq!(listed(&cities, "region"), ["Maharashtra", ""]);
    assert_eq!(cities["groups"][0]["position"]["precision"], "city");
    let facets = "/api/v1/geo-facets?from=2025-01-01&to=2026-12-31&types=both";
    assert_eq!(
        running.json(facets).await["locations"][0]["id"],
        cities["groups"][0]["key"],
        "a place has the same id everywhere"
    );
}

#[tokio::test]
async fn types_and_days_are_groups_too() {
    let running = with_reports().await;
    assert_eq!(
        running.json(&format!("{PATH}?group=type&country=AT&sort=key")).await,
        json!({ "groups": [
            { "key": "spirit", "name": "spirit", "spirit": 1, "water": 0, "both": 0, "total": 1 },
            { "key": "water", "name": "water", "spirit": 0, "water": 1, "both": 0, "total": 1 },
        ] })
    );
    let days = running.json(&format!("{PATH}?group=day&sort=key")).await;
    assert_eq!(listed(&days, "key"), ["2025-12-30", "2025-12-31", "2026-02-28", "2026-03-01"]);
    let busiest = running.json(&format!("{PATH}?group=day&limit=2")).await;
    assert_eq!(listed(&busiest, "name"), ["2025-12-31", "2026-03-01"]);
}

#[tokio::test]
async fn pages_follow_each_other_in_every_order() {
    let running = with_reports().await;
    for (sort, groups) in [
        ("total", "city"),
        ("spirit", "city"),
        ("water", "country"),
        ("name", "city"),
        ("key", "city"),
        ("key", "day"),
        ("both", "region"),
    ] {
        let query = format!("group={groups}&sort={sort}");
        let whole = running.json(&format!("{PATH}?{query}")).await;
        let mut expected = listed(&whole, "key");
        let mut url = format!("{PATH}?{query}&limit=1");
        while !expected.is_empty() {
            let answer = running.get(&url).await;
            let body = answer.json();
            assert_eq!(listed(&body, "key"), [expected.remove(0)], "{url}");
            let Some(next) = body["next"].as_str() else {
                assert_eq!(answer.header("link"), "");
                break;
            };
            let link = format!("by?{query}&limit=1&page={next}");
            assert_eq!(answer.header("link"), format!("<{link}>; rel=\"next\""));
            url = format!("/api/v1/metrics/{link}");
        }
        assert_eq!(expected, [""; 0], "{query}");
    }
}

#[tokio::test]
async fn wrong_queries_are_refused() {
    let running = with_reports().await;
    let page = running.json(&format!("{PATH}?group=city&limit=1")).await["next"].clone();
    let page = page.as_str().unwrap();
    for (query, code) in [
        ("", "INVALID_PARAMETER"),
        ("?group=town", "INVALID_PARAMETER"),
        ("?group=city&sort=size", "INVALID_PARAMETER"),
        ("?group=city&sorts=name", "INVALID_PARAMETER"),
        ("?group=city&limit=1001", "INVALID_LIMIT"),
        ("?group=city&from=x", "INVALID_PERIOD"),
        ("?group=day&from=2020-01-01", "INVALID_PERIOD"),
        ("?group=city&page=x", "INVALID_PARAMETER"),
        (&format!("?group=country&page={page}"), "INVALID_PARAMETER"),
        (&format!("?group=city&sort=name&page={page}"), "INVALID_PARAMETER"),
    ] {
        let answer = running.get(&format!("{PATH}{query}")).await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!(code)), "{query}");
    }
}

/// Pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end) as usize
    }
}

fn some_report(numbers: &mut Numbers, number: usize) -> NewReport {
    let countries = ["Brazil", "BR", "Peru", "Atlantis"];
    let regions = ["North", "South"];
    let cities = ["Alpha", "ALPHA", "Beta", "Gamma"];
    let days = ["2024-02-29", "2024-12-31", "2025-01-01", "2025-06-15", "2026-03-01"];
    report(&format!("r{number}"), ReportType::ALL[numbers.below(3)])
        .at(cities[numbers.below(4)], regions[numbers.below(2)], countries[numbers.below(4)])
        .on(days[numbers.below(5)])
}

#[tokio::test]
async fn a_group_has_the_counters_of_the_metrics_with_its_filter() {
    let running = Running::new().await;
    let mut numbers = Numbers(7);
    for batch in 0..3 {
        let reports: Vec<_> =
            (0..60).map(|number| some_report(&mut numbers, batch * 60 + number)).collect();
        running.publish(&reports).await;
        for filter in [
            "",
            "&types=water",
            "&from=2024-12-31&to=2025-06-15",
            "&country=PE&types=spirit,both",
            "&region=south&from=2025-01-01",
            "&city=alpha&to=2025-12-31",
        ] {
            let all = running.json(&format!("/api/v1/metrics?{filter}")).await;
            for group in ["country", "region", "city", "type"] {
                let body = running.json(&format!("{PATH}?group={group}{filter}")).await;
                let groups = body["groups"].as_array().unwrap();
                let total: u64 = groups.iter().map(|group| group["total"].as_u64().unwrap()).sum();
                assert_eq!(json!(total), all["total"], "{group}{filter}");
                match group {
                    "country" => assert_eq!(json!(groups.len()), all["countries"], "{filter}"),
                    "city" => assert_eq!(json!(groups.len()), all["cities"], "{filter}"),
                    _ => {}
                }
                for one in groups {
                    let mut query = form_urlencoded::Serializer::new(String::new());
                    let part = |name: &str| one[name].as_str().unwrap_or_default();
                    match group {
                        "type" => query.append_pair("types", part("key")),
                        _ => query.append_pair(group, part("name")),
                    };
                    for outer in ["country", "region"] {
                        if outer != group && !one[outer].is_null() {
                            query.append_pair(outer, part(outer));
                        }
                    }
                    // The group's own filter replaces those of the list.
                    let query = query.finish();
                    let is_kept = |pair: &&str| {
                        let name = pair.split('=').next().unwrap_or_default();
                        !query.split('&').any(|own| own.split('=').next() == Some(name))
                    };
                    let rest: Vec<&str> = filter.split('&').filter(is_kept).collect();
                    let metrics =
                        running.json(&format!("/api/v1/metrics?{query}{}", rest.join("&"))).await;
                    for member in ["spirit", "water", "both", "total"] {
                        assert_eq!(
                            one[member], metrics[member],
                            "{member} {query} of {group}{filter}"
                        );
                    }
                }
            }
        }
    }
}
