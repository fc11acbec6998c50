use model::ReportType::{Spirit, Water};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{But, Running, report};

/// Location of a city with this key, in a known country.
fn located(country: &str, region: &str, city: &str, key: &str) -> Value {
    let hash = hex::encode(Sha256::digest(format!("3\n{key}")));
    json!({
        "country": country, "region": region, "city": city, "countryCode": key[..2], "id": format!("pl_{}", &hash[..16]),
    })
}

#[tokio::test]
async fn lists_each_place_of_the_period_once_in_the_spelling_first_published_and_countries_in_english()
 {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit).at("Zürich", "", "Switzerland").on("2024-01-31"),
            report("b", Water).at("ZURICH", "", "Schweiz").on("2024-02-01"),
            report("c", Spirit).at("São Paulo", "São Paulo", "Brasil").on("2024-02-01"),
            report("d", Spirit).at("Campinas", "Sao Paulo", "BR").on("2024-02-29"),
            report("e", Spirit).at("Oslo", "", "Norway").on("2024-03-01"),
        ])
        .await;
    assert_eq!(
        running.json("/api/v1/geo-facets?from=2024-02-01&to=2024-02-29").await,
        json!({
            "period": { "from": "2024-02-01", "to": "2024-02-29" },
            "locations": [
                located("Brazil", "São Paulo", "Campinas", "BR\nsao paulo\ncampinas"),
                located("Brazil", "São Paulo", "São Paulo", "BR\nsao paulo\nsao paulo"),
                located("Switzerland", "", "Zürich", "CH\n\nzurich"),
            ],
        })
    );
    assert_eq!(
        running.json("/api/v1/geo-facets?from=2023-01-01&to=2023-12-31").await,
        json!({ "period": { "from": "2023-01-01", "to": "2023-12-31" }, "locations": [] })
    );
}

