use std::time::Duration;

use domain::report::NewReport;
use kit::lang::Lang;
use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};

use svc::responses::MAX_MARKERS;

use crate::harness::{But, Running, report};

const MARKERS: &str = "/embed/globe/markers";

async fn running() -> Running {
    let running = Running::new().await;
    let lyon = |id, kind| report(id, kind).at("Lyon", "", "France");
    let reports = [
        report("a", Spirit),
        report("b", Water),
        report("c", Spirit).at("CAMPINAS", "sao paulo", "BR"),
        lyon("d", Both),
        lyon("e", Both),
        report("f", Water).at("Nowhere at all", "", "Atlantis"),
    ];
    running.publish(&reports).await;
    running
}

#[tokio::test]
async fn reports_are_one_marker_a_city_the_most_first() {
    let answer = running().await.json(MARKERS).await;
    assert_eq!(answer["countries"], json!(["Brazil", "France"]));
    assert_eq!(
        answer["markers"],
        json!([
            [-22.9, -47.06, 2, 1, 0, "Campinas", 0, "c"],
            [45.75, 4.85, 0, 0, 2, "Lyon", 1, "c"],
        ])
    );
    // Reports published at the same time are ordered by id. A report without a position has no marker.
    let newest = answer["newest"].as_array().unwrap();
    let ids: Vec<_> = newest.iter().map(|newest| newest[0].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e"]);
    assert_eq!(newest[3], json!(["d", 45.75, 4.85, "Lyon", "France"]));
}

#[tokio::test]
async fn a_corrected_position_moves_the_marker() {
    let running = Running::new().await;
    let placed = |lat| NewReport { position: Some((lat, 10.0)), ..report("a", Spirit) };
    running.publish(&[placed(50.0)]).await;
    assert_eq!(running.json(MARKERS).await["markers"][0][0], 50.0);
    let elsewhere = running.database.elsewhere().await;
    elsewhere.reports().correct("a", |_| Ok::<_, ()>(placed(60.0))).await.unwrap();
    running.service.app.snapshots.refresh().await;
    assert_eq!(running.json(MARKERS).await["markers"][0][0], 60.0);
}

#[tokio::test]
async fn places_have_their_names_in_the_language_asked_for() {
    let running = Running::new().await;
    let at = |id, city, country| report(id, Spirit).at(city, "", country);
    running
        .publish(&[
            at("a", "Vienna", "AT"),
            at("b", "Vienna", "AT"),
            at("c", "Wien", "AT"),
            at("d", "Lyon", "France"),
        ])
        .await;
    let names = async |lang: &str| {
        let answer = running.json(&format!("{MARKERS}?lang={lang}")).await;
        let markers = answer["markers"].as_array().unwrap();
        let rows: Vec<_> = markers.iter().map(|row| json!([row[5], row[2]])).collect();
        (answer["countries"].clone(), json!(rows))
    };
    assert_eq!(
        names("de").await,
        (json!(["Österreich", "Frankreich"]), json!([["Wien", 3], ["Lyon", 1]]))
    );
    assert_eq!(names("ar").await, (json!(["النمسا", "فرنسا"]), json!([["فيينا", 3], ["ليون", 1]])));
    // Unsupported languages get the names as they were reported.
    assert_eq!(
        names("ja").await,
        (json!(["AT", "France"]), json!([["Vienna", 2], ["Wien", 1], ["Lyon", 1]]))
    );
    // The newest reports use the same names.
    for (lang, city, country) in [("fr", "Vienne", "Autriche"), ("ja", "Wien", "AT")] {
        let answer = running.json(&format!("{MARKERS}?lang={lang}")).await;
        assert_eq!(answer["newest"][2], json!(["c", 48.21, 16.37, city, country]), "{lang}");
    }
}

#[tokio::test]
async fn changes_are_told_in_the_language_of_the_version() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit).at("Vienna", "", "AT")]).await;
    let version = running.json(&format!("{MARKERS}?lang=de")).await["version"].clone();
    running.publish(&[report("b", Spirit).at("Moscow", "", "Russia")]).await;
    let since = format!("{MARKERS}?lang=de&since={}", version.as_str().unwrap());
    let changes = running.json(&since).await;
    assert_eq!(changes["since"], version);
    assert_eq!(changes["countries"], json!(["Russland"]));
    assert_eq!(changes["markers"][0][5], "Moskau");
    // A version of another language is unknown.
    let other = running.json(&since.replace("lang=de", "lang=fr")).await;
    assert_eq!(other["since"], json!(null));
    assert_eq!(other["countries"], json!(["Autriche", "Russie"]));
}

#[tokio::test]
async fn a_rough_position_says_that_it_is_one() {
    let running = Running::new().await;
    let rough = |id, region| report(id, Spirit).at("Qwxyzstadt", region, "Brazil");
    running.publish(&[rough("a", "São Paulo"), rough("b", "")]).await;
    let answer = running.json(MARKERS).await;
    let precision = |index: usize| answer["markers"][index][7].as_str().unwrap().to_owned();
    assert_eq!([precision(0), precision(1)], ["r", "n"]);
}

