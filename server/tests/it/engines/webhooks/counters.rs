//! Counters in events, compared with a recount that scans everything.

use std::collections::BTreeSet;

use base::time::{date_of_day, format_instant};
use chrono::{DateTime, NaiveDate, Utc};
use domain::{event::EventName, report::NewReport};
use geo::places::{country_key, fold};
use model::ReportType;
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};
use store::Mode;

use crate::{
    harness::{But, report},
    node::{Node, Subscription},
};

/// Few places, so that their counts often return to zero. Some spellings mean the same place.
const PLACES: [[&str; 3]; 6] = [
    ["Campinas", "São Paulo", "Brazil"],
    ["campinas", "SAO PAULO", "BR"],
    ["Campinas", "", "Brasil"],
    ["Springfield", "Illinois", "USA"],
    ["Springfield", "Oregon", "United States"],
    ["Oslo", "", "Norway"],
];
/// 2026-03-01, the day on which tests start. Each step takes nine hours.
const FIRST_DAY: i64 = 20_513;

#[derive(Clone, Debug)]
enum Step {
    Import(Vec<Row>, Mode),
    Publish(Vec<usize>),
    Reject(usize),
    Withdraw(Vec<usize>),
}

#[derive(Clone, Debug)]
struct Row {
    place: usize,
    kind: ReportType,
    /// Days after the first.
    day: i64,
}

fn step() -> impl Strategy<Value = Step> {
    let row = (0..PLACES.len(), select(ReportType::ALL.to_vec()), -1..8i64)
        .prop_map(|(place, kind, day)| Row { place, kind, day });
    let rows = prop::collection::vec(row, 1..6);
    let mode = select(vec![Mode::Pending, Mode::Pending, Mode::Approve, Mode::Backfill]);
    let some = || prop::collection::vec(0..50usize, 1..8);
    prop_oneof![
        4 => (rows, mode).prop_map(|(rows, mode)| Step::Import(rows, mode)),
        4 => some().prop_map(Step::Publish),
        1 => (0..50usize).prop_map(Step::Reject),
        3 => some().prop_map(Step::Withdraw),
    ]
}

/// Simple model of the past.
#[derive(Default)]
struct History {
    imported: Vec<NewReport>,
    /// Indices into `imported`.
    pending: BTreeSet<usize>,
    approved: BTreeSet<usize>,
    /// Expected bodies of events.
    told: Vec<Value>,
}

impl History {
    fn add(&mut self, row: &Row, mode: Mode, now: DateTime<Utc>) -> NewReport {
        let number = self.imported.len();
        let [city, region, country] = PLACES[row.place];
        let mut added = report(&format!("r{number}"), row.kind).at(city, region, country);
        added.event_date = date_of_day(FIRST_DAY + row.day);
        self.imported.push(added.clone());
        match mode {
            Mode::Approve => self.approve(number, now),
            Mode::Backfill => _ = self.approved.insert(number),
            _ => _ = self.pending.insert(number),
        }
        added
    }

    fn approve(&mut self, number: usize, now: DateTime<Utc>) {
        self.approved.insert(number);
        self.tell("report.created", self.told_of(number, "APPROVED"), now);
        self.tell("metrics.updated", self.recount(now), now);
    }

    fn withdraw(&mut self, number: usize, now: DateTime<Utc>) {
        if self.approved.remove(&number) {
            self.tell("report.withdrawn", self.told_of(number, "WITHDRAWN"), now);
        }
    }

    fn told_of(&self, number: usize, status: &str) -> Value {
        let report = &self.imported[number];
        json!({
            "id": report.id, "city": report.city, "country": report.country, "peopleCount": 1,
            "type": report.kind, "createdAt": "2026-03-01T10:00:00.000Z", "status": status,
        })
    }

    fn tell(&mut self, event: &str, data: Value, now: DateTime<Utc>) {
        let timestamp = format_instant(now);
        self.told.push(json!({ "event": event, "timestamp": timestamp, "data": data }));
    }

    fn recount(&self, now: DateTime<Utc>) -> Value {
        let counted: Vec<&NewReport> = self.approved.iter().map(|at| &self.imported[*at]).collect();
        let count = |kind: Option<ReportType>, day: Option<NaiveDate>| {
            let matching = counted.iter().filter(|report| {
                kind.is_none_or(|kind| kind == report.kind)
                    && day.is_none_or(|day| day == report.event_date)
            });
            matching.count()
        };
        let [spirit, water, both] = ReportType::ALL.map(Some);
        let today = Some(now.date_naive());
        let country = |report: &NewReport| country_key(&report.country);
        let countries: BTreeSet<_> = counted.iter().map(|report| country(report)).collect();
        let cities: BTreeSet<_> = counted
            .iter()
            .map(|report| (country(report), fold(&report.region), fold(&report.city)))
            .collect();
        json!({
            "spirit": count(spirit, None), "spiritToday": count(spirit, today),
            "water": count(water, None), "waterToday": count(water, today),
            "both": count(both, None), "bothToday": count(both, today),
            "total": count(None, None), "totalToday": count(None, today),
            "countries": countries.len(), "cities": cities.len(),
            "updatedAt": format_instant(now),
        })
    }
}

/// Applies `step` to both the node and the model.
async fn walk(node: &Node, history: &mut History, step: &Step) {
    let (store, now) = (node.store(), node.now());
    let ids = |numbers: &[usize]| -> Vec<String> {
        numbers.iter().map(|number| format!("r{number}")).collect()
    };
    match step {
        Step::Import(rows, mode) => {
            let rows: Vec<_> = rows.iter().map(|row| history.add(row, *mode, now)).collect();
            store.reports().import(&rows, *mode).await.unwrap();
        }
        Step::Publish(numbers) => {
            store.reports().decide(domain::report::Step::Approve, &ids(numbers)).await.unwrap();
            for number in numbers {
                if history.pending.remove(number) {
                    history.approve(*number, now);
                }
            }
        }
        Step::Reject(number) => {
            store.reports().decide(domain::report::Step::Reject, &ids(&[*number])).await.unwrap();
            history.pending.remove(number);
        }
        Step::Withdraw(numbers) => {
            store.reports().decide(domain::report::Step::Withdraw, &ids(numbers)).await.unwrap();
            numbers.iter().for_each(|number| history.withdraw(*number, now));
        }
    }
}

async fn told(node: &Node, subscription: &Subscription) -> Vec<Value> {
    let events = node.take_all(subscription).await;
    events.iter().map(|event| serde_json::from_slice(&event.body).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 300, ..ProptestConfig::with_cases(
        crate::harness::property_cases(40)
    ) })]

    #[test]
    fn events_agree_with_a_recount_after_every_single_report_of_any_history(
        steps in prop::collection::vec(step(), 1..25),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let node = Node::new().await;
            let subscription = node.subscribe("http://127.0.0.1:9/", &EventName::PUBLIC).await;
            let mut history = History::default();
            for step in &steps {
                walk(&node, &mut history, step).await;
                let expected = std::mem::take(&mut history.told);
                assert_eq!(told(&node, &subscription).await, expected, "{step:?}");
                node.clock.advance(std::time::Duration::from_secs(9 * 3_600));
            }
        });
    }
}
