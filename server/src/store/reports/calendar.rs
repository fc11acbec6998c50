//! Calendars: for each segment of the lists, its slots in the order of their event dates. Whatever period
//! is asked for is one stretch of it.
//!
//! Stored, all little-endian: how many days have reports (4 bytes); for each of them its number and how
//! many slots there are up to its end (4 bytes each); the slots (2 bytes each).

use chrono::NaiveDate;
use roaring::RoaringBitmap;
use sqlx::SqliteConnection;

use crate::{
    store::{
        counters::rollup::Counted,
        error::{Error, Result},
    },
    time::day_number,
};

/// A slot and the day that its report is dated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dated {
    pub day: i32,
    pub slot: u16,
}

impl Dated {
    pub(super) fn new(date: NaiveDate, slot: u32) -> Self {
        Self { day: day(date), slot: u16::try_from(slot).unwrap_or(u16::MAX) }
    }
}

/// A date as calendars have it.
pub(super) fn day(date: NaiveDate) -> i32 {
    i32::try_from(day_number(date)).unwrap_or_default()
}

/// Some days, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct Days {
    pub first: i32,
    pub last: i32,
}

/// All slots of a segment by date. Every slot has one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Calendar {
    /// Each day with how many slots there are up to its end.
    days: Vec<(i32, u32)>,
    slots: Vec<u16>,
}

impl Calendar {
    fn of(mut dates: Vec<Dated>) -> Self {
        dates.sort_unstable();
        let mut end = 0;
        let days = dates.chunk_by(|a, b| a.day == b.day).filter_map(|slots| {
            end += u32::try_from(slots.len()).ok()?;
            Some((slots.first()?.day, end))
        });
        Self { days: days.collect(), slots: dates.iter().map(|dated| dated.slot).collect() }
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4 + 8 * self.days.len() + 2 * self.slots.len());
        bytes.extend((self.days.len() as u32).to_le_bytes());
        for (day, end) in &self.days {
            bytes.extend(day.to_le_bytes());
            bytes.extend(end.to_le_bytes());
        }
        bytes.extend(self.slots.iter().flat_map(|slot| slot.to_le_bytes()));
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or_else(|| Error::Damaged("a calendar of the lists".to_owned()))
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (head, bytes) = bytes.split_first_chunk()?;
        let length = 8 * u32::from_le_bytes(*head) as usize;
        let (days, slots) = bytes.split_at_checked(length)?;
        let words: Vec<[u8; 4]> = days.as_chunks().0.to_vec();
        let days: Vec<(i32, u32)> = words
            .as_chunks()
            .0
            .iter()
            .map(|[day, end]| (i32::from_le_bytes(*day), u32::from_le_bytes(*end)))
            .collect();
        let (slots, rest) = slots.as_chunks();
        let slots: Vec<u16> = slots.iter().map(|slot| u16::from_le_bytes(*slot)).collect();
        let is_sorted = days.is_sorted_by(|(day, end), (next, until)| day < next && end < until);
        let length = days.last().map_or(0, |(_, end)| *end as usize);
        (is_sorted && length == slots.len() && rest.is_empty()).then_some(Self { days, slots })
    }

    /// Every slot with its date.
    pub(super) fn dates(&self) -> impl Iterator<Item = Dated> {
        let starts = std::iter::once(0).chain(self.days.iter().map(|(_, end)| *end));
        self.days.iter().zip(starts).flat_map(|((day, end), start)| {
            let slots = self.slots.get(start as usize..*end as usize).unwrap_or_default();
            slots.iter().map(|slot| Dated { day: *day, slot: *slot })
        })
    }

    /// The slots that are dated in `days`.
    pub(super) fn slots(&self, Days { first, last }: Days) -> RoaringBitmap {
        let up_to = |day: i32| {
            let days = self.days.partition_point(|(known, _)| *known <= day);
            days.checked_sub(1).and_then(|before| self.days.get(before)).map_or(0, |(_, end)| *end)
        };
        let start = up_to(first.saturating_sub(1)) as usize;
        let end = (up_to(last) as usize).max(start);
        let (before, rest) = self.slots.split_at_checked(start).unwrap_or((&self.slots, &[]));
        let (within, after) = rest.split_at_checked(end - start).unwrap_or((rest, &[]));
        if within.len() <= MANY {
            let mut slots: Vec<u32> = within.iter().map(|slot| u32::from(*slot)).collect();
            slots.sort_unstable();
            return slots.into_iter().collect();
        }
        // The shorter of what is in the set and what is not.
        let without = before.len() + after.len();
        if within.len() <= without {
            let mut bits = vec![0_u8; BITS / 8];
            within.iter().for_each(|slot| bits[usize::from(*slot >> 3)] |= 1 << (slot & 7));
            RoaringBitmap::from_lsb0_bytes(0, &bits)
        } else {
            let mut bits = vec![u8::MAX; BITS / 8];
            let others = before.iter().chain(after);
            others.for_each(|slot| bits[usize::from(*slot >> 3)] &= !(1 << (slot & 7)));
            let mut set = RoaringBitmap::from_lsb0_bytes(0, &bits);
            set.remove_range(u32::try_from(self.slots.len()).unwrap_or(u32::MAX)..);
            set
        }
    }

    /// What it takes in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.days) + size_of_val(&*self.slots)
    }
}

