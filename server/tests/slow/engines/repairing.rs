//! Every kind of damage is detected, named and repaired.

use base::time::parse_date;
use domain::report::NewReport;
use domain::report::Step;
use geo::places::{country_key, fold};
use model::{Interval, ReportType};
use store::{ALL_TYPES, Filter, Mode, Period, PlaceFilter, Rebuilt, ReportsQuery, Store};

use crate::harness::{But, Database, instant, report};

/// Creates two approved reports in Campinas, one each in Santos and Munich, a withdrawn one in Bergen, a pending one,
/// and one that was withdrawn and reopened.
async fn filled() -> Database {
    let database = Database::new().await;
    let store = &database.store;
    let in_munich = |id| report(id, ReportType::Both).at("München", "Bayern", "Germany");
    let rows: [NewReport; 6] = [
        report("a", ReportType::Spirit).on("2026-02-28"),
        report("b", ReportType::Water),
        report("c", ReportType::Water).at("Santos", "São Paulo", "Brazil").on("2024-02-29"),
        in_munich("d"),
        report("e", ReportType::Spirit).at("Bergen", "Vestland", "Norway"),
        in_munich("f"),
    ];
    store.reports().import(&rows, Mode::Approve).await.unwrap();
    store.reports().decide(Step::Withdraw, &["e".to_owned(), "f".to_owned()]).await.unwrap();
    store.reports().decide(Step::Reopen, &["f".to_owned()]).await.unwrap();
    store.reports().import(&[report("g", ReportType::Water)], Mode::Pending).await.unwrap();
    assert_eq!(store.check().await.unwrap().differences, []);
    database
}

/// Results of all public queries.
async fn answers(store: &Store) -> Vec<String> {
    let today = parse_date("2026-03-01").unwrap();
    let february = Period { from: parse_date("2024-02-02"), to: parse_date("2026-02-28") };
    let places = [
        PlaceFilter::default(),
        PlaceFilter::new(Some("Brasil"), None, None),
        PlaceFilter::new(None, Some("sao paulo"), None),
        PlaceFilter::new(Some("DEU"), Some("Bayern"), Some("Munchen")),
        PlaceFilter::new(Some("Norway"), None, None),
    ];
    let mut answers = Vec::new();
    for period in [Period::default(), february] {
        for place in &places {
            let filter = Filter { period, place: place.clone() };
            answers.push(format!(
                "{:?}",
                store.counters().metrics(&filter, today).await.unwrap().value
            ));
            for interval in Interval::ALL {
                let series = store.counters().series(&filter, interval, today).await.unwrap().value;
                answers.push(format!("{series:?}"));
            }
            let query = ReportsQuery { filter, ..ReportsQuery::newest(10) };
            let listed = store.reports().recent(&query).await.unwrap().value;
            answers.extend(listed.into_iter().map(|listed| listed.report.id));
        }
        for place in store.counters().geo_facets(period, ALL_TYPES).await.unwrap() {
            let [country, region, city] =
                [country_key(&place.country), fold(&place.region), fold(&place.city)];
            answers.push(format!("{country}/{region}/{city}"));
        }
    }
    answers
}

