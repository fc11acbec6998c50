//! Compares lists from small segments with lists sorted from all reports. In tests of the library,
//! segments are small, so a short history creates and merges many of them.

use base::{clock::Clock, time::date_of_day};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{report::NewReport, report_id::ReportId};
use model::ReportType;
use proptest::{prelude::*, sample::select};

use super::{ReportsQuery, newest};
use crate::{
    Filter, Missing, Mode, Period, PlaceFilter, Rank, Store, open_url,
    places::index::SharedPlaceIndex, testing::Scratch,
};

const CITIES: [[&str; 2]; 5] = [
    ["Oslo", "Norway"],
    ["Bergen", "Norway"],
    ["Lima", "Peru"],
    ["Oslo", "United States"],
    ["Rare", "Tuvalu"],
];
const DAYS: [i64; 7] = [18_900, 18_901, 18_930, 19_300, 19_301, 19_700, 20_000];

#[derive(Clone, Debug)]
struct Made {
    city: usize,
    kind: ReportType,
    day: i64,
    /// Seconds after the beginning.
    created: i64,
}

#[derive(Clone, Debug)]
enum Step {
    Import(Vec<Made>, Mode),
    /// Withdraws every n-th report.
    Withdraw(usize),
}

#[derive(Clone, Debug)]
struct Query {
    from: Option<i64>,
    to: Option<i64>,
    city: Option<usize>,
    country: Option<usize>,
    types: [bool; 3],
    since: Option<i64>,
    limit: u32,
}

fn step() -> impl Strategy<Value = Step> {
    let made = (0..CITIES.len(), select(ReportType::ALL.to_vec()), select(DAYS.to_vec()), 0..50i64);
    let made = made.prop_map(|(city, kind, day, created)| Made { city, kind, day, created });
    let mode = select(vec![Mode::Backfill, Mode::Approve, Mode::Approve]);
    prop_oneof![
        6 => (prop::collection::vec(made, 1..12), mode).prop_map(|(made, mode)| Step::Import(made, mode)),
        1 => (2..9usize).prop_map(Step::Withdraw),
    ]
}

fn asked() -> impl Strategy<Value = Query> {
    let day = || prop::option::weighted(0.4, 18_890..20_010i64);
    let place = || prop::option::weighted(0.4, 0..CITIES.len());
    let since = prop::option::weighted(0.2, 0..80i64);
    (day(), day(), place(), place(), any::<[bool; 3]>(), since, 1..15u32).prop_map(
        |(from, to, city, country, types, since, limit)| Query {
            from,
            to,
            city,
            country,
            types,
            since,
            limit,
        },
    )
}

fn beginning() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_225_600, 0).unwrap()
}

fn moment(seconds: i64) -> DateTime<Utc> {
    beginning() + TimeDelta::seconds(seconds)
}

fn report(
    id: String,
    kind: ReportType,
    [city, country]: [&str; 2],
    day: i64,
    created_at: DateTime<Utc>,
) -> NewReport {
    NewReport {
        id: ReportId::stored(id),
        kind,
        city: city.to_owned(),
        region: String::new(),
        country: country.to_owned(),
        people_count: 1,
        event_date: date_of_day(day),
        created_at,
        event_date_given: true,
        created_at_given: true,
        position: None,
    }
}

impl Query {
    fn query(&self, after: Option<Rank>) -> ReportsQuery {
        let day = |day: Option<i64>| day.map(date_of_day);
        let city = self.city.map(|city| CITIES[city][0]);
        let country = self.country.map(|country| CITIES[country][1]);
        ReportsQuery {
            filter: Filter {
                period: Period { from: day(self.from), to: day(self.to) },
                place: PlaceFilter::new(country, None, city),
            },
            types: self.types,
            since: self.since.map(moment),
            after,
            limit: self.limit,
        }
    }

    fn selects(&self, report: &NewReport) -> bool {
        let day = base::time::day_number(report.event_date);
        let kind = ReportType::ALL.iter().position(|kind| *kind == report.kind).unwrap();
        self.from.is_none_or(|from| from <= day)
            && self.to.is_none_or(|to| day <= to)
            && self.city.is_none_or(|city| CITIES[city][0] == report.city)
            && self.country.is_none_or(|country| CITIES[country][1] == report.country)
            && self.types[kind]
    }
}

