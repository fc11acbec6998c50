//! Calendars: the event dates of the slots of each segment.
//!
//! Stored in the order of dates, all little-endian: the number of days with reports (4 bytes); for
//! each of these days its number and the number of slots up to and including it (4 bytes each); the
//! slots (2 bytes each).

use base::time::day_number;
use chrono::NaiveDate;
use roaring::RoaringBitmap;

use crate::{
    counters::rollup::Counted,
    engine::{
        sql::{self, Connection},
        writes::Writes,
    },
    error::{Error, Result},
};

/// Slot and the event date of its report.
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

/// Converts a date to the day number used in calendars.
pub(super) fn day(date: NaiveDate) -> i32 {
    i32::try_from(day_number(date)).unwrap_or_default()
}

/// Range of days, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Days {
    pub first: i32,
    pub last: i32,
}

/// Event dates of all slots of a segment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Calendar {
    /// Distinct event dates, in order.
    days: Vec<i32>,
    /// Index into `days` for each slot. With this layout, a few slots can be looked up
    /// individually, and all slots can be compared with a period in one pass.
    slots: Vec<u16>,
}

impl Calendar {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let Stored { days, slots: by_date } = Stored::decode(bytes)?;
        let mut slots = vec![0; by_date.len()];
        let mut start = 0;
        for ((_, end), index) in days.iter().zip(0..=u16::MAX) {
            for slot in by_date.get(start..*end as usize).unwrap_or_default() {
                let date = slots.get_mut(usize::from(u16::from_le_bytes(*slot)));
                *date.ok_or_else(damaged)? = index;
            }
            start = *end as usize;
        }
        Ok(Self { days: days.into_iter().map(|(day, _)| day).collect(), slots })
    }

    /// Removes the slots from `matching` whose date is not in `days`.
    pub(super) fn narrow(&self, Days { first, last }: Days, matching: &mut RoaringBitmap) {
        let start = self.days.partition_point(|day| *day < first);
        let end = self.days.partition_point(|day| *day <= last);
        // There are at most as many days as slots, so the last index fits.
        let index = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
        let Some(others) = end.checked_sub(start + 1).map(index) else { return matching.clear() };
        if start == 0 && end == self.days.len() {
            return;
        }
        let start = index(start);
        let is_within = |day: u16| day.wrapping_sub(start) <= others;
        if matching.len() * MAX_SINGLE_LOOKUPS <= self.slots.len() as u64 {
            let dated =
                |slot: &u32| self.slots.get(*slot as usize).is_some_and(|day| is_within(*day));
            *matching = matching.iter().filter(dated).collect();
        } else {
            *matching &= RoaringBitmap::from_lsb0_bytes(0, &bits(&self.slots, is_within));
        }
    }

    /// Returns the size in memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.days) + size_of_val(&*self.slots)
    }
}

/// If at most one in this many slots is in question, each is looked up individually.
const MAX_SINGLE_LOOKUPS: u64 = 16;

/// Returns a bitmap with a bit for each of `days`; the first bit is the lowest of its byte.
fn bits(days: &[u16], is_set: impl Fn(u16) -> bool) -> Vec<u8> {
    // Two simple passes, both of which the compiler vectorizes.
    let set: Vec<u8> = days.iter().map(|day| u8::from(is_set(*day))).collect();
    let (chunks, rest) = set.as_chunks();
    let byte = |set: &[u8; 8]| {
        // The multiplication moves the lowest bits of eight bytes into the highest byte.
        u64::from_le_bytes(*set).wrapping_mul(0x0102_0408_1020_4080).to_le_bytes()[7]
    };
    let mut bits: Vec<u8> = chunks.iter().map(byte).collect();
    bits.push((0..).zip(rest).fold(0, |byte, (bit, set)| byte | (set << bit)));
    bits
}

/// Stored calendar.
struct Stored<'b> {
    /// Days, each with the number of slots up to and including it.
    days: Vec<(i32, u32)>,
    slots: &'b [[u8; 2]],
}

impl<'b> Stored<'b> {
    fn decode(bytes: &'b [u8]) -> Result<Self> {
        Self::read(bytes).ok_or_else(damaged)
    }

    fn read(bytes: &'b [u8]) -> Option<Self> {
        let (head, bytes) = bytes.split_first_chunk()?;
        let length = 8 * u32::from_le_bytes(*head) as usize;
        let (days, slots) = bytes.split_at_checked(length)?;
        let (words, _) = days.as_chunks::<4>();
        let (pairs, _) = words.as_chunks();
        let days: Vec<(i32, u32)> = pairs
            .iter()
            .map(|[day, end]| (i32::from_le_bytes(*day), u32::from_le_bytes(*end)))
            .collect();
        let (slots, rest) = slots.as_chunks();
        let is_sorted = days.is_sorted_by(|(day, end), (next, until)| day < next && end < until);
        let length = days.last().map_or(0, |(_, end)| *end as usize);
        (is_sorted && length == slots.len() && rest.is_empty()).then_some(Self { days, slots })
    }

    /// Returns every slot with its date.
    fn dates(&self) -> impl Iterator<Item = Dated> {
        let starts = std::iter::once(0).chain(self.days.iter().map(|(_, end)| *end));
        self.days.iter().zip(starts).flat_map(|((day, end), start)| {
            let slots = self.slots.get(start as usize..*end as usize).unwrap_or_default();
            slots.iter().map(|slot| Dated { day: *day, slot: u16::from_le_bytes(*slot) })
        })
    }
}

