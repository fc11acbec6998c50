//! Compares pages with lists sorted from all reports. In tests of the library, few reports are
//! really few, so that each way of finding reports is taken.

use std::cmp::Reverse;

use base::time::{date_of_day, day_number, parse_date};
use domain::{
    report::{NewReport, Status, Step},
    report_id::ReportId,
};
use model::ReportType;
use proptest::{prelude::*, sample::select};

use super::*;
use crate::{
    Mode, PlaceFilter, Store,
    reports::{list::ListedReport, selection::Order},
    testing::Scratch,
};

/// City, region and country.
const PLACES: [[&str; 3]; 6] = [
    ["Oslo", "", "Norway"],
    ["oslo", "Oslo", "Norge"],
    ["Bergen", "Vestland", "Norway"],
    ["Lima", "Lima", "Peru"],
    ["Rare", "", "Tuvalu"],
    ["Oslo", "Minnesota", "United States"],
];
const DAYS: [i64; 6] = [18_900, 18_901, 18_930, 19_300, 19_301, 19_700];
const ORDERS: [Order; 4] =
    [Order::OldestFirst, Order::NewestFirst, Order::OldestEventFirst, Order::NewestEventFirst];

/// Adds 240 reports of all statuses: several, a few, or one from each place.
async fn fill(store: &Store) {
    let mut reports = Vec::new();
    for number in 0..240_u64 {
        // A permutation, so that places, types and days are mixed.
        let mixed = (number * 97) % 240;
        let place = match mixed {
            0 => 4,
            1..=7 => 3,
            8..=30 => 1 + (mixed as usize % 2),
            31..=45 => 5,
            _ => 0,
        };
        let [city, region, country] = PLACES[place].map(str::to_owned);
        reports.push(NewReport {
            id: ReportId::stored(format!("{}-{number}", if number < 9 { "old" } else { "r" })),
            kind: ReportType::ALL[(mixed / 2) as usize % 3],
            city,
            region,
            country,
            people_count: 1,
            event_date: date_of_day(DAYS[(mixed / 7) as usize % DAYS.len()]),
            created_at: "2026-03-01T12:00:00Z".parse().unwrap(),
            event_date_given: true,
            created_at_given: true,
            position: None,
        });
    }
    let ids = |number: u64| -> Vec<String> {
        reports
            .iter()
            .skip(number as usize)
            .step_by(4)
            .map(|report| report.id.to_string())
            .collect()
    };
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    for (step, decided) in [
        (Step::Approve, ids(1)),
        (Step::Approve, ids(2)),
        (Step::Withdraw, ids(2)),
        (Step::Reject, ids(3)),
    ] {
        store.reports().decide(step, &decided).await.unwrap();
    }
}

/// All reports of a status, oldest first.
async fn all_of(store: &Store, status: Status) -> Vec<ListedReport> {
    let list = ReportList { limit: 1_000, order: Order::OldestFirst, ..ReportList::default() };
    let mut all = store.reports().list(&list).await.unwrap().reports;
    assert_eq!(all.len(), 240);
    all.retain(|report| report.status == status);
    all
}

#[derive(Clone, Debug)]
struct Asked {
    country: Option<&'static str>,
    city: Option<&'static str>,
    text: Option<&'static str>,
    kind: Option<ReportType>,
    from: Option<i64>,
    to: Option<i64>,
}

impl Asked {
    fn selection(&self, status: Status) -> Selection {
        Selection {
            status: Some(status),
            kind: self.kind,
            place: PlaceFilter::new(self.country, None, self.city),
            period: Period { from: self.from.map(date_of_day), to: self.to.map(date_of_day) },
            text: self.text.map(str::to_owned),
            ..Selection::default()
        }
    }

