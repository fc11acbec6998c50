//! Counters, lists and places, compared with a recount that scans everything.

mod series;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicU64, Ordering},
};

use base::time::date_of_day;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::report::{NewReport, Status};
use geo::places::{country_key, fold};
use model::ReportType;
use proptest::{prelude::*, sample::select};
use store::{
    ALL_TYPES, Counters, Decision, Filter, Mode, Period, PlaceFilter, Progress, ReportsQuery, Store,
};
use tokio::sync::Notify;

use crate::harness::{Database, START, instant, report};

/// Few places, so that reports share places and buckets. Some spellings mean the same place, and some names several
/// places.
const PLACES: [[&str; 3]; 10] = [
    ["Brazil", "São Paulo", "Campinas"],
    ["Brasil", "SAO PAULO", "campinas"],
    ["BR", "São Paulo", "São Paulo"],
    ["Brazil", "", "Campinas"],
    ["Germany", "Bayern", "München"],
    ["DEU", "bayern", "Munchen"],
    ["USA", "Illinois", "Springfield"],
    ["United States", "Oregon", "Springfield"],
    ["Nowhere Land", "", "Springfield"],
    ["Côte d’Ivoire", "Abidjan", "Abidjan"],
];
const TYPES: [ReportType; 3] = ReportType::ALL;
/// Number of the day 2024-02-25. The offsets below cover the end of a month, a leap day, and later years.
const FIRST_DAY: i64 = 19_778;
const DAYS: [i64; 9] = [0, 1, 4, 5, 6, 40, 310, 311, 900];

#[derive(Clone, Debug)]
enum Step {
    Import {
        place: usize,
        kind: ReportType,
        day: i64,
        mode: Mode,
    },
    Again(usize),
    Publish(Vec<usize>),
    Reject(Vec<usize>),
    Withdraw(Vec<usize>),
    Reopen(Vec<usize>),
    Restore(Vec<usize>),
    /// Rebuild after a damage. Another rebuild is first killed after it has reported its progress `killed` times.
    Rebuild {
        damage: usize,
        killed: u64,
    },
}

/// Statements that damage derived data, but not the reports.
const DAMAGE: [&str; 8] = [
    "SELECT 1",
    "DELETE FROM counts WHERE grain < 3; DELETE FROM presence",
    "UPDATE counts SET counts = x'010303030101020300' WHERE bucket % 2 = 0",
    "UPDATE reports SET place_id = (SELECT max(id) FROM places WHERE level = 3) WHERE place_id IS NOT NULL",
    "UPDATE places SET country_key = 'x' || country_key WHERE level > 0",
    "UPDATE reports SET position = NULL WHERE seq % 2 = 0; DELETE FROM calendars",
    "PRAGMA foreign_keys = OFF; DELETE FROM places WHERE id % 2 = 1; DELETE FROM segments WHERE id % 2 = 0",
    "DELETE FROM postings; UPDATE segments SET newest_at = 0; UPDATE data_version SET changed_at = 0",
];

#[derive(Clone, Debug)]
struct Query {
    from: Option<i64>,
    to: Option<i64>,
    /// Place of the filter; `parts` selects which of its parts are used.
    place: usize,
    parts: [bool; 3],
    limit: u32,
    since: Option<i64>,
}

fn step() -> impl Strategy<Value = Step> {
    let some = || prop::collection::vec(0..60usize, 1..4);
    let mode = select(vec![Mode::Pending, Mode::Pending, Mode::Approve, Mode::Backfill]);
    prop_oneof![
        6 => (0..PLACES.len(), select(TYPES.to_vec()), select(DAYS.to_vec()), mode)
            .prop_map(|(place, kind, day, mode)| Step::Import { place, kind, day, mode }),
        1 => (0..60usize).prop_map(Step::Again),
        4 => some().prop_map(Step::Publish),
        1 => some().prop_map(Step::Reject),
        2 => some().prop_map(Step::Withdraw),
        2 => some().prop_map(Step::Reopen),
        1 => some().prop_map(Step::Restore),
        1 => (0..DAMAGE.len(), 0..6u64)
            .prop_map(|(damage, killed)| Step::Rebuild { damage, killed }),
    ]
}

fn asked() -> impl Strategy<Value = Query> {
    let day = || prop::option::of(-10..920i64);
    let since = prop::option::of(0..100i64);
    (day(), day(), 0..PLACES.len(), any::<[bool; 3]>(), 1..12u32, since).prop_map(
        |(from, to, place, parts, limit, since)| Query { from, to, place, parts, limit, since },
    )
}

/// Time of publication of a report that was never published.
const NEVER: DateTime<Utc> = DateTime::<Utc>::MAX_UTC;

/// Simple model of the store's content.
#[derive(Default)]
struct Model(BTreeMap<String, (NewReport, Status, DateTime<Utc>)>);