#[tokio::test]
async fn places_are_in_order_whenever_they_came() {
    let running = Running::new().await;
    let mut expected = Vec::new();
    // Small and large batches, each with places between those of the others.
    for (batch, count) in [(0, 150), (1, 1), (2, 90), (3, 1), (4, 1)] {
        let name = |number: i32| (number * 37 % 150, batch);
        let reports: Vec<_> = (0..count)
            .map(|number| {
                let (country, city) = name(number);
                let id = format!("{batch}-{number}");
                report(&id, Spirit)
                    .at(&format!("City {city}"), "", &format!("Land {country:03}"))
                    .on("2024-02-01")
            })
            .collect();
        running.publish(&reports).await;
        expected.extend((0..count).map(name));
        expected.sort_unstable();
        let facets = running.json("/api/v1/geo-facets?from=2024-02-01&to=2024-02-01").await;
        let expected = expected.iter().map(|(country, city)| {
            [format!("Land {country:03}"), String::new(), format!("City {city}")]
        });
        let found = facets["locations"].as_array().unwrap().iter().map(|place| {
            ["country", "region", "city"].map(|name| place[name].as_str().unwrap().to_owned())
        });
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_period_is_required_and_has_to_exist() {
    let running = Running::new().await;
    for (query, detail) in [
        ("", "\"from\" is missing: give a date as YYYY-MM-DD."),
        ("?to=2024-01-01", "\"from\" is missing: give a date as YYYY-MM-DD."),
        ("?from=2024-01-01", "\"to\" is missing: give a date as YYYY-MM-DD."),
        (
            "?from=2023-02-29&to=2024-01-01",
            "\"from\" is \"2023-02-29\": give a date that exists, as YYYY-MM-DD.",
        ),
        ("?from=&to=2024-01-01", "\"from\" is \"\": give a date that exists, as YYYY-MM-DD."),
        ("?from=2024-01-02&to=2024-01-01", "\"from\" (2024-01-02) is after \"to\" (2024-01-01)."),
        ("?from=%ff&to=2024-01-01", "The value of \"from\" is not UTF-8."),
        ("?from=2024-01-01&to=%", "The value of \"to\" has a % that begins no escape: write %25."),
        ("?from=2024-01-01&to=a%00b", "The value of \"to\" has a control character (U+0000)."),
        ("?from=%ff", "The value of \"from\" is not UTF-8."),
        ("?to=%ff", "\"from\" is missing: give a date as YYYY-MM-DD."),
        ("?from=2024-01-01&to=2024-01-01&from=2024-01-01", "\"from\" is given more than once."),
        ("?from=2024-01-01&to=2024-01-01&t%6F=", "\"to\" is given more than once."),
        (
            &format!("?from={}&to=2024-01-01", "1".repeat(257)),
            "The value of \"from\" has 257 characters; the maximum is 256.",
        ),
        // Other faults of the request do not hide those of the period.
        ("?city=%ff&city=%ff&to=2024-01-01", "\"from\" is missing: give a date as YYYY-MM-DD."),
        ("?%zz=%&limit=0&from=x", "\"from\" is \"x\": give a date that exists, as YYYY-MM-DD."),
    ] {
        let answer = running.get(&format!("/api/v1/geo-facets{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert_eq!(
            answer.json(),
            json!({
                "type": "/docs/errors#INVALID_PERIOD",
                "title": "The period is missing or invalid",
                "status": 400,
                "detail": detail,
                "code": "INVALID_PERIOD",
            })
        );
    }
}

async fn with_places() -> Running {
    let running = Running::new().await;
    running
        .publish(&[
            report("a", Spirit).at("Wien", "", "Österreich").on("2024-02-01"),
            report("b", Water).at("Pune", "", "भारत").on("2024-02-01"),
            report("c", Water).at("Wuhan", "", "CN").on("2024-02-01"),
            report("d", Spirit).at("Wuhan", "", "中国").on("2024-02-02"),
            report("e", Spirit).at("Deep", "", "Atlantis").on("2024-02-01"),
        ])
        .await;
    running
}

const FEBRUARY: &str = "/api/v1/geo-facets?from=2024-02-01&to=2024-02-29";

#[tokio::test]
async fn a_country_has_one_name_in_each_language() {
    let running = with_places().await;
    for (query, names) in [
        ("", ["Atlantis/Deep", "Austria/Wien", "China/Wuhan", "India/Pune"]),
        ("&lang=en", ["Atlantis/Deep", "Austria/Vienna", "China/Wuhan", "India/Pune"]),
        ("&lang=de", ["Atlantis/Deep", "China/Wuhan", "Indien/Pune", "Österreich/Wien"]),
    ] {
        let facets = running.json(&format!("{FEBRUARY}{query}")).await;
        let found: Vec<String> = facets["locations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|place| {
                let part = |name: &str| place[name].as_str().unwrap().to_owned();
                format!("{}/{}", part("country"), part("city"))
            })
            .collect();
        assert_eq!(found, names, "{query}");
    }
}

#[tokio::test]
async fn types_narrow_the_places() {
    let running = with_places().await;
    for (types, cities) in [
        ("water", &["Wuhan", "Pune"][..]),
        ("spirit", &["Deep", "Wien", "Wuhan"]),
        ("both", &[]),
        ("spirit,water,both", &["Deep", "Wien", "Wuhan", "Pune"]),
    ] {
        let facets = running.json(&format!("{FEBRUARY}&types={types}")).await;
        let places = facets["locations"].as_array().unwrap();
        let found: Vec<_> = places.iter().map(|place| place["city"].as_str().unwrap()).collect();
        assert_eq!(found, cities, "{types}");
    }
}

#[tokio::test]
async fn places_have_an_id_and_the_code_of_a_known_country() {
    let running = with_places().await;
    let facets = running.json(FEBRUARY).await;
    let unknown = &facets["locations"][0];
    assert_eq!((&unknown["city"], unknown.get("countryCode")), (&json!("Deep"), None));
    assert!(unknown["id"].as_str().unwrap().starts_with("pl_"), "{unknown}");
    // The first 16 digits of the SHA-256 of "3\nAT\n\nwien".
    let vienna = json!({
        "country": "Austria", "region": "", "city": "Wien", "countryCode": "AT",
        "id": "pl_b33641d98de6c4d0",
    });
    assert_eq!(facets["locations"][1], vienna);
    let named = running.json(&format!("{FEBRUARY}&lang=fr")).await;
    assert_eq!(named["locations"][1]["id"], vienna["id"], "{named}");
}