    /// Whether a report matches, by rules that are written once more.
    fn selects(&self, report: &ListedReport) -> bool {
        let [city, region, country] =
            [&report.city, &report.region, &report.country].map(|name| name.to_lowercase());
        let is_norway = ["norway", "norge"].contains(&&*country);
        let day = day_number(parse_date(&report.event_date).unwrap());
        self.country.is_none_or(|wanted| match wanted {
            "NO" => is_norway,
            wanted => country == wanted.to_lowercase(),
        }) && self.city.is_none_or(|wanted| city == wanted.to_lowercase())
            && self.text.is_none_or(|text| {
                let text = text.to_lowercase();
                [&city, &region, &country].iter().any(|name| name.contains(&text))
                    || text == "norvège" && is_norway
                    || report.id.starts_with(&text)
            })
            && self.kind.is_none_or(|kind| report.kind == kind.as_str())
            && self.from.is_none_or(|from| day >= from)
            && self.to.is_none_or(|to| day <= to)
    }
}

fn asked() -> impl Strategy<Value = Asked> {
    let of = |names: &[&'static str]| prop::option::weighted(0.3, select(names.to_vec()));
    let day = || prop::option::weighted(0.3, 18_890..19_710_i64);
    let kind = prop::option::weighted(0.3, select(ReportType::ALL.to_vec()));
    (
        of(&["NO", "Peru", "Tuvalu", "Mars"]),
        of(&["OSLO", "Bergen", "Rare"]),
        of(&["slo", "LIMA", "norvège", "r-1", "OLD-", "rar", "nothing"]),
        kind,
        day(),
        day(),
    )
        .prop_map(|(country, city, text, kind, from, to)| Asked {
            country,
            city,
            text,
            kind,
            from,
            to,
        })
}

/// Reads a list page by page; returns the ids, and the totals of the pages.
async fn read_list(
    store: &Store,
    status: Status,
    selection: &Selection,
    order: Order,
    limit: u32,
) -> (Vec<String>, Vec<Option<u64>>) {
    let (mut ids, mut totals, mut after) = (Vec::new(), Vec::new(), None);
    loop {
        let list =
            ReportList { selection: selection.clone(), order, after, limit, most_examined: None };
        let page = store.reports().page(status, &list).await.unwrap();
        let Listed { reports, next } = page.listed;
        assert!(
            next.is_none() || reports.len() == limit as usize,
            "a page is full or the last one"
        );
        ids.extend(reports.into_iter().map(|report| report.id));
        totals.push(page.total);
        // The total is the same without the choices.
        let (listed, total) = store.reports().page_without_choices(status, &list).await.unwrap();
        assert_eq!((listed.next, total), (next, page.total));
        if let Some(total) = page.total {
            let types: u64 = page.choices.types.iter().sum();
            let is_complete =
                selection.kind.is_some() || selection.text.is_some() || types == total;
            assert!(is_complete, "{types} reports by type of {total}");
        }
        after = next;
        if after.is_none() {
            return (ids, totals);
        }
    }
}

#[test]
fn pages_are_those_of_a_sorted_list() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let store = runtime.block_on(async {
        let store = Scratch::new().await;
        fill(&store).await;
        store
    });
    let all: Vec<(Status, Vec<ListedReport>)> = Status::ALL
        .into_iter()
        .map(|status| (status, runtime.block_on(all_of(&store, status))))
        .collect();
    let mut runner = prop::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
    let case = (asked(), 0..4_usize, select(ORDERS.to_vec()), select(vec![1_u32, 7, 50]));
    runner
        .run(&case, |(asked, status, order, limit)| {
            let (status, reports) = &all[status];
            let mut expected: Vec<(i64, i64, &str)> = reports
                .iter()
                .filter(|report| asked.selects(report))
                .map(|report| {
                    let day = day_number(parse_date(&report.event_date).unwrap());
                    (if order.is_by_event() { day } else { 0 }, report.seq, report.id.as_str())
                })
                .collect();
            match order.is_descending() {
                true => expected.sort_unstable_by_key(|one| Reverse(*one)),
                false => expected.sort_unstable(),
            }
            let selection = asked.selection(*status);
            let (ids, totals) =
                runtime.block_on(read_list(&store, *status, &selection, order, limit));
            let expected: Vec<&str> = expected.into_iter().map(|(_, _, id)| id).collect();
            prop_assert_eq!(&ids, &expected);
            for total in totals.into_iter().flatten() {
                prop_assert_eq!(total, expected.len() as u64);
            }
            for place in [0, expected.len() / 2, expected.len().saturating_sub(1)] {
                let Some(id) = expected.get(place) else { continue };
                let report = reports.iter().find(|report| report.id == *id).unwrap();
                let list =
                    ReportList { selection: selection.clone(), order, ..ReportList::default() };
                let reading = store.reports().neighbours(report, *status, &list);
                let neighbours = runtime.block_on(reading).unwrap();
                let at = |place: usize| expected.get(place).map(|id| (*id).to_owned());
                prop_assert_eq!(neighbours.previous, place.checked_sub(1).and_then(at));
                prop_assert_eq!(neighbours.next, at(place + 1));
            }
            Ok(())
        })
        .unwrap();
    runtime.block_on(store.close());
}