#[tokio::test]
async fn place_and_types_narrow_as_they_do_in_the_widgets() {
    let running = running().await;
    for (query, markers) in [
        ("country=france", json!([[45.75, 4.85, 0, 0, 2, "Lyon", 0, "c"]])),
        ("types=water", json!([[-22.9, -47.06, 0, 1, 0, "Campinas", 0, "c"]])),
        ("city=campinas&types=spirit,both", json!([[-22.9, -47.06, 2, 0, 0, "Campinas", 0, "c"]])),
        ("region=Bavaria", json!([])),
    ] {
        let answer = running.json(&format!("{MARKERS}?{query}")).await;
        assert_eq!(answer["markers"], markers, "{query}");
    }
    let water = running.json(&format!("{MARKERS}?types=water")).await;
    assert_eq!(water["newest"], json!([["b", -22.9, -47.06, "Campinas", "Brazil"]]));
}

#[tokio::test]
async fn given_positions_come_first_and_are_told_to_a_kilometre() {
    let running = Running::new().await;
    let at = |id, lat, lng| NewReport { position: Some((lat, lng)), ..report(id, Spirit) };
    running.publish(&[at("a", 10.123_456, 20.0), at("b", 10.133_456, 20.02)]).await;
    let answer = running.get(MARKERS).await;
    assert!(
        answer.text().contains("[10.13,20.01,2,0,0,\"Campinas\",0,\"c\"]"),
        "{}",
        answer.text()
    );
    assert!(!answer.text().contains("10.123"));
}

#[tokio::test]
async fn a_city_moves_to_where_its_later_reports_say_and_back_when_they_go() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water).at("Lyon", "", "France")]).await;
    let position = async |query: &str| {
        let answer = running.json(&format!("{MARKERS}{query}")).await;
        let marker = &answer["markers"][0];
        assert_eq!(marker[5], "Campinas");
        let newest = answer["newest"].as_array().unwrap();
        let newest = newest.iter().find(|newest| newest[0] == "a").unwrap();
        assert_eq!((&newest[1], &newest[2]), (&marker[0], &marker[1]));
        json!([marker[0], marker[1]])
    };
    assert_eq!(position("").await, json!([-22.9, -47.06]));
    let at = |id, lat, lng| NewReport { position: Some((lat, lng)), ..report(id, Spirit) };
    // Published reports and imported history count, also if the first request selects a single type.
    running.publish(&[at("c", 10.0, 20.0)]).await;
    assert_eq!(position("?types=spirit").await, json!([10.0, 20.0]));
    assert_eq!(position("").await, json!([10.0, 20.0]));
    running.backfill(&[at("d", 10.02, 20.04).created("2020-01-01T00:00:00.000Z")]).await;
    assert_eq!(position("").await, json!([10.01, 20.02]));
    for (withdrawn, left) in [("c", json!([10.02, 20.04])), ("d", json!([-22.9, -47.06]))] {
        running.withdraw(withdrawn).await;
        assert_eq!(position("").await, left, "without {withdrawn}");
    }
}

#[tokio::test]
async fn markers_are_cached_like_reads_and_move_with_the_data() {
    let running = running().await;
    let first = running.get(MARKERS).await;
    let etag = first.header("etag");
    assert_eq!(first.header("cache-control"), "public, max-age=1, stale-while-revalidate=5");
    assert_eq!(first.header("content-type"), "application/json");
    assert_eq!(first.header("ratelimit"), "");
    assert_eq!(running.get_with(MARKERS, &[("if-none-match", etag)]).await.status, 304);

    running.clock.advance(Duration::from_secs(1));
    running.publish(&[report("new", Spirit)]).await;
    let later = running.get_with(MARKERS, &[("if-none-match", etag)]).await;
    assert_eq!(later.status, 200);
    assert_eq!(later.json()["markers"][0][2], 3);
    assert_eq!(later.json()["newest"][0][0], "new");
}

#[tokio::test]
async fn there_are_ten_thousand_markers_at_the_most_and_the_largest_stay() {
    let running = Running::new().await;
    let mut reports: Vec<NewReport> = (0..=MAX_MARKERS)
        .map(|number| {
            let city = format!("Town {number}");
            report(&format!("r{number}"), Spirit).at(&city, "São Paulo", "Brazil")
        })
        .collect();
    // The place added last is not the one with the highest count.
    reports.push(report("again", Spirit).at(&format!("Town {MAX_MARKERS}"), "São Paulo", "Brazil"));
    running.backfill(&reports).await;
    let answer = running.json(MARKERS).await;
    let markers = answer["markers"].as_array().unwrap();
    assert_eq!(markers.len(), MAX_MARKERS);
    assert_eq!(markers[0][5], format!("Town {MAX_MARKERS}"));
}

/// Returns the changes since a version.
async fn since(running: &Running, version: &Value) -> Value {
    running.json(&format!("{MARKERS}?since={}", version.as_str().unwrap())).await
}

