//! Counts for markers that a process keeps in memory.

use base::time::parse_date;
use domain::report::NewReport;
use domain::report::Step;
use model::ReportType;
use store::{ALL_TYPES, CityCounts, Filter, Mode, Period, PlaceFilter, Store};

use crate::harness::{But, Database, report};

/// Number of cities: more than one page, in the order of their places.
const CITIES: usize = 1_200;

async fn cities(store: &Store, from: &str) -> store::Result<Vec<CityCounts>> {
    let period = Period { from: parse_date(from), to: None };
    let filter = Filter { period, place: PlaceFilter::default() };
    Ok(store.counters().largest_cities(&filter, ALL_TYPES, CITIES).await?.value)
}

fn in_city(number: usize) -> NewReport {
    let row = report(&format!("r{number}"), ReportType::Water);
    NewReport { city: format!("City {number:04}"), ..row }
}

async fn many_cities() -> Database {
    let database = Database::new().await;
    let rows: Vec<NewReport> = (0..CITIES).map(in_city).collect();
    database.store.reports().import(&rows, Mode::Backfill).await.unwrap();
    database
}

#[tokio::test]
async fn after_a_publication_only_the_pages_of_its_place_are_read_again() {
    let database = many_cities().await;
    let reader = database.elsewhere().await;
    let before = cities(&reader, "2020-01-17").await.unwrap();
    assert_eq!(before.len(), CITIES);

    let new = in_city(1_100).named("new");
    database.store.reports().import(&[new], Mode::Approve).await.unwrap();
    // The world, the country and the region are on the first page of counts, the city on the third. The page in between
    // is damaged: reading it would fail the request.
    database.tamper("UPDATE counts SET counts = x'FFFFFF' WHERE page = 1").await;
    let after = cities(&reader, "2020-01-17").await.unwrap();
    let mut expected = before;
    let changed = expected.iter_mut().find(|city| city.name.city.ends_with("1100")).unwrap();
    changed.counts[1] += 1;
    changed.all_time[1] += 1;
    expected.sort_by_key(|city| (std::cmp::Reverse(city.counts[1]), city.id));
    assert_eq!(after, expected);

    let fresh = database.elsewhere().await;
    let error = cities(&fresh, "2020-01-17").await.unwrap_err();
    assert!(error.to_string().contains("page 1 of the counts"), "{error}");
}

#[tokio::test]
async fn a_period_that_ends_later_reads_only_what_it_does_not_share() {
    let database = many_cities().await;
    let reader = database.elsewhere().await;
    let period = async |to: &str| {
        let period = Period { from: parse_date("2020-01-01"), to: parse_date(to) };
        let filter = Filter { period, place: PlaceFilter::default() };
        Ok::<_, store::Error>(
            reader.counters().largest_cities(&filter, ALL_TYPES, 1).await?.value.len(),
        )
    };
    assert_eq!(period("2026-04-10").await.unwrap(), 1);
    database.tamper("UPDATE counts SET counts = x'FFFFFF' WHERE grain < 3").await;
    assert_eq!(period("2026-04-11").await.unwrap(), 1);
    // This period contains other whole months, whose pages are damaged.
    period("2026-06-11").await.unwrap_err();
}

#[tokio::test]
async fn an_import_raises_the_number_of_each_page_once() {
    let database = many_cities().await;
    let numbers = "SELECT CAST(sum(changes) AS BIGINT) * 100 + count(*) FROM counted_pages";
    assert_eq!(database.count(numbers).await, 303);
    let again = in_city(3).named("again");
    database.store.reports().import(&[again], Mode::Backfill).await.unwrap();
    assert_eq!(database.count(numbers).await, 403);
}

#[tokio::test]
async fn a_withdrawal_and_a_repair_elsewhere_are_seen() {
    let database = many_cities().await;
    let reader = database.elsewhere().await;
    let counted = async || cities(&reader, "2020-01-17").await.map(|cities| cities.len()).unwrap();
    assert_eq!(counted().await, CITIES);
    database.store.reports().decide(Step::Withdraw, &["r7".to_owned()]).await.unwrap();
    assert_eq!(counted().await, CITIES - 1);

    // A new process reads the damaged counts into memory before the repair.
    database.tamper("DELETE FROM counts WHERE page = 1").await;
    let reader = database.elsewhere().await;
    let counted = async || cities(&reader, "2020-01-17").await.map(|cities| cities.len()).unwrap();
    assert!(counted().await < CITIES - 500);
    database.store.rebuild(&|_| {}).await.unwrap();
    assert_eq!(counted().await, CITIES - 1);
}