#[tokio::test]
async fn a_report_that_has_left_the_list_keeps_its_neighbours() {
    let store = Scratch::new().await;
    fill(&store).await;
    let pending = all_of(&store, Status::Pending).await;
    for order in ORDERS {
        let list = ReportList { limit: 50, order, ..ReportList::default() };
        let page = store.reports().page(Status::Pending, &list).await.unwrap().listed.reports;
        let [before, decided, after] = [&page[3], &page[4], &page[5]];
        let of =
            async || store.reports().neighbours(decided, Status::Pending, &list).await.unwrap();
        let expected =
            Neighbours { previous: Some(before.id.clone()), next: Some(after.id.clone()) };
        assert_eq!(of().await, expected, "{order:?}");
        store.reports().decide(Step::Reject, std::slice::from_ref(&decided.id)).await.unwrap();
        assert_eq!(of().await, expected, "{order:?}");
        store.reports().decide(Step::Reopen, std::slice::from_ref(&decided.id)).await.unwrap();
    }
    assert_eq!(all_of(&store, Status::Pending).await.len(), pending.len());
    store.close().await;
}

#[tokio::test]
async fn statuses_and_choices_are_counted_after_every_decision() {
    let store = Scratch::new().await;
    fill(&store).await;
    assert_eq!(store.reports().by_status().await.unwrap().map(|(_, count)| count), [60; 4]);
    assert_eq!(store.reports().pending().await.unwrap(), 60);
    let list = ReportList { limit: 1, ..ReportList::default() };
    let page = store.reports().page(Status::Pending, &list).await.unwrap();
    let pending = all_of(&store, Status::Pending).await;
    let of = |country: &[&str]| {
        pending.iter().filter(|report| country.contains(&&*report.country)).count() as u64
    };
    let choices = page.choices.countries.iter().map(|choice| (&*choice.name, choice.reports));
    let mut choices: Vec<(&str, u64)> = choices.collect();
    choices.sort_unstable();
    let mut expected = vec![
        ("Norway", of(&["Norway", "Norge"])),
        ("Peru", of(&["Peru"])),
        ("Tuvalu", of(&["Tuvalu"])),
    ];
    expected.push(("United States", of(&["United States"])));
    expected.retain(|(_, count)| *count > 0);
    assert_eq!(choices, expected);
    assert_eq!(page.total, Some(60));
    // No count remains of reports that have gone elsewhere.
    let ids: Vec<String> = pending.into_iter().map(|report| report.id).collect();
    store.reports().decide(Step::Reject, &ids).await.unwrap();
    let page = store.reports().page(Status::Pending, &list).await.unwrap();
    assert_eq!((page.total, page.choices), (Some(0), Choices::default()));
    let counted = store.reports().by_status().await.unwrap().map(|(_, count)| count);
    assert_eq!(counted, [0, 60, 120, 60]);
    store.close().await;
}
