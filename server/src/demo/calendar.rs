use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, TimeDelta, Utc};

use super::rng::Rng;

/// Relative activity, Monday to Sunday.
const WEEK: [u64; 7] = [70, 75, 85, 80, 95, 130, 165];
/// Relative activity, January to December.
const YEAR: [u64; 12] = [95, 92, 102, 114, 108, 110, 104, 96, 93, 98, 100, 118];
/// Relative activity in each hour, UTC.
pub(super) const DAY: [u64; 24] = [
    28, 22, 20, 20, 22, 26, 32, 40, 48, 54, 58, 60, 62, 64, 66, 68, 70, 72, 72, 68, 62, 52, 42, 34,
];
const HOUR_MILLIS: u64 = 3_600_000;

/// Ten years of days, each with a width by its activity.
pub(super) struct Calendar {
    first: NaiveDate,
    until: DateTime<Utc>,
    /// For each day, the sum of the widths up to and including it.
    sums: Vec<u64>,
}

impl Calendar {
    /// Returns the ten years that end with `until`.
    pub(super) fn new(seed: u64, until: DateTime<Utc>) -> Self {
        let last = until.date_naive();
        let first = last
            .checked_add_days(Days::new(1))
            .and_then(|day| day.checked_sub_months(Months::new(120)))
            .unwrap_or(last);
        let days = (last - first).num_days().unsigned_abs() + 1;
        let mut rng = Rng::with_stream(seed, 1);
        let mut sum = 0;
        let sums = first
            .iter_days()
            .take(days as usize)
            .zip(0..)
            .map(|(date, day)| {
                let width = u128::from(width(date, day, days, &mut rng));
                let hours = u128::from(hours_until(date, until));
                sum += (width * hours / u128::from(whole_day())) as u64;
                sum
            })
            .collect();
        Self { first, until, sums }
    }

    /// Returns the instant of row `row` of `rows`, in whole milliseconds: later for a later row, and before the end.
    /// `row` must be less than `rows`.
    pub(super) fn instant(&self, row: u64, rows: u64, rng: &mut Rng) -> DateTime<Utc> {
        let total = self.sums.last().copied().unwrap_or(0);
        // A random point in the row's own n-th part, to 20 bits: with a total of 42 bits, the product fits into 128 for
        // any number of rows.
        let place = (u128::from(row) << 20) + u128::from(rng.below(1 << 20));
        let point = (place * u128::from(total) / (u128::from(rows) << 20)) as u64;

        let day = self.sums.partition_point(|sum| *sum <= point).min(self.sums.len() - 1);
        let before = day.checked_sub(1).map_or(0, |day| self.sums[day]);
        let width = (self.sums[day] - before).max(1);
        let date = self.first + Days::new(day as u64);
        let open =
            u128::from(hours_until(date, self.until)) * u128::from(point.saturating_sub(before));
        let millis = time_of((open / u128::from(width)) as u64);
        let midnight = date.and_time(NaiveTime::MIN).and_utc();
        (midnight + TimeDelta::milliseconds(millis as i64)).min(self.until)
    }

    /// Returns the day of an event that was reported at `created_at`: mostly hours before, sometimes days.
    pub(super) fn event_date(&self, created_at: DateTime<Utc>, rng: &mut Rng) -> NaiveDate {
        const HOUR: u64 = 60;
        const DAY: u64 = 24 * HOUR;
        let spans = [
            (50, (3, 6 * HOUR)),
            (32, (6 * HOUR, DAY)),
            (14, (DAY, 7 * DAY)),
            (4, (7 * DAY, 60 * DAY)),
        ];
        let (low, high) = *rng.pick(&spans);
        let minutes = rng.between(low, high);
        let date = (created_at - TimeDelta::minutes(minutes as i64)).date_naive();
        // If all of these were moved to the first day, it would stand out.
        if date < self.first {
            return created_at.date_naive();
        }
        date
    }
}

/// Returns the activity of a day: ten times as high at the end as at the beginning, higher at weekends and in some
/// months, with some noise and, on about one day in sixty, a peak.
fn width(date: NaiveDate, day: u64, days: u64, rng: &mut Rng) -> u64 {
    let growth = 100 + 900 * day * day / (days * days);
    let week = WEEK[date.weekday().num_days_from_monday() as usize];
    let year = YEAR[date.month0() as usize];
    let chance = rng.between(85, 115);
    let special = if rng.below(60) == 0 { rng.between(2, 4) } else { 1 };
    growth * week * year * chance * special
}

/// Returns the part of a day's hours that lies before `until`, in the unit of [`DAY`] times milliseconds.
fn hours_until(date: NaiveDate, until: DateTime<Utc>) -> u64 {
    if date < until.date_naive() {
        return whole_day();
    }
    let mut left = (until.time() - NaiveTime::MIN).num_milliseconds().unsigned_abs();
    DAY.iter()
        .map(|weight| {
            let part = left.min(HOUR_MILLIS);
            left -= part;
            weight * part
        })
        .sum()
}

fn whole_day() -> u64 {
    DAY.iter().sum::<u64>() * HOUR_MILLIS
}

/// Returns the milliseconds since midnight after which `point` of the day, in the same unit, is over.
fn time_of(mut point: u64) -> u64 {
    for (hour, weight) in (0..).zip(DAY) {
        if point < weight * HOUR_MILLIS {
            return hour * HOUR_MILLIS + point / weight;
        }
        point -= weight * HOUR_MILLIS;
    }
    24 * HOUR_MILLIS - 1
}
