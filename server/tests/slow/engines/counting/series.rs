//! Counters over time, compared with the same recount.

use std::collections::BTreeMap;

use chrono::{Datelike, Days, Months, NaiveDate};
use model::Interval;
use store::{Filter, Period, Point, Store, TooLong};

use super::{Model, Query, TYPES};

impl Model {
    fn by_day(&self, asked: &Query) -> BTreeMap<NaiveDate, [u64; 3]> {
        let mut days: BTreeMap<NaiveDate, [u64; 3]> = BTreeMap::new();
        let selected = self.selected(asked).filter(|(report, _)| asked.holds(report.event_date));
        for (report, _) in selected {
            let kind = TYPES.iter().position(|kind| *kind == report.kind).unwrap();
            days.entry(report.event_date).or_default()[kind] += 1;
        }
        days
    }

    fn series(
        &self,
        asked: &Query,
        interval: Interval,
        today: NaiveDate,
    ) -> Result<Vec<Point>, TooLong> {
        let days = self.by_day(asked);
        let Period { from, to } = asked.period();
        let last = days.keys().next_back().copied();
        let end = [last, from, Some(today)].into_iter().flatten().max().unwrap();
        let to = to.unwrap_or(end);
        let first = days.keys().next().copied().unwrap_or(to);
        let from = from.unwrap_or(beginning(interval, first));
        let mut points = Vec::new();
        let mut begin = from;
        while begin <= to {
            let end = next(interval, beginning(interval, begin)).pred_opt().unwrap().min(to);
            let mut by_type = [0; 3];
            for counts in days.range(begin..=end).map(|(_, counts)| counts) {
                (0..3).for_each(|kind| by_type[kind] += counts[kind]);
            }
            points.push(Point { from: begin, to: end, by_type });
            begin = end.succ_opt().unwrap();
        }
        Ok(points)
    }
}

fn beginning(interval: Interval, day: NaiveDate) -> NaiveDate {
    match interval {
        Interval::Day => day,
        Interval::Week => day - Days::new(u64::from(day.weekday().num_days_from_monday())),
        Interval::Month => day.with_day(1).unwrap(),
        Interval::Year => NaiveDate::from_ymd_opt(day.year(), 1, 1).unwrap(),
    }
}

fn next(interval: Interval, beginning: NaiveDate) -> NaiveDate {
    match interval {
        Interval::Day => beginning + Days::new(1),
        Interval::Week => beginning + Days::new(7),
        Interval::Month => beginning + Months::new(1),
        Interval::Year => beginning + Months::new(12),
    }
}

/// Compares the series of each interval with a recount, and its points with the counters of their days.
pub(super) async fn compare(store: &Store, model: &Model, asked: &Query, today: NaiveDate) {
    let filter = asked.filter();
    let whole = store.counters().metrics(&filter, today).await.unwrap().value;
    for interval in Interval::ALL {
        let series = store.counters().series(&filter, interval, today).await.unwrap().value;
        assert_eq!(series, model.series(asked, interval, today), "{interval:?} {asked:?}");
        let points = series.unwrap();
        let sum = |kind: usize| -> u64 { points.iter().map(|point| point.by_type[kind]).sum() };
        assert_eq!([0, 1, 2].map(sum), whole.by_type, "{interval:?} {asked:?}");
        let (empty, counted): (Vec<&Point>, _) =
            points.iter().partition(|point| point.by_type == [0; 3]);
        for point in empty.first().into_iter().chain(counted.iter().rev().take(2)) {
            let period = Period { from: Some(point.from), to: Some(point.to) };
            let of_its_days = Filter { period, ..filter.clone() };
            let counters = store.counters().metrics(&of_its_days, today).await.unwrap().value;
            assert_eq!(counters.by_type, point.by_type, "{point:?} {asked:?}");
        }
    }
}
