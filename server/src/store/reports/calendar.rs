//! Calendars: for each segment of the lists and each month, the reports in the order of their event dates.
//! Whole months are [postings](super::postings); a calendar answers for the months that a period cuts.

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, NaiveDate};
use roaring::RoaringBitmap;
use sqlx::{AssertSqlSafe, FromRow, SqliteConnection};

use super::{postings::Range, segments::padded};
use crate::{
    store::{
        counters::{
            grain::{Grain, Span},
            rollup::Counted,
        },
        engine::bulk,
        error::Result,
    },
    time::date_of_day,
};

/// A report of a month: its day in the upper half, its slot in the lower. Sorted by that.
pub(super) type Dated = u32;

const SLOT_BITS: u32 = 16;

pub(super) fn dated(date: NaiveDate, slot: u32) -> Dated {
    (date.day() << SLOT_BITS) | slot
}

pub(super) fn slot(dated: Dated) -> u32 {
    dated & ((1 << SLOT_BITS) - 1)
}

/// Some days of a month, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Days {
    /// As a bucket of [`Grain::Month`].
    month: i64,
    first: u32,
    last: u32,
}

/// A period as it is searched for: whole years and months, and at most two months that it cuts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dates {
    pub whole: Vec<Range>,
    pub days: Vec<Days>,
}

impl Dates {
    /// What [`Period::spans`](crate::store::filter::Period) says, of a period that is not open.
    pub(super) fn of(spans: &[Span]) -> Self {
        let mut dates = Self::default();
        for Span { grain, first, last } in spans {
            match grain {
                Grain::All => {}
                Grain::Year => dates.whole.push(Range::years(*first, *last)),
                Grain::Month => dates.whole.push(Range::months(*first, *last)),
                // They may be the end of a month and the beginning of the next one.
                Grain::Day => {
                    let (first, last) = (date_of_day(*first), date_of_day(*last));
                    let months = [first, last].map(|date| Grain::Month.bucket(date));
                    let days = |month, first, last| Days { month, first, last };
                    if months[0] == months[1] {
                        dates.days.push(days(months[0], first.day(), last.day()));
                    } else {
                        dates.days.push(days(months[0], first.day(), 31));
                        dates.days.push(days(months[1], 1, last.day()));
                    }
                }
            }
        }
        dates
    }
}

/// The calendars of reports that take consecutive slots, the first one `first`, by month.
pub(super) fn months<'c>(
    first: u32,
    reports: impl IntoIterator<Item = &'c Counted>,
) -> BTreeMap<i64, Vec<Dated>> {
    let mut months: BTreeMap<i64, Vec<Dated>> = BTreeMap::new();
    for (slot, counted) in (first..).zip(reports) {
        let date = counted.event_date;
        months.entry(Grain::Month.bucket(date)).or_default().push(dated(date, slot));
    }
    months.values_mut().for_each(|month| month.sort_unstable());
    months
}

#[derive(FromRow)]
struct Row {
    month: i64,
    dates: Vec<u8>,
}

/// Adds to the calendars of `segment`, which has others before if it `is_new` is false.
pub(super) async fn add(
    tx: &mut SqliteConnection,
    segment: i64,
    is_new: bool,
    mut months: BTreeMap<i64, Vec<Dated>>,
) -> Result<()> {
    if !is_new {
        for (month, earlier) in all_of(tx, segment).await? {
            if let Some(dates) = months.get_mut(&month) {
                dates.extend(earlier);
                dates.sort_unstable();
            }
        }
    }
    let rows: Vec<Row> =
        months.into_iter().map(|(month, dates)| Row { month, dates: encode(&dates) }).collect();
    bulk::insert(
        tx,
        "INSERT INTO calendars (segment, month, dates)",
        3,
        "ON CONFLICT (segment, month) DO UPDATE SET dates = excluded.dates",
        &rows,
        |query, row| query.bind(segment).bind(row.month).bind(row.dates.clone()),
    )
    .await
}