impl Model {
    fn decide(&mut self, id: &str, from: &[Status], to: Status, now: DateTime<Utc>) -> Decision {
        match self.0.get_mut(id) {
            None => Decision::Unknown,
            Some((report, status, published_at)) if from.contains(status) => {
                *status = to;
                if to == Status::Approved && *published_at == NEVER {
                    *published_at = now.max(report.created_at);
                }
                Decision::Done
            }
            Some((_, status, _)) => Decision::Refused { is: *status, asked: to },
        }
    }

    fn selected<'m>(
        &'m self,
        asked: &'m Query,
    ) -> impl Iterator<Item = (&'m NewReport, DateTime<Utc>)> {
        let approved = self.0.values().filter(|(_, status, _)| *status == Status::Approved);
        let narrowed = approved.filter(|(report, ..)| {
            asked
                .keys()
                .into_iter()
                .zip(keys(report))
                .all(|(asked, key)| asked.is_none_or(|asked| asked == key))
        });
        narrowed.map(|(report, _, published_at)| (report, *published_at))
    }

    fn counters(&self, asked: &Query, today: NaiveDate) -> Counters {
        let mut counters = Counters::default();
        let (mut countries, mut cities) = (BTreeSet::new(), BTreeSet::new());
        for (report, _) in self.selected(asked) {
            let kind = TYPES.iter().position(|kind| *kind == report.kind).unwrap();
            if report.event_date == today {
                counters.today[kind] += 1;
            }
            if asked.holds(report.event_date) {
                counters.by_type[kind] += 1;
                countries.insert(keys(report)[0].clone());
                cities.insert(keys(report));
            }
        }
        counters.countries = countries.len() as u64;
        counters.cities = cities.len() as u64;
        counters
    }

    fn newest(&self, asked: &Query) -> Vec<String> {
        let since = asked.since.map(moment);
        let mut listed: Vec<_> = self
            .selected(asked)
            .filter(|(report, _)| asked.holds(report.event_date))
            .filter(|(_, published_at)| since.is_none_or(|since| *published_at >= since))
            .collect();
        listed.sort_by(|(a, a_at), (b, b_at)| b_at.cmp(a_at).then_with(|| a.id.cmp(&b.id)));
        listed.into_iter().take(asked.limit as usize).map(|(r, _)| r.id.to_string()).collect()
    }

    /// Counts of each city, in the period and of all time.
    fn cities(&self, asked: &Query) -> BTreeMap<[String; 3], [[u64; 3]; 2]> {
        let mut cities: BTreeMap<_, [[u64; 3]; 2]> = BTreeMap::new();
        for (report, _) in self.selected(asked) {
            let kind = TYPES.iter().position(|kind| *kind == report.kind).unwrap();
            let [within, all_time] = cities.entry(keys(report)).or_default();
            within[kind] += u64::from(asked.holds(report.event_date));
            all_time[kind] += 1;
        }
        cities.retain(|_, [within, _]| *within != [0; 3]);
        cities
    }

    fn facets(&self, asked: &Query) -> BTreeSet<[String; 3]> {
        let everywhere = Query { parts: [false; 3], ..asked.clone() };
        let selected = self.selected(&everywhere);
        let within = selected.filter(|(report, _)| asked.holds(report.event_date));
        within.map(|(report, _)| keys(report)).collect()
    }
}

impl Query {
    fn keys(&self) -> [Option<String>; 3] {
        let [country, region, city] = PLACES[self.place];
        let keys = [country_key(country), fold(region), fold(city)];
        let mut parts = self.parts.into_iter();
        // Blank parts are not used.
        keys.map(|key| Some(key).filter(|key| parts.next() == Some(true) && !key.is_empty()))
    }

    fn period(&self) -> Period {
        let date = |day: Option<i64>| day.map(|day| date_of_day(FIRST_DAY + day));
        Period { from: date(self.from), to: date(self.to) }
    }

    fn holds(&self, date: NaiveDate) -> bool {
        let Period { from, to } = self.period();
        from.is_none_or(|from| from <= date) && to.is_none_or(|to| date <= to)
    }

    fn filter(&self) -> Filter {
        let [country, region, city] = PLACES[self.place];
        let [by_country, by_region, by_city] = self.parts;
        let part = |asked: bool, text: &'static str| asked.then_some(text);
        let place = PlaceFilter::new(
            part(by_country, country),
            part(by_region, region),
            part(by_city, city),
        );
        Filter { period: self.period(), place }
    }
}

fn keys(report: &NewReport) -> [String; 3] {
    [country_key(&report.country), fold(&report.region), fold(&report.city)]
}

fn moment(step: i64) -> DateTime<Utc> {
    instant(START) + TimeDelta::minutes(step)
}

