//! A site that is busy now. Its reports of a day depend only on a seed and the date, so a server that was stopped can
//! add the reports that it would have published.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use domain::report::NewReport;

use super::calendar::DAY;
use super::rng::Rng;
use super::rows::report;
use super::{cities, spelling};

/// Number of days before today with reports.
pub const PAST_DAYS: u64 = 45;
/// Mean number of reports in the busiest hour of a day: one every 13 seconds.
const PER_HOUR: u64 = 270;
/// Relative activity, Monday to Sunday, in per cent. A live site that is slow on Mondays would be dull on Mondays, so the
/// days differ less than in ten years of history.
const WEEK: [u64; 7] = [85, 88, 92, 90, 98, 115, 132];
/// Difference between days of the same weekday, in per cent.
const NOISE: u64 = 8;
const HOUR_MILLIS: u64 = 3_600_000;

/// Returns the reports of a day (UTC), in order of time. Their ids are `demo-<seed>-<date>-<number>`.
pub fn day(seed: u64, date: NaiveDate) -> impl Iterator<Item = NewReport> {
    seen_after(seed, date, 0)
}

/// Returns the reports of a day as a site at `now` has them, which grew until today: the longer ago the day, the more
/// reports are missing. A later `now` adds no reports to a day that was complete.
pub fn past_day(seed: u64, days_ago: u64, now: DateTime<Utc>) -> impl Iterator<Item = NewReport> {
    let date = now.date_naive() - Days::new(days_ago);
    seen_after(seed, date, days_ago).take_while(move |report| report.created_at <= now)
}

/// Returns the reports of a day as they are `days` later.
fn seen_after(seed: u64, date: NaiveDate, days: u64) -> impl Iterator<Item = NewReport> {
    let stream = u64::from(date.num_days_from_ce().unsigned_abs());
    let mut rng = Rng::with_stream(seed, stream << 8);
    let week = WEEK[date.weekday().num_days_from_monday() as usize];
    let today = week * rng.between(100 - NOISE, 100 + NOISE);
    let busiest = DAY.into_iter().max().unwrap_or(1) * 100 * 100;
    let instants: Vec<u64> = (0..)
        .zip(DAY)
        .flat_map(|(hour, part)| {
            let rate = PER_HOUR * part * today;
            let count = rate / busiest + u64::from(rng.below(busiest) < rate % busiest);
            // Each has a part of the hour, and is in the middle half of it: none are close together.
            let within = |row: u64, rng: &mut Rng| {
                hour * HOUR_MILLIS
                    + (4 * row + 1) * HOUR_MILLIS / (4 * count)
                    + rng.below(HOUR_MILLIS / (2 * count))
            };
            (0..count).map(|row| within(row, &mut rng)).collect::<Vec<_>>()
        })
        .collect();
    let midnight = date.and_time(NaiveTime::MIN).and_utc();
    let rows = (1..).zip(instants).map(move |(number, millis)| {
        let is_missing = rng.below(PAST_DAYS.pow(4)) < days.pow(4);
        let city = cities::random(&mut rng);
        let spelled = spelling::any(city, &mut rng);
        let id = format!("demo-{seed}-{date}-{number}");
        let created_at = midnight + TimeDelta::milliseconds(millis as i64);
        (!is_missing).then_some(report(id, city, spelled, created_at, &mut rng))
    });
    rows.flatten()
}