/// Approved reports with their times of publication.
type Model = Vec<(NewReport, DateTime<Utc>)>;

async fn play(store: &Store, clock: &Clock, step: &Step, number: &mut i64, model: &mut Model) {
    match step {
        Step::Import(made, mode) => {
            clock.advance(std::time::Duration::from_secs(3));
            let mut reports = Vec::new();
            for Made { city, kind, day, created } in made {
                *number += 1;
                // Ids are not in the order of insertion.
                let id = format!("{:03}", *number * 379 % 1_000);
                reports.push(report(
                    id,
                    *kind,
                    CITIES[*city],
                    *day,
                    moment(*created).min(clock.now()),
                ));
            }
            store.reports().import(&reports, *mode).await.unwrap();
            let published_at = |report: &NewReport| match mode {
                Mode::Backfill => report.created_at,
                _ => clock.now(),
            };
            model.extend(reports.into_iter().map(|r| (r.clone(), published_at(&r))));
        }
        Step::Withdraw(every) => {
            let taken: Vec<_> =
                model.iter().step_by(*every).map(|(r, _)| r.id.to_string()).collect();
            store.reports().decide(domain::report::Step::Withdraw, &taken).await.unwrap();
            model.retain(|(report, _)| !taken.contains(&report.id.to_string()));
        }
    }
    model.sort_by(|(a, a_at), (b, b_at)| b_at.cmp(a_at).then_with(|| a.id.cmp(&b.id)));
}

/// Compares a list, page by page, with the expected reports.
async fn compare(store: &Store, asked: &Query, model: &Model) {
    let since = asked.since.map(moment);
    let expected: Vec<&str> = model
        .iter()
        .filter(|(report, at)| asked.selects(report) && since.is_none_or(|since| *at >= since))
        .map(|(report, _)| report.id.as_str())
        .collect();
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = store.reports().recent(&asked.query(after)).await.unwrap().value;
        assert!(page.len() <= asked.limit as usize);
        after = page.last().map(|last| Rank {
            published_at: last.published_at.timestamp_millis(),
            id: last.report.id.to_string(),
        });
        listed.extend(page.into_iter().map(|listed| listed.report.id));
        if after.is_none() {
            break;
        }
    }
    assert_eq!(listed, expected, "{asked:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn lists_and_their_pages_are_those_of_all_reports_sorted(
        steps in prop::collection::vec(step(), 1..30),
        asked in prop::collection::vec(asked(), 12),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let scratch = Scratch::new().await;
            let clock = Clock::stepped(moment(0));
            let store = scratch.clone().with_clock(clock.clone());
            // The reader acts as another process, whose cached data becomes outdated.
            let reader = open_url(scratch.url(), Missing::Refuse).await.unwrap();
            let (mut model, mut number) = (Model::new(), 0);
            for (step, asked) in steps.iter().zip(asked.iter().cycle()) {
                play(&store, &clock, step, &mut number, &mut model).await;
                compare(&reader, asked, &model).await;
            }
            assert_eq!(store.check().await.unwrap().differences, []);
            for asked in &asked {
                compare(&reader, asked, &model).await;
            }
            reader.close().await;
        });
    }
}

#[tokio::test]
async fn the_first_counters_and_list_do_not_wait_until_all_places_are_read() {
    let scratch = Scratch::new().await;
    let report = |(number, place): (i64, &[&str; 2])| {
        report(number.to_string(), ReportType::Water, *place, DAYS[0], moment(number))
    };
    let reports: Vec<_> = (0..).zip(&CITIES[..3]).map(report).collect();
    scratch.reports().import(&reports, Mode::Backfill).await.unwrap();
    let store = scratch.again().await;
    let query = ReportsQuery::newest(2);
    let read = store.reports().overview(&query, moment(0).date_naive()).await.unwrap();
    let (counters, list) = read.value;
    assert_eq!((counters.countries, counters.cities, list.len()), (2, 3, 2));
    assert_eq!(format!("{:?}", store.places), format!("{:?}", SharedPlaceIndex::default()));
    store.close().await;
}

