use std::ops::Range;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use model::ReportType;

use super::DemoRow;
use super::calendar::Calendar;
use super::cities::{Cities, City};
use super::rng::Rng;
use super::spelling;

const KINDS: [(u64, ReportType); 3] =
    [(47, ReportType::Spirit), (40, ReportType::Water), (13, ReportType::Both)];

/// How many people, in per mille of the reports.
const PEOPLE: [(u64, (u64, u64)); 6] = [
    (420, (1, 1)),
    (430, (2, 5)),
    (100, (6, 20)),
    (39, (21, 120)),
    (9, (121, 900)),
    (2, (901, 6_000)),
];

/// Reports of the ten years that end with `until`, in order of `created_at`.
pub fn rows(count: u64, seed: u64, until: DateTime<Utc>) -> Rows {
    Rows {
        seed,
        count,
        left: 0..count,
        rng: Rng::with_stream(seed, 0),
        calendar: Calendar::new(seed, until),
        seen: vec![false; Cities::get().all().len()],
    }
}

/// The iterator of [`rows`].
pub struct Rows {
    seed: u64,
    count: u64,
    left: Range<u64>,
    rng: Rng,
    calendar: Calendar,
    /// The cities that had a row. A place is shown in the spelling that came first, so that is the
    /// usual one: a demonstration with a "SAO PAULO" looks like a fault.
    seen: Vec<bool>,
}

impl Iterator for Rows {
    type Item = DemoRow;

    fn next(&mut self) -> Option<DemoRow> {
        let row = self.left.next()?;
        let created_at = self.calendar.instant(row, self.count, &mut self.rng);
        let event_date = self.calendar.event_date(created_at, &mut self.rng);
        let index = Cities::get().pick(&mut self.rng);
        let city = &Cities::get().all()[index];
        let spelled = if std::mem::replace(&mut self.seen[index], true) {
            spelling::any(city, &mut self.rng)
        } else {
            spelling::usual(city)
        };
        let id = format!("demo-{}-{}-{}", self.seed, self.count, row + 1);
        Some(DemoRow { event_date, ..report(id, city, spelled, created_at, &mut self.rng) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

/// A report that is made at `now` of an event of the same day (UTC): the `n`-th of a run.
pub fn live_row(seed: u64, n: u64, now: DateTime<Utc>) -> DemoRow {
    let now = now.duration_trunc(TimeDelta::milliseconds(1)).unwrap_or(now);
    let millis = now.timestamp_millis();
    let mut rng = Rng::with_stream(seed ^ millis.unsigned_abs(), n.wrapping_add(2));
    let city = &Cities::get().all()[Cities::get().pick(&mut rng)];
    let spelled = spelling::any(city, &mut rng);
    report(format!("demo-{seed}-live-{millis}-{n}"), city, spelled, now, &mut rng)
}

/// A report of an event of the day on which it is made.
fn report(
    id: String,
    city: &City,
    [name, region, country]: spelling::Spelled,
    created_at: DateTime<Utc>,
    rng: &mut Rng,
) -> DemoRow {
    let (fewest, most) = *rng.pick(&PEOPLE);
    // The lesser of two draws: small groups are the more likely within a class, too.
    let people = rng.between(fewest, most).min(rng.between(fewest, most));
    DemoRow {
        id,
        kind: *rng.pick(&KINDS),
        city: name,
        region,
        country,
        people_count: people as u32,
        event_date: created_at.date_naive(),
        created_at,
        point: (rng.below(3) == 0).then_some(city.point),
    }
}
