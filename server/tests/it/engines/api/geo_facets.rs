use model::ReportType::{Spirit, Water};
use serde_json::json;

use crate::harness::{But, Running, report};

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
                { "country": "Brazil", "region": "São Paulo", "city": "Campinas" },
                { "country": "Brazil", "region": "São Paulo", "city": "São Paulo" },
                { "country": "Switzerland", "region": "", "city": "Zürich" },
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
        let locations = expected.iter().map(|(country, city)| {
            json!({ "country": format!("Land {country:03}"), "region": "", "city": format!("City {city}") })
        });
        assert_eq!(facets["locations"], locations.collect::<serde_json::Value>());
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
async fn codes_of_countries_and_ids_of_places_are_included_on_request() {
    let running = with_places().await;
    let of = async |include: &str| {
        running.json(&format!("{FEBRUARY}&include={include}")).await["locations"].clone()
    };
    let both = of("countryCode,id").await;
    assert_eq!(both[0]["countryCode"], json!(null));
    assert_eq!(both[1]["countryCode"], "AT");
    // The first 16 digits of the SHA-256 of "3\nAT\n\nwien".
    assert_eq!(both[1]["id"], "pl_b33641d98de6c4d0");
    assert_eq!(
        of("id").await[1],
        json!({
            "country": "Austria", "region": "", "city": "Wien", "id": both[1]["id"],
        })
    );
    let answer = running.get(&format!("{FEBRUARY}&include=id,code")).await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.json()["detail"],
        "\"include\" is \"id,code\": give some of countryCode and id, separated by commas."
    );
}