/// From so many slots on, setting bits is faster than sorting.
const MANY: usize = 1_024;
/// Slots of the largest segment.
const BITS: usize = 1 << 16;

/// The dates of reports that take consecutive slots, the first one `first`.
pub(super) fn dates<'c>(first: u32, reports: impl IntoIterator<Item = &'c Counted>) -> Vec<Dated> {
    (first..).zip(reports).map(|(slot, report)| Dated::new(report.event_date, slot)).collect()
}

/// Adds to the calendar of `segment`, which has others before if it `is_new` is false.
pub(super) async fn add(
    tx: &mut SqliteConnection,
    segment: i64,
    is_new: bool,
    mut dates: Vec<Dated>,
) -> Result<()> {
    if !is_new {
        dates.extend(of(tx, segment).await?.dates());
    }
    sqlx::query(
        "INSERT INTO calendars (segment, dates) VALUES ($1, $2)
         ON CONFLICT (segment) DO UPDATE SET dates = excluded.dates",
    )
    .bind(segment)
    .bind(Calendar::of(dates).encode())
    .execute(tx)
    .await?;
    Ok(())
}

/// The calendar of `segment`, which is empty if none is stored.
pub(super) async fn of(tx: &mut SqliteConnection, segment: i64) -> Result<Calendar> {
    let dates: Option<Vec<u8>> =
        sqlx::query_scalar("SELECT dates FROM calendars WHERE segment = $1")
            .bind(segment)
            .fetch_optional(tx)
            .await?;
    dates.map_or_else(|| Ok(Calendar::default()), |dates| Calendar::decode(&dates))
}

/// Removes the calendar of `segment`.
pub(super) async fn remove(tx: &mut SqliteConnection, segment: i64) -> Result<()> {
    sqlx::query("DELETE FROM calendars WHERE segment = $1").bind(segment).execute(tx).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The slots from 0 on, with these days.
    fn calendar(days: &[i32]) -> Calendar {
        let dated = |(slot, day): (u16, &i32)| Dated { day: *day, slot };
        Calendar::of((0..).zip(days).map(dated).collect())
    }

    proptest! {
        #[test]
        fn the_slots_of_a_period_are_those_dated_in_it(
            days in prop::collection::vec(-5..40, 0..4_000),
            (first, last) in (-10..45, -10..45),
        ) {
            let stored = calendar(&days).encode();
            let found = Calendar::decode(&stored).unwrap().slots(Days { first, last });
            let within = (0_u32..).zip(&days).filter(|(_, day)| (first..=last).contains(day));
            prop_assert_eq!(found, within.map(|(slot, _)| slot).collect::<RoaringBitmap>());
        }

        #[test]
        fn a_calendar_has_every_slot_with_its_date(days in prop::collection::vec(-5..40, 0..50)) {
            let mut dates: Vec<Dated> = calendar(&days).dates().collect();
            dates.sort_unstable_by_key(|dated| dated.slot);
            let expected: Vec<Dated> =
                (0..).zip(days).map(|(slot, day)| Dated { day, slot }).collect();
            prop_assert_eq!(dates, expected);
        }

        #[test]
        fn bytes_that_are_no_calendar_are_an_error(
            days in prop::collection::vec(0..9, 1..20), cut in 1..20_usize,
        ) {
            let mut bytes = calendar(&days).encode();
            bytes.truncate(bytes.len().saturating_sub(cut));
            prop_assert!(Calendar::decode(&bytes).is_err());
        }
    }
}