/// Statements that damage the database, and some of the differences that a check must report.
const DAMAGE: &[(&str, &[&str])] = &[
    (
        "DELETE FROM counts",
        &[
            "the world, all time: stored nothing, recounted 1 spirit, 2 water, 1 both",
            "Santos, São Paulo, Brazil, 2024-02-29: stored nothing, recounted 0 spirit, 1 water, 0 both",
        ],
    ),
    (
        "UPDATE counts SET counts = x'FFFFFF' WHERE grain = 1",
        &[
            "page 0 of the counts, 2024: stored an unreadable page, recounted a page",
            "Brazil, 2024: stored nothing, recounted 0 spirit, 1 water, 0 both",
        ],
    ),
    (
        "INSERT INTO counts (grain, page, bucket, counts) VALUES (3, 0, 1, x'02000000')",
        &["Brazil, 1970-01-02: stored 0 spirit, 0 water, 0 both, recounted 0 spirit, 0 water, 0 both"],
    ),
    (
        "INSERT INTO counts (grain, page, bucket, counts) VALUES (3, 0, 1, x'')",
        &["page 0 of the counts, 1970-01-02: stored an empty page, recounted a page"],
    ),
    (
        "INSERT INTO counts (grain, page, bucket, counts) VALUES (0, 7, 0, x'01010203')",
        &["place 3584, all time: stored 1 spirit, 2 water, 3 both, recounted 0 spirit, 0 water, 0 both"],
    ),
    (
        "DELETE FROM presence",
        &["the set of cities, all time: stored 0 cities, recounted 3 cities"],
    ),
    (
        "DELETE FROM presence WHERE grain = 0 AND bucket = 1",
        &["the set of countries, all time: stored 0 countries, recounted 2 countries"],
    ),
    (
        "UPDATE presence SET cities = x'00' WHERE grain = 2",
        &["the set of cities, 2024-02: stored an unreadable set, recounted 1 city"],
    ),
    (
        "UPDATE presence SET cities = (SELECT cities FROM presence WHERE grain = 0 AND bucket = 0); DELETE FROM counts",
        &["the set of cities, 2024-02-29: stored 3 cities, recounted 1 city"],
    ),
    (
        "INSERT INTO places (parent_id, level, country_key, region_key, city_key, country, region, city)
         VALUES (0, 1, 'atlantide', '', '', 'Atlantis', '', '')",
        &["Atlantis, all time: stored a place, recounted no report"],
    ),
    (
        "UPDATE places SET parent_id = (SELECT id FROM places WHERE level = 2 AND region_key = 'bayern')
         WHERE city_key = 'santos'",
        &["Santos, São Paulo, Brazil, where it lies: stored Bayern, Germany, recounted BR/sao paulo/"],
    ),
    (
        "UPDATE places SET parent_id = NULL WHERE level IN (1, 3)",
        &["Germany, where it lies: stored nowhere, recounted //"],
    ),
    (
        "UPDATE places SET city = 'Sandos', region = '' WHERE city_key = 'santos'",
        &["Sandos, Brazil, its name: stored Sandos, Brazil, recounted Santos, São Paulo, Brazil"],
    ),
    (
        "UPDATE places SET country = 'Brrr' WHERE level = 1 AND country_key = 'BR'",
        &["Brrr, its name: stored Brrr, recounted Brazil"],
    ),
    (
        "UPDATE places SET country_key = 'deutschland' WHERE country_key = 'DE'",
        &["report \"d\", its place: stored München, Bayern, Germany, recounted DE/bayern/munchen"],
    ),
    (
        "UPDATE reports SET place_id = (SELECT id FROM places WHERE city_key = 'santos') WHERE id = 'a'",
        &[
            "report \"a\", its place: stored Santos, São Paulo, Brazil, recounted BR/sao paulo/campinas",
            "Santos, São Paulo, Brazil, all time: stored 0 spirit, 1 water, 0 both, recounted 1 spirit, 1 water, 0 \
                both",
        ],
    ),
    (
        "UPDATE reports SET place_id = (SELECT min(id) FROM places WHERE level = 2) WHERE id IN ('b', 'e')",
        &["report \"e\", its place: stored São Paulo, Brazil, recounted NO/vestland/bergen"],
    ),
    (
        "PRAGMA foreign_keys = OFF; DELETE FROM places",
        &["report \"c\", its place: stored place 4, recounted BR/sao paulo/santos"],
    ),
    (
        "UPDATE data_version SET changed_at = 1000",
        &["the last change, all time: stored 1970-01-01T00:00:01.000Z, recounted 2026-03-01T12:00:00.000Z"],
    ),
    (
        "UPDATE reports SET position = NULL WHERE id IN ('a', 'b')",
        &["the lists, all time: stored 2 approved reports that no list has, recounted none"],
    ),
    (
        "UPDATE reports SET position = 77 WHERE id = 'g'",
        &[
            "the lists, all time: stored 1 reports that are not approved and have a position in the lists, recounted \
                none",
        ],
    ),
    (
        "PRAGMA foreign_keys = OFF; DELETE FROM segments",
        &["the lists, all time: stored segment 1 does not exist, and 4 reports are in it, recounted none"],
    ),
    (
        "UPDATE segments SET newest_at = 0",
        &["the lists, all time: stored segment 1: its bounds and its time index don't fit each other, recounted none"],
    ),
    (
        "UPDATE segments SET newest_id = 'z'",
        &["the lists, all time: stored segment 1: the times of its reports are outside the bounds, recounted none"],
    ),
    (
        "UPDATE segments SET time_index = x'0102'",
        &["the lists, all time: stored segment 1: its bounds and its time index don't fit each other, recounted none"],
    ),
    (
        "UPDATE postings SET slots = x'00'",
        &["the lists, all time: stored segment 1: it cannot be read, recounted none"],
    ),
    (
        "DELETE FROM postings WHERE value = 1",
        &["the lists, all time: stored segment 1: its sets are not those of its reports, recounted none"],
    ),
    (
        "DELETE FROM calendars",
        &["the lists, all time: stored segment 1: its calendar does not have each of its slots once, recounted none"],
    ),
    (
        // The calendar gets a different day with the same slots.
        "UPDATE calendars SET dates = substr(dates, 1, 4) || x'00000000' || substr(dates, 9)",
        &["the lists, all time: stored segment 1: its calendar is not that of its reports, recounted none"],
    ),
    (
        "UPDATE segments SET live = live - 1",
        &["the lists, all time: stored segment 1: its number of reports differs from its count, recounted none"],
    ),
    (
        "UPDATE segments SET first_day = last_day",
        &["the lists, all time: stored segment 1: the dates of its reports are outside the bounds, recounted none"],
    ),
    (
        "UPDATE calendars SET dates = x'01'",
        &["the lists, all time: stored segment 1: it cannot be read, recounted none"],
    ),
    (
        "UPDATE reports SET position = position + 10 WHERE id = 'a'",
        &["the lists, all time: stored segment 1: it has more reports than its size allows, recounted none"],
    ),
    (
        "INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code)
         VALUES (1, 1, 1, 0, 1, 200)",
        &["attempts, their deliveries: stored 1 without, recounted none without"],
    ),
    (
        "DELETE FROM counts; DELETE FROM presence; DELETE FROM postings; DELETE FROM calendars;
         UPDATE reports SET position = NULL; PRAGMA foreign_keys = OFF; DELETE FROM segments;
         DELETE FROM places; UPDATE data_version SET changed_at = 0",
        &["the lists, all time: stored 4 approved reports that no list has, recounted none"],
    ),
];

