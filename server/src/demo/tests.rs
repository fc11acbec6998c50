use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Timelike, Utc};
use domain::report::NewReport;
use geo::{
    cities::cities,
    places::{country_key, fold, tidy},
};
use model::ReportType;
use sha2::{Digest, Sha256};

use super::{PAST_DAYS, UNTIL, day, past_day, rows, write_csv};

fn csv(count: u64, seed: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write_csv(&mut out, count, seed, UNTIL).unwrap();
    out
}

fn date(text: &str) -> NaiveDate {
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
            row.event_date >= date("2016-01-01") && row.event_date <= row.created_at.date_naive()
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
    let names: HashSet<&str> = cities()
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

/// Number of reports on each of the last 30 days, the oldest first.
fn last_thirty_days(now: DateTime<Utc>) -> Vec<usize> {
    (0..30).rev().map(|days_ago| past_day(1, days_ago, now).count()).collect()
}

#[test]
fn a_month_looks_like_that_of_a_real_site() {
    // The last instant of a Sunday.
    let now: DateTime<Utc> = "2026-11-22T23:59:59.999Z".parse().unwrap();
    let days = last_thirty_days(now);
    let weeks: Vec<&[usize]> = days[2..].chunks(7).collect();
    for week in &weeks {
        let [working @ .., saturday, sunday] = week else { panic!() };
        let usual = working.iter().sum::<usize>() / 5;
        assert!(*saturday > usual && *sunday > usual && *sunday < 2 * usual, "{days:?}");
        assert!(working.iter().all(|day| day * 4 > usual * 3 && day * 3 < usual * 4), "{days:?}");
    }
    let [first, .., last] = weeks[..] else { panic!() };
    let [first, last] = [first, last].map(|week| week.iter().sum::<usize>());
    assert!(last * 20 > first * 21 && last * 10 < first * 14, "{first} {last}");
    // No two weeks are equal.
    assert_eq!(weeks.iter().collect::<HashSet<_>>().len(), 4);
    assert_eq!(past_day(1, PAST_DAYS, now).count(), 0);
}

#[test]
fn reports_come_every_few_seconds_by_day_and_less_often_at_night() {
    for date in date("2026-11-16").iter_days().take(7) {
        let rows: Vec<NewReport> = day(1, date).collect();
        let in_hours = |hours: std::ops::Range<u32>| {
            let of_hours = rows.iter().filter(|row| hours.contains(&row.created_at.hour()));
            of_hours.map(|row| row.created_at).collect::<Vec<_>>()
        };
        let gaps = in_hours(12..21)
            .windows(2)
            .map(|two| (two[1] - two[0]).num_seconds())
            .collect::<Vec<_>>();
        assert!(gaps.iter().all(|gap| (3..35).contains(gap)), "{gaps:?}");
        let usual = gaps.iter().filter(|gap| (5..=20).contains(*gap)).count();
        assert!(usual * 10 > gaps.len() * 8, "{usual} of {}", gaps.len());
        assert!(in_hours(12..18).len() > 2 * in_hours(0..6).len());
        assert!(rows.is_sorted_by_key(|row| row.created_at));
        assert!(
            rows.iter().all(|row| row.event_date == date && row.created_at.date_naive() == date)
        );
    }
}

#[test]
fn a_day_has_the_same_reports_whenever_it_is_asked_for_and_fewer_the_longer_ago_it_is() {
    let noon: DateTime<Utc> = "2026-11-21T12:00:00Z".parse().unwrap();
    let live: Vec<NewReport> = day(1, date("2026-11-21")).collect();
    let ids: HashSet<&str> = live.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), live.len());
    assert!(ids.contains("demo-1-2026-11-21-1"));
    let until_noon: Vec<NewReport> = past_day(1, 0, noon).collect();
    assert_eq!(until_noon[..], live[..until_noon.len()]);
    assert!(until_noon.last().unwrap().created_at <= noon);
    assert!(live[until_noon.len()].created_at > noon);
    let mut before = live.len();
    for days_ago in [10, 20, 30, 44] {
        let later: Vec<NewReport> = past_day(1, days_ago, noon + Days::new(days_ago)).collect();
        assert!(later.iter().all(|row| live.contains(row)), "{days_ago}");
        assert!(!later.is_empty() && later.len() < before, "{days_ago}: {} {before}", later.len());
        before = later.len();
    }
    assert_ne!(day(1, date("2026-11-20")).count(), live.len());
    assert_ne!(day(2, date("2026-11-21")).next().unwrap().city, live[0].city);
    let countries: HashSet<_> = live.iter().map(|row| country_key(&row.country)).collect();
    assert!(countries.len() > 80, "{}", countries.len());
    assert!(ReportType::ALL.iter().all(|kind| live.iter().any(|row| row.kind == *kind)));
}