/// Every calendar of `segment`.
pub(super) async fn all_of(
    tx: &mut SqliteConnection,
    segment: i64,
) -> Result<BTreeMap<i64, Vec<Dated>>> {
    let rows: Vec<Row> = sqlx::query_as("SELECT month, dates FROM calendars WHERE segment = $1")
        .bind(segment)
        .fetch_all(tx)
        .await?;
    Ok(rows.into_iter().map(|row| (row.month, decode(&row.dates).collect())).collect())
}

/// Removes the calendars of `segment`.
pub(super) async fn remove(tx: &mut SqliteConnection, segment: i64) -> Result<()> {
    sqlx::query("DELETE FROM calendars WHERE segment = $1").bind(segment).execute(tx).await?;
    Ok(())
}

/// Adds to `found` the slots of each of `segments` that are dated in `days`.
pub(super) async fn find(
    tx: &mut SqliteConnection,
    segments: &[i64],
    days: &Days,
    found: &mut HashMap<i64, RoaringBitmap>,
) -> Result<()> {
    let sql = format!(
        "WITH segments (id) AS ({}), days (month) AS ({})
         SELECT c.segment, c.dates FROM days CROSS JOIN segments CROSS JOIN calendars c
         WHERE c.segment = segments.id AND c.month = days.month",
        bulk::values(1, padded(segments).len()),
        bulk::values(1, 1),
    );
    let query = padded(segments)
        .fold(sqlx::query_as(AssertSqlSafe(sql)), |query, segment| query.bind(segment));
    let rows: Vec<(i64, Vec<u8>)> = query.bind(days.month).fetch_all(tx).await?;
    let (first, end) = (days.first << SLOT_BITS, (days.last + 1) << SLOT_BITS);
    for (segment, dates) in rows {
        let dates: &[[u8; 4]] = dates.as_chunks().0;
        let from = dates.partition_point(|bytes| Dated::from_le_bytes(*bytes) < first);
        let to = dates.partition_point(|bytes| Dated::from_le_bytes(*bytes) < end);
        let slots = dates.get(from..to).unwrap_or_default();
        if !slots.is_empty() {
            let slots = set(slots.iter().map(|bytes| Dated::from_le_bytes(*bytes)));
            *found.entry(segment).or_default() |= slots;
        }
    }
    Ok(())
}

/// From so many slots on, setting bits is faster than sorting.
const MANY: usize = 1_024;

/// The set of slots, which come in any order.
fn set(dates: impl ExactSizeIterator<Item = Dated>) -> RoaringBitmap {
    if dates.len() < MANY {
        let mut slots: Vec<u32> = dates.map(slot).collect();
        slots.sort_unstable();
        return slots.into_iter().collect();
    }
    let mut bits = vec![0_u8; 1 << (SLOT_BITS - 3)];
    for dated in dates {
        let slot = slot(dated);
        if let Some(byte) = bits.get_mut((slot >> 3) as usize) {
            *byte |= 1 << (slot & 7);
        }
    }
    RoaringBitmap::from_lsb0_bytes(0, &bits)
}

fn encode(dates: &[Dated]) -> Vec<u8> {
    dates.iter().flat_map(|dated| dated.to_le_bytes()).collect()
}

fn decode(bytes: &[u8]) -> impl Iterator<Item = Dated> {
    bytes.as_chunks().0.iter().map(|bytes| Dated::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::postings::Dimension, *};

    proptest! {
        #[test]
        fn a_day_is_in_a_period_once_or_not_at_all(
            from in 10_000i64..20_000, length in 0i64..800, probe in -20i64..820,
        ) {
            let spans = Span::cover(date_of_day(from), date_of_day(from + length));
            let dates = Dates::of(&spans);
            prop_assert!(dates.days.len() <= 2);
            let probed = date_of_day(from + probe);
            let keys = [
                (Dimension::Year, Grain::Year.bucket(probed)),
                (Dimension::Month, Grain::Month.bucket(probed)),
            ];
            let whole = dates.whole.iter().filter(|range| keys.iter().any(|key| range.has(*key)));
            let whole = whole.count();
            let cut = dates.days.iter().filter(|days| {
                days.month == Grain::Month.bucket(probed)
                    && (days.first..=days.last).contains(&probed.day())
            });
            prop_assert_eq!(whole + cut.count(), usize::from((0..=length).contains(&probe)));
        }
    }
}