#[tokio::test]
async fn whatever_is_damaged_is_named_and_repaired() {
    for (damage, named) in DAMAGE {
        let database = filled().await;
        // A running service has places and more in its caches.
        let running = database.elsewhere().await;
        let before = answers(&running).await;

        database.tamper(damage).await;
        let found = database.store.check().await.unwrap();
        let sentences: Vec<String> = found.differences.iter().map(ToString::to_string).collect();
        for expected in *named {
            assert!(sentences.iter().any(|found| found == expected), "{damage}: {sentences:#?}");
        }
        let rebuilt = database.store.rebuild(&|_| {}).await.unwrap();
        assert_eq!(database.store.check().await.unwrap().differences, [], "{damage}: {rebuilt}");
        assert_eq!(answers(&database.store).await, before, "{damage}");
        assert_eq!(answers(&running).await, before, "{damage}");
        // Later decisions work.
        let ids = ["a", "b", "c", "d", "g", "f"].map(str::to_owned);
        running.reports().decide(domain::report::Step::Approve, &ids).await.unwrap();
        running.reports().decide(domain::report::Step::Withdraw, &ids).await.unwrap();
        assert_eq!(running.check().await.unwrap().differences, [], "{damage}");
    }
}

#[tokio::test]
async fn a_segment_of_withdrawn_reports_is_repaired_too_because_others_are_added_to_it() {
    let database = Database::new().await;
    database
        .store
        .reports()
        .import(&[report("a", ReportType::Water)], Mode::Approve)
        .await
        .unwrap();
    database.store.reports().decide(Step::Withdraw, &["a".to_owned()]).await.unwrap();
    database.tamper("DELETE FROM calendars").await;
    database.store.rebuild(&|_| {}).await.unwrap();

    let store = database.at(instant("2026-03-01T12:00:01Z"));
    let on_a_day = report("b", ReportType::Water).on("2026-02-27");
    store.reports().import(&[on_a_day], Mode::Approve).await.unwrap();
    let day = parse_date("2026-02-27");
    let filter = Filter { period: Period { from: day, to: day }, place: PlaceFilter::default() };
    let listed = store
        .reports()
        .recent(&ReportsQuery { filter, ..ReportsQuery::newest(10) })
        .await
        .unwrap()
        .value;
    assert_eq!(listed.into_iter().map(|listed| listed.report.id).collect::<Vec<_>>(), ["b"]);
}

#[tokio::test]
async fn what_is_right_is_left_as_it_is() {
    let database = filled().await;
    let places = database.count("SELECT count(*) FROM places").await;
    let rebuilt = database.store.rebuild(&|_| {}).await.unwrap();
    assert!(rebuilt.is_nothing(), "{rebuilt}");
    // Only the four approved reports are counted.
    assert_eq!(rebuilt, Rebuilt { reports: 4, ..Rebuilt::default() });
    assert_eq!(database.count("SELECT count(*) FROM places").await, places);
}

#[tokio::test]
async fn only_the_first_thousand_differences_are_listed_and_the_others_counted() {
    let database = Database::new().await;
    let rows: Vec<NewReport> = (0..300)
        .map(|number| {
            report(&format!("r{number}"), ReportType::Water).at(
                &format!("City {number}"),
                "",
                "Peru",
            )
        })
        .collect();
    database.store.reports().import(&rows, Mode::Backfill).await.unwrap();
    database.tamper("DELETE FROM counts").await;
    let found = database.store.check().await.unwrap();
    // 300 cities, a region, a country and the world have counts in four buckets each.
    assert_eq!((found.differences.len(), found.more, found.found()), (1_000, 212, 1_212));
    assert_eq!(database.store.rebuild(&|_| {}).await.unwrap().counts, 1_212);
    assert_eq!(database.store.check().await.unwrap().differences, []);
}