/// Applies `step` to both the store and the model, and compares their results.
async fn walk(database: &Database, model: &mut Model, step: &Step, number: usize) {
    let now = moment(number as i64);
    let store = &database.at(now);
    let ids = |numbers: &[usize]| -> Vec<String> {
        let distinct: BTreeSet<&usize> = numbers.iter().collect();
        distinct.into_iter().map(|number| format!("r{number}")).collect()
    };
    let mut decide = |numbers: &[usize], from: &[Status], to| -> Vec<(String, Decision)> {
        let ids = ids(numbers);
        ids.into_iter().map(|id| (id.clone(), model.decide(&id, from, to, now))).collect()
    };
    match step {
        Step::Import { place, kind, day, mode } => {
            let [country, region, city] = PLACES[*place].map(str::to_owned);
            let row = NewReport {
                country,
                region,
                city,
                event_date: date_of_day(FIRST_DAY + day),
                created_at: now - TimeDelta::days(number as i64 % 7),
                ..report(&format!("r{number}"), *kind)
            };
            store.reports().import(std::slice::from_ref(&row), *mode).await.unwrap();
            let (status, published_at) = match mode {
                Mode::Approve => (Status::Approved, now),
                Mode::Backfill => (Status::Approved, row.created_at),
                _ => (Status::Pending, NEVER),
            };
            model.0.insert(row.id.to_string(), (row, status, published_at));
        }
        Step::Again(number) => {
            if let Some((row, ..)) = model.0.get(&format!("r{number}")) {
                store.reports().import(std::slice::from_ref(row), Mode::Backfill).await.unwrap();
            }
        }
        Step::Publish(numbers) => {
            let expected = decide(numbers, &[Status::Pending], Status::Approved);
            assert_eq!(
                store.reports().decide(domain::report::Step::Approve, &ids(numbers)).await.unwrap(),
                expected
            );
        }
        Step::Reject(numbers) => {
            let expected = decide(numbers, &[Status::Pending], Status::Rejected);
            assert_eq!(
                store.reports().decide(domain::report::Step::Reject, &ids(numbers)).await.unwrap(),
                expected
            );
        }
        Step::Withdraw(numbers) => {
            let expected = decide(numbers, &[Status::Approved], Status::Withdrawn);
            assert_eq!(
                store
                    .reports()
                    .decide(domain::report::Step::Withdraw, &ids(numbers))
                    .await
                    .unwrap(),
                expected
            );
        }
        Step::Reopen(numbers) => {
            let from = [Status::Rejected, Status::Withdrawn];
            let expected = decide(numbers, &from, Status::Pending);
            assert_eq!(
                store.reports().decide(domain::report::Step::Reopen, &ids(numbers)).await.unwrap(),
                expected
            );
        }
        Step::Restore(numbers) => {
            let expected = decide(numbers, &[Status::Withdrawn], Status::Approved);
            assert_eq!(
                store.reports().decide(domain::report::Step::Restore, &ids(numbers)).await.unwrap(),
                expected
            );
        }
        Step::Rebuild { damage, killed } => rebuild(database, DAMAGE[*damage], *killed, now).await,
    }
}

/// Damages the database, and rebuilds it twice: once until the rebuild is killed, and once completely.
async fn rebuild(database: &Database, damage: &'static str, killed: u64, now: DateTime<Utc>) {
    database.tamper(damage).await;
    let (calls, reached) = (AtomicU64::new(0), Notify::new());
    let watcher = |_: Progress<'_>| {
        if calls.fetch_add(1, Ordering::Relaxed) == killed {
            reached.notify_one();
        }
    };
    let store = database.at(now);
    let done = tokio::select! {
        biased;
        () = reached.notified() => None,
        done = store.rebuild(&watcher) => Some(done.unwrap()),
    };
    // The lease of the killed rebuild has expired by then.
    let store = database.at(now + TimeDelta::seconds(30));
    let again = store.rebuild(&|_| {}).await.unwrap();
    assert!(done.is_none() || again.is_nothing(), "{damage}: {done:?}, {again}");
    assert_eq!(store.check().await.unwrap().differences, [], "{damage}");
}

/// Compares the markers of a period and place.
async fn compare_cities(store: &Store, model: &Model, asked: &Query) {
    let cities =
        store.counters().largest_cities(&asked.filter(), ALL_TYPES, 100).await.unwrap().value;
    let cities: BTreeMap<_, _> = cities
        .into_iter()
        .map(|city| {
            let name = [&city.name.country, &city.name.region, &city.name.city];
            let [country, region, name] = name.map(|part| part.to_string());
            let keys = [country_key(&country), fold(&region), fold(&name)];
            (keys, [city.counts, city.all_time])
        })
        .collect();
    assert_eq!(cities, model.cities(asked), "{asked:?}");
}