#[tokio::test]
async fn since_a_version_only_what_has_changed_is_sent() {
    let running = Running::new().await;
    let lyon = |id, kind| report(id, kind).at("Lyon", "", "France");
    running.publish(&[report("a", Spirit), lyon("b", Both)]).await;
    let first = running.json(MARKERS).await["version"].clone();

    running.clock.advance(Duration::from_secs(1));
    running.publish(&[lyon("c", Water)]).await;
    let published = since(&running, &first).await;
    let second = running.json(MARKERS).await["version"].clone();
    assert_ne!(second, first);
    assert_eq!(
        published,
        json!({
            "version": second,
            "since": first,
            "countries": ["France"],
            "markers": [[45.75, 4.85, 0, 1, 1, "Lyon", 0, "c"]],
            "newest": [
                ["c", 45.75, 4.85, "Lyon", "France"],
                ["a", -22.9, -47.06, "Campinas", "Brazil"],
                ["b", 45.75, 4.85, "Lyon", "France"],
            ],
        })
    );

    running.withdraw("a").await;
    let withdrawn = since(&running, &second).await;
    let third = running.json(MARKERS).await["version"].clone();
    let newest =
        json!([["c", 45.75, 4.85, "Lyon", "France"], ["b", 45.75, 4.85, "Lyon", "France"]]);
    assert_eq!(
        withdrawn,
        json!({
            "version": third,
            "since": second,
            "countries": ["Brazil"],
            "markers": [[-22.9, -47.06, 0, 0, 0, "Campinas", 0, "c"]],
            "newest": newest,
        })
    );
    assert_eq!(
        since(&running, &first).await,
        json!({
            "version": third,
            "since": first,
            "countries": ["France", "Brazil"],
            "markers": [
                [45.75, 4.85, 0, 1, 1, "Lyon", 0, "c"],
                [-22.9, -47.06, 0, 0, 0, "Campinas", 1, "c"],
            ],
            "newest": newest,
        })
    );
    assert_eq!(
        since(&running, &third).await,
        json!({
            "version": third,
            "since": third,
            "countries": [],
            "markers": [],
            "newest": newest,
        })
    );
}

#[tokio::test]
async fn pages_in_every_language_get_changes_only_however_many_reports_are_published() {
    let running = Running::new().await;
    // Long names make the states heavy: a few publications fill the cache.
    let town = |number: usize| format!("{} {number}", "Town".repeat(20));
    let place = |id: &str, number| report(id, Spirit).at(&town(number), "São Paulo", "Brazil");
    let reports: Vec<NewReport> =
        (0..2_000).map(|number| place(&format!("r{number}"), number)).collect();
    running.backfill(&reports).await;
    let path = |lang: Lang| format!("{MARKERS}?lang={}", lang.tag());
    let mut known = Vec::new();
    for lang in Lang::ALL {
        known.push((lang, running.json(&path(lang)).await["version"].clone()));
    }
    for round in 0..8 {
        running.clock.advance(Duration::from_secs(5));
        running.publish(&[place(&format!("new{round}"), round)]).await;
        for (lang, version) in &mut known {
            let since = format!("{}&since={}", path(*lang), version.as_str().unwrap());
            let changes = running.json(&since).await;
            assert_eq!(changes["since"], *version, "{lang:?} in round {round}");
            let markers = changes["markers"].as_array().unwrap();
            assert_eq!(markers.len(), 1, "{lang:?} in round {round}");
            assert_eq!((&markers[0][2], &markers[0][5]), (&json!(2), &json!(town(round))));
            *version = changes["version"].clone();
        }
    }
}

#[tokio::test]
async fn changes_are_cached_like_the_markers_themselves() {
    let running = running().await;
    let version = running.json(MARKERS).await["version"].clone();
    let path = format!("{MARKERS}?since={}", version.as_str().unwrap());
    let first = running.get(&path).await;
    let etag = first.header("etag");
    assert_eq!(first.header("cache-control"), "public, max-age=1, stale-while-revalidate=5");
    let again = running.get_with(&path, &[("if-none-match", etag)]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    running.publish(&[report("new", Spirit)]).await;
    let later = running.get_with(&path, &[("if-none-match", etag)]).await;
    assert_eq!((later.status, &later.json()["since"]), (200, &version));
}

#[tokio::test]
async fn since_an_unknown_version_everything_is_sent() {
    let running = running().await;
    let everything = running.get(MARKERS).await.text();
    assert!(!everything.contains("\"since\""), "{everything}");
    let over_long = "0".repeat(65);
    for version in ["", "unknown", "%00", "%ff", &over_long] {
        let answer = running.get(&format!("{MARKERS}?since={version}")).await;
        assert_eq!(answer.text(), everything, "{version}");
    }
    // The version of a different set of markers is unknown.
    let version = running.json(MARKERS).await["version"].clone();
    let water = format!("{MARKERS}?types=water");
    let since = format!("{water}&since={}", version.as_str().unwrap());
    assert_eq!(running.json(&since).await, running.json(&water).await);
}

#[tokio::test]
async fn the_same_markers_have_the_same_version_on_every_node() {
    let (one, other) = (running().await, running().await);
    assert_eq!(one.get(MARKERS).await.text(), other.get(MARKERS).await.text());
}