/// Imports 5,000 reports of ten years in random order, nearly all of them of one city; the ten
/// reports of another city are the oldest. Returns the number of segments.
async fn history(store: &Store) -> usize {
    let mut reports = Vec::new();
    for number in 0..5_000_i64 {
        let shuffled = number * 1_237 % 5_000;
        let city = if shuffled < 10 { CITIES[4] } else { CITIES[0] };
        let kind = if number % 2 == 0 { ReportType::Spirit } else { ReportType::Water };
        let day = 16_900 + number % 3_650;
        reports.push(report(format!("{number:04}"), kind, city, day, moment(shuffled)));
    }
    for batch in reports.chunks(100) {
        store.reports().import(batch, Mode::Backfill).await.unwrap();
    }
    usize::try_from(store.value("SELECT count(*) FROM segments").await).unwrap()
}

#[tokio::test]
async fn a_list_reads_a_few_times_what_it_returns_however_many_segments_there_are() {
    let store = Scratch::new().await;
    let segments = history(&store).await;
    assert!((100..=250).contains(&segments), "{segments}");
    let day = |text| base::time::parse_date(text);
    let (city, rare) = (Some("Oslo"), Some("Rare"));
    let long = (day("2017-03-05"), day("2025-02-07"));
    let rows = async |city, (from, to), types, limit| {
        let filter =
            Filter { period: Period { from, to }, place: PlaceFilter::new(None, None, city) };
        let query = ReportsQuery { filter, types, ..ReportsQuery::newest(limit) };
        let (places, cache) = (&store.places, &store.segments);
        let found = store.read(|tx| Box::pin(newest(tx, places, cache, &query))).await.unwrap();
        assert!(found.cost.segments <= segments);
        (found.reports.len(), found.cost.rows)
    };
    let all = [true; 3];
    for (city, period, types, limit, expected) in [
        (None, (None, None), all, 20, 20),
        (city, (None, None), all, 20, 20),
        (city, long, all, 20, 20),
        (city, long, [false, true, false], 20, 20),
        (None, (day("2020-01-01"), day("2020-01-31")), all, 20, 20),
        (rare, (None, None), all, 20, 10),
        (rare, long, all, 20, 8),
        (None, (None, None), [false, false, true], 20, 0),
        (city, long, all, 100, 100),
    ] {
        let (found, read) = rows(city, period, types, limit).await;
        assert_eq!(found, expected, "{city:?} {period:?} {types:?}");
        let most = 4 * limit as usize;
        assert!(read <= most, "{city:?} {period:?} {types:?}: {read} of {most}");
    }
    // For a rare place, only the matching reports are read.
    assert_eq!(rows(rare, (None, None), all, 20).await, (10, 10));
    store.close().await;
}

#[tokio::test]
async fn a_period_opens_only_the_segments_that_have_dates_of_it() {
    let store = Scratch::new().await;
    let made = |number: i64| {
        let (id, day) = (format!("{number:04}"), 18_000 + number / 10);
        report(id, ReportType::Spirit, CITIES[0], day, moment(number))
    };
    let reports: Vec<NewReport> = (0..2_000).map(made).collect();
    for batch in reports.chunks(20) {
        store.reports().import(batch, Mode::Backfill).await.unwrap();
    }
    let (places, cache) = (&store.places, &store.segments);
    for (from, to, expected) in [(18_050, 18_051, 20), (18_000, 18_000, 10), (17_000, 17_999, 0)] {
        let period = Period { from: Some(date_of_day(from)), to: Some(date_of_day(to)) };
        let filter = Filter { period, ..Filter::default() };
        let query = ReportsQuery { filter, ..ReportsQuery::newest(100) };
        let found = store.read(|tx| Box::pin(newest(tx, places, cache, &query))).await.unwrap();
        assert_eq!(found.reports.len(), expected);
        assert!(found.cost.segments <= 3, "{:?}", found.cost);
        assert_eq!(found.cost.rows, expected);
    }
    store.close().await;
}