fn encode(mut dates: Vec<Dated>) -> Vec<u8> {
    dates.sort_unstable();
    let mut end = 0;
    let days = dates.chunk_by(|a, b| a.day == b.day).filter_map(|slots| {
        end += u32::try_from(slots.len()).ok()?;
        Some((slots.first()?.day, end))
    });
    let days: Vec<(i32, u32)> = days.collect();
    let mut bytes = Vec::with_capacity(4 + 8 * days.len() + 2 * dates.len());
    bytes.extend((days.len() as u32).to_le_bytes());
    for (day, end) in days {
        bytes.extend(day.to_le_bytes());
        bytes.extend(end.to_le_bytes());
    }
    bytes.extend(dates.iter().flat_map(|dated| dated.slot.to_le_bytes()));
    bytes
}

fn damaged() -> Error {
    Error::Damaged("a calendar of the lists".to_owned())
}

/// Returns the dates of reports in consecutive slots that start at `first`.
pub(super) fn dates<'c>(first: u32, reports: impl IntoIterator<Item = &'c Counted>) -> Vec<Dated> {
    (first..).zip(reports).map(|(slot, report)| Dated::new(report.event_date, slot)).collect()
}

/// Adds dates to the calendar of `segment`. Keeps existing dates unless `is_new` is set.
pub(super) async fn add(
    tx: &mut Connection,
    writes: &mut Writes,
    segment: i64,
    is_new: bool,
    mut dates: Vec<Dated>,
) -> Result<()> {
    if !is_new {
        dates.extend(of(tx, segment).await?);
    }
    let head = "INSERT INTO calendars (segment, dates)";
    let tail = "ON CONFLICT (segment) DO UPDATE SET dates = excluded.dates";
    let calendar = [encode(dates)];
    writes
        .insert(tx, head, tail, &calendar, |row, dates| row.bind(segment).bind(dates.clone()))
        .await
}

/// Returns every slot of `segment` with its date. Empty if no calendar is stored.
pub(super) async fn of(tx: &mut Connection, segment: i64) -> Result<Vec<Dated>> {
    let dates: Option<Vec<u8>> =
        sql::query_scalar("SELECT dates FROM calendars WHERE segment = $1")
            .bind(segment)
            .fetch_optional(tx)
            .await?;
    let Some(dates) = dates else { return Ok(Vec::new()) };
    Ok(Stored::decode(&dates)?.dates().collect())
}

/// Removes the calendar of `segment`.
pub(super) async fn remove(tx: &mut Connection, segment: i64) -> Result<()> {
    sql::query("DELETE FROM calendars WHERE segment = $1").bind(segment).execute(tx).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a stored calendar of slots from 0 with these days.
    fn stored(days: &[i32]) -> Vec<u8> {
        let dated = |(day, slot): (&i32, u16)| Dated { day: *day, slot };
        encode(days.iter().zip(0..=u16::MAX).map(dated).collect())
    }

    proptest! {
        #[test]
        fn a_period_leaves_of_some_slots_those_dated_in_it(
            days in prop::collection::vec(-5..40, 0..4_000),
            (first, last) in (-10..45, -10..45),
            every in prop::sample::select(vec![1, 2, 7, 15, 16, 17, 300]),
        ) {
            let mut left: RoaringBitmap = (0..days.len() as u32).step_by(every).collect();
            let within = (0_u32..).zip(&days).step_by(every);
            let within = within.filter(|(_, day)| (first..=last).contains(*day));
            let expected: RoaringBitmap = within.map(|(slot, _)| slot).collect();
            Calendar::decode(&stored(&days)).unwrap().narrow(Days { first, last }, &mut left);
            prop_assert_eq!(left, expected);
        }

        #[test]
        fn a_calendar_has_every_slot_with_its_date(days in prop::collection::vec(-5..40, 0..50)) {
            let stored = stored(&days);
            let mut dates: Vec<Dated> = Stored::decode(&stored).unwrap().dates().collect();
            dates.sort_unstable_by_key(|dated| dated.slot);
            let expected: Vec<Dated> =
                (0..).zip(days).map(|(slot, day)| Dated { day, slot }).collect();
            prop_assert_eq!(dates, expected);
        }

        #[test]
        fn bytes_that_are_no_calendar_are_an_error(
            days in prop::collection::vec(0..9, 1..20), cut in 1..20_usize,
        ) {
            let mut bytes = stored(&days);
            bytes.truncate(bytes.len().saturating_sub(cut));
            prop_assert!(Calendar::decode(&bytes).is_err());
        }
    }

    #[test]
    fn a_slot_beyond_the_others_is_an_error() {
        let bytes = encode(vec![Dated { day: 3, slot: 0 }, Dated { day: 4, slot: 2 }]);
        let error = Calendar::decode(&bytes).unwrap_err();
        assert_eq!(
            error.to_string(),
            Error::Damaged("a calendar of the lists".to_owned()).to_string()
        );
    }

    /// The maximum number of days, so the index of the last day is the largest 16-bit number.
    #[test]
    fn every_slot_may_have_a_day_of_its_own() {
        let days: Vec<i32> = (0..1 << 16).collect();
        let calendar = Calendar::decode(&stored(&days)).unwrap();
        for (first, last) in [(0, 65_534), (1, 65_535), (65_535, 65_535), (40_000, 70_000)] {
            let mut left: RoaringBitmap = (0..1 << 16).collect();
            calendar.narrow(Days { first, last }, &mut left);
            let (first, last) = (first as u32, (last as u32).min(65_535));
            assert_eq!(left, (first..=last).collect::<RoaringBitmap>());
        }
    }
}
