use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::report::NewReport;
use geo::places::{country_key, fold, tidy};
use model::ReportType;
use sha2::{Digest, Sha256};

use super::{UNTIL, cities::Cities, live_row, rows, write_csv};

fn csv(count: u64, seed: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write_csv(&mut out, count, seed, UNTIL).unwrap();
    out
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// A change here changes the rows of every seed: mention it in the change log.
#[test]
fn the_same_seed_gives_the_same_bytes_for_ever() {
    assert_eq!(
        hex::encode(Sha256::digest(csv(1_000, 1))),
        "7333c4a93c9c2b85975fc9d9a549d98cce000b99dfdd5a63e6b6a54d8b57765c"
    );
    assert_eq!(csv(1_000, 1), csv(1_000, 1));
}

#[test]
fn another_seed_or_count_gives_other_rows_and_ids() {
    let ids = |count, seed| rows(count, seed, UNTIL).map(|row| row.id).collect::<HashSet<_>>();
    assert!(ids(500, 1).is_disjoint(&ids(500, 2)));
    assert!(ids(500, 1).is_disjoint(&ids(600, 1)));
    let cities = |seed| rows(50, seed, UNTIL).map(|row| row.city).collect::<Vec<_>>();
    assert_ne!(cities(1), cities(2));
}

#[test]
fn every_row_is_a_report_that_an_import_would_take() {
    let mut ids = HashSet::new();
    let mut earlier = DateTime::<Utc>::MIN_UTC;
    for row in rows(20_000, 3, UNTIL) {
        assert!(ids.insert(row.id.clone()));
        assert!(row.people_count >= 1 && row.people_count <= 6_000);
        assert!(!row.city.is_empty() && !row.country.is_empty(), "{row:?}");
        for text in [&row.city, &row.region, &row.country] {
            assert_eq!(tidy(text), *text);
        }
        assert_eq!(country_key(&row.country).len(), 2, "{row:?}");
        assert!(
            row.event_date >= day("2016-01-01") && row.event_date <= row.created_at.date_naive()
        );
        assert!(row.created_at >= earlier && row.created_at <= UNTIL, "{row:?}");
        assert_eq!(row.created_at.timestamp_subsec_micros() % 1_000, 0);
        earlier = row.created_at;
    }
    assert_eq!(ids.len(), 20_000);
}

#[test]
fn the_rows_are_as_various_as_the_world() {
    let rows: Vec<NewReport> = rows(10_000, 5, UNTIL).collect();
    let countries: HashSet<_> = rows.iter().map(|row| country_key(&row.country)).collect();
    assert!(countries.len() >= 100, "{}", countries.len());
    let share = |what: &dyn Fn(&NewReport) -> bool| rows.iter().filter(|row| what(row)).count();

    let [spirit, water, both] = ReportType::ALL.map(|kind| share(&|row| row.kind == kind));
    assert!(spirit > water && water > 2 * both && both > 1_000, "{spirit} {water} {both}");
    assert!(share(&|row| !row.city.is_ascii()) > 500);
    assert!(share(&|row| row.city.chars().all(|c| c > '\u{24f}')) > 30);
    assert!((6_000..9_000).contains(&share(&|row| row.people_count <= 5)));
    assert!(share(&|row| row.people_count > 1_000) > 0);
    assert!(share(&|row| row.region.is_empty()) > 50);
    assert!((3_000..3_700).contains(&share(&|row| row.position.is_some())));
    // More in later years, and some in every year.
    let per_year: Vec<usize> = (2016..=2025)
        .map(|year| share(&|row| row.event_date.format("%Y").to_string() == year.to_string()))
        .collect();
    assert!(per_year[0] > 100 && per_year[9] > 3 * per_year[0], "{per_year:?}");
}

#[test]
fn some_places_come_in_several_spellings_with_one_key_after_the_usual_one() {
    let names: HashSet<&str> = Cities::get()
        .all()
        .iter()
        .flat_map(|city| [Some(city.name), city.local.map(|[name, ..]| name)])
        .flatten()
        .collect();
    let mut first = HashMap::new();
    let mut others = 0;
    for row in rows(50_000, 2, UNTIL) {
        let key = (country_key(&row.country), fold(&row.region), fold(&row.city));
        let usual = first.entry(key).or_insert_with(|| row.city.clone());
        assert!(names.contains(usual.as_str()), "{usual:?}");
        others += usize::from(*usual != row.city);
    }
    assert!((500..3_000).contains(&others), "{others}");
}

#[test]
fn the_rows_can_end_at_any_instant() {
    for until in ["2026-11-21T00:00:00Z", "2024-02-29T10:30:00.250Z", "2026-01-31T23:59:59.999Z"] {
        let until: DateTime<Utc> = until.parse().unwrap();
        let all: Vec<NewReport> = rows(5_000, 1, until).collect();
        assert!(
            all.iter().all(|row| row.created_at <= until && row.event_date <= until.date_naive())
        );
        assert!(all.last().unwrap().created_at > until - TimeDelta::days(3));
        let first = all[0].created_at;
        assert!(first < until - TimeDelta::days(3_560) && first > until - TimeDelta::days(3_654));
    }
    assert_eq!(rows(0, 1, UNTIL).count(), 0);
    assert_eq!(rows(1, 1, UNTIL).count(), 1);
}

#[test]
fn the_csv_has_a_header_and_a_line_a_row_that_reads_back() {
    let bytes = csv(300, 9);
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let header: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(
        header.join(","),
        "id,type,city,region,country,peopleCount,eventDate,createdAt,lat,lng"
    );
    let written: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(written.len(), 300);
    for (fields, row) in written.iter().zip(rows(300, 9, UNTIL)) {
        assert_eq!(&fields[0], row.id.as_str());
        assert_eq!(ReportType::from_name(&fields[1]), Some(row.kind));
        assert_eq!([&fields[2], &fields[3], &fields[4]], [&row.city, &row.region, &row.country]);
        assert_eq!(fields[5].parse(), Ok(row.people_count));
        assert_eq!(fields[6].parse(), Ok(row.event_date));
        assert_eq!(fields[7].parse(), Ok(row.created_at));
        assert_eq!(fields[8].parse().ok(), row.position.map(|(lat, _)| lat));
        assert_eq!(fields[9].parse().ok(), row.position.map(|(_, lng)| lng));
    }
}

#[test]
fn a_live_row_is_of_the_instant_it_is_asked_for() {
    let now: DateTime<Utc> = "2026-11-21T23:59:59.999999Z".parse().unwrap();
    let row = live_row(1, 4, now);
    assert_eq!(row, live_row(1, 4, now));
    assert_ne!(row.id, live_row(1, 5, now).id);
    assert_eq!(*row.id, *format!("demo-1-live-{}-4", now.timestamp_millis()));
    assert_eq!(row.created_at.to_rfc3339(), "2026-11-21T23:59:59.999+00:00");
    assert_eq!(row.event_date, day("2026-11-21"));

    let later = |n: i64| now + TimeDelta::seconds(3 * n);
    let live: Vec<_> = (0..2_000).map(|n| live_row(1, n as u64, later(n))).collect();
    let countries: HashSet<_> = live.iter().map(|row| country_key(&row.country)).collect();
    assert!(countries.len() > 80, "{}", countries.len());
    assert!(ReportType::ALL.iter().all(|kind| live.iter().any(|row| row.kind == *kind)));
}