async fn compare(store: &Store, model: &Model, asked: &Query) {
    let today = date_of_day(FIRST_DAY + 5);
    let filter = asked.filter();
    let counters = store.counters().metrics(&filter, today).await.unwrap().value;
    assert_eq!(counters, model.counters(asked, today), "{asked:?}");
    series::compare(store, model, asked, today).await;
    let since = asked.since.map(moment);
    let query = ReportsQuery { filter, since, ..ReportsQuery::newest(asked.limit) };
    let listed: Vec<String> = store
        .reports()
        .recent(&query)
        .await
        .unwrap()
        .value
        .into_iter()
        .map(|listed| listed.report.id)
        .collect();
    assert_eq!(listed, model.newest(asked), "{asked:?}");
    let facets: BTreeSet<[String; 3]> = store
        .counters()
        .geo_facets(asked.period(), ALL_TYPES)
        .await
        .unwrap()
        .into_iter()
        .map(|place| [country_key(&place.country), fold(&place.region), fold(&place.city)])
        .collect();
    assert_eq!(facets, model.facets(asked), "{asked:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 300, ..ProptestConfig::with_cases(
        crate::harness::property_cases(40)
    ) })]

    #[test]
    fn counters_lists_and_places_agree_with_a_recount_after_any_history(
        steps in prop::collection::vec(step(), 1..60),
        questions in prop::collection::vec(asked(), 12),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let database = Database::new().await;
            let mut model = Model::default();
            // Another process, which caches counts and is queried after each step.
            let elsewhere = database.elsewhere().await;
            for (number, step) in steps.iter().enumerate() {
                walk(&database, &mut model, step, number).await;
                for asked in questions.iter().cycle().skip(number % 7).take(4) {
                    compare_cities(&elsewhere, &model, asked).await;
                }
            }
            for asked in &questions {
                compare(&database.store, &model, asked).await;
            }
            assert_eq!(database.store.check().await.unwrap().differences, []);
        });
    }
}

/// The list finds its newest reports in two ways; the number of rows is large enough for both.
#[tokio::test]
async fn rare_and_common_places_list_the_same_way() {
    let database = Database::new().await;
    let mut model = Model::default();
    let rows: Vec<NewReport> = (0..600usize)
        .map(|number| {
            let place = if number.is_multiple_of(50) { number / 50 % 10 } else { 4 };
            let [country, region, city] = PLACES[place].map(str::to_owned);
            let event_date = date_of_day(FIRST_DAY + DAYS[number % 9]);
            let created_at = moment((number * 7 % 600) as i64);
            let row = report(&format!("r{number:03}"), TYPES[number % 3]);
            NewReport { country, region, city, event_date, created_at, ..row }
        })
        .collect();
    database.at(moment(700)).reports().import(&rows, Mode::Backfill).await.unwrap();
    for row in rows {
        let at = row.created_at;
        model.0.insert(row.id.to_string(), (row, Status::Approved, at));
    }
    for place in 0..PLACES.len() {
        for parts in [[true, false, false], [false, true, false], [false, false, true], [true; 3]] {
            for (from, to) in [(None, None), (Some(5), Some(40)), (Some(310), None)] {
                let since = Some(90).filter(|_| place % 2 == 0);
                let asked = Query { from, to, place, parts, limit: 7, since };
                compare(&database.store, &model, &asked).await;
            }
        }
    }
}

#[tokio::test]
async fn a_check_names_what_differs() {
    let database = Database::new().await;
    let rows = [report("a", ReportType::Spirit), report("b", ReportType::Water)];
    database.store.reports().import(&rows, Mode::Approve).await.unwrap();
    assert_eq!(database.store.check().await.unwrap().differences, []);
    // The world, the country, the region and the city: for each its distance from the previous place and three counts.
    let month = "UPDATE counts SET counts = x'01010500010105000101010001010100' WHERE grain = 2";
    let year = "UPDATE counts SET counts = x'010101000101010001010100' WHERE grain = 1";
    database.tamper(month).await;
    database.tamper(year).await;
    database
        .tamper("UPDATE presence SET cities = x'3A30000000000000' WHERE grain = 0 AND bucket = 0")
        .await;
    let mut found: Vec<String> =
        database.store.check().await.unwrap().differences.iter().map(ToString::to_string).collect();
    found.sort();
    let recounted = "recounted 1 spirit, 1 water, 0 both";
    assert_eq!(
        found,
        [
            format!("Brazil, 2026-03: stored 1 spirit, 5 water, 0 both, {recounted}"),
            format!("Campinas, São Paulo, Brazil, 2026: stored nothing, {recounted}"),
            "the set of cities, all time: stored 0 cities, recounted 1 city".to_owned(),
            format!("the world, 2026-03: stored 1 spirit, 5 water, 0 both, {recounted}"),
        ]
    );
}
