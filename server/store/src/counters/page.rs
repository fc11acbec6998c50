//! Pages of counts: the numbers of approved reports for places with consecutive ids in one bucket
//! of time.
//!
//! The first page of a bucket contains the places 0 to 511, and so on. The counts of thousands of
//! cities in a period therefore fit into a few hundred rows instead of hundreds of thousands, and
//! publishing a report changes at most one page for each of its counts. Pages omit places without
//! reports, and empty pages are not stored.
//!
//! Each place is stored as four numbers in LEB128: its distance from the previous place (for the
//! first place: from the start of the page, plus one), then its count of each type.

use crate::error::{Error, Result};

/// Number of places per page.
const PLACES: i64 = 512;

/// Counts by type, in the order of [`model::ReportType::ALL`].
pub(crate) type Counts = [i64; 3];

/// Returns the number of the page that contains a place.
pub(super) fn number(place: i64) -> i64 {
    place.div_euclid(PLACES)
}

/// Counts on a page, in the order of the places' ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CountsPage(Vec<(i64, Counts)>);

impl CountsPage {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the places and their counts, in the order of the places' ids.
    pub(super) fn cells(&self) -> &[(i64, Counts)] {
        &self.0
    }

    /// Adds `change`, which may be negative. Returns the counts before and after; `None` if a count
    /// would be negative or overflow.
    pub(super) fn add(&mut self, place: i64, change: Counts) -> Option<(Counts, Counts)> {
        let found = self.0.binary_search_by_key(&place, |(place, _)| *place);
        let counted = found.ok().and_then(|index| self.0.get(index));
        let before = counted.map(|(_, counts)| *counts).unwrap_or_default();
        let mut left = before;
        for (count, change) in left.iter_mut().zip(change) {
            *count = count.checked_add(change).filter(|count| *count >= 0)?;
        }
        match found {
            Ok(index) if left == Counts::default() => {
                self.0.remove(index);
            }
            Ok(index) => self.0[index].1 = left,
            Err(_) if left == Counts::default() => {}
            Err(index) => self.0.insert(index, (place, left)),
        }
        Some((before, left))
    }

    pub(super) fn encode(&self, number: i64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * 5);
        let mut before = number * PLACES - 1;
        for (place, counts) in &self.0 {
            write(&mut bytes, place - before);
            counts.iter().for_each(|count| write(&mut bytes, *count));
            before = *place;
        }
        bytes
    }

    pub(super) fn decode(number: i64, bytes: &[u8]) -> Result<Self> {
        let mut page = Self::default();
        let several = read_one(number, &mut { bytes }, |place, counts| {
            page.0.push((place, counts));
        })?;
        if several {
            return Err(Error::Damaged(format!("page {number} of the counts")));
        }
        Ok(page)
    }

    /// Sums stored pages with the same number, which are concatenated as for [`read`].
    pub(super) fn sum(number: i64, bytes: &[u8]) -> Result<Self> {
        let first = number * PLACES;
        let mut sums = vec![Counts::default(); PLACES as usize];
        read(number, bytes, |place, counts| {
            let sum = usize::try_from(place - first).ok().and_then(|place| sums.get_mut(place));
            for (sum, count) in sum.into_iter().flatten().zip(counts) {
                *sum = sum.saturating_add(count);
            }
        })?;
        let counted = (first..).zip(sums).filter(|(_, counts)| *counts != Counts::default());
        Ok(Self(counted.collect()))
    }
}

/// Calls `each` with every place and its counts on stored pages with the same number. The pages are
/// concatenated, with a zero byte between them.
pub(super) fn read(number: i64, mut bytes: &[u8], mut each: impl FnMut(i64, Counts)) -> Result<()> {
    while read_one(number, &mut bytes, &mut each)? {}
    Ok(())
}

/// Reads one page. Returns true if it ended with a zero byte, and false at the end of the bytes.
fn read_one(number: i64, bytes: &mut &[u8], mut each: impl FnMut(i64, Counts)) -> Result<bool> {
    let damaged = || Error::Damaged(format!("page {number} of the counts"));
    let mut place = number * PLACES - 1;
    let end = place + PLACES;
    while let Some(first) = bytes.first() {
        if *first == 0 {
            *bytes = &bytes[1..];
            return Ok(true);
        }
        let [distance, spirit, water, both] = next_four(bytes).ok_or_else(damaged)?;
        let next = place.checked_add(distance).filter(|next| place < *next && *next <= end);
        place = next.ok_or_else(damaged)?;
        each(place, [spirit, water, both]);
    }
    Ok(false)
}

/// Writes a number, which must not be negative.
fn write(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = number.cast_unsigned();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Reads four numbers.
fn next_four(bytes: &mut &[u8]) -> Option<[i64; 4]> {
    // Fast path: nearly all numbers take one byte each.
    if let Some((four, rest)) = bytes.split_first_chunk::<4>()
        && u32::from_ne_bytes(*four) & 0x8080_8080 == 0
    {
        *bytes = rest;
        return Some(four.map(i64::from));
    }
    let mut numbers = [0; 4];
    for number in &mut numbers {
        *number = next(bytes)?;
    }
    Some(numbers)
}

fn next(bytes: &mut &[u8]) -> Option<i64> {
    let mut number = 0_i64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= i64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_page_is_read_as_it_was_written(
            page in 0..40i64,
            cells in prop::collection::btree_map(
                0..PLACES, (0..3i64, 0..1_000_000i64, prop::sample::select(vec![0, 1, i64::MAX])), 0..40
            ),
        ) {
            let mut written = CountsPage::default();
            for (place, (spirit, water, both)) in &cells {
                let counts = [*spirit, *water, *both];
                prop_assert_eq!(written.add(page * PLACES + place, counts), Some(([0; 3], counts)));
            }
            let bytes = written.encode(page);
            prop_assert_eq!(CountsPage::decode(page, &bytes).unwrap(), written);
        }

        #[test]
        fn bytes_that_are_no_page_are_an_error_or_some_page(
            page in 0..3i64, bytes in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            if let Ok(decoded) = CountsPage::decode(page, &bytes) {
                prop_assert!(decoded.0.iter().all(|(place, _)| number(*place) == page));
            }
        }
    }

    #[test]
    fn nothing_is_counted_below_zero_and_what_counts_nothing_is_gone() {
        let mut page = CountsPage::default();
        assert_eq!(page.add(3, [2, 0, 1]), Some(([0; 3], [2, 0, 1])));
        assert_eq!(page.add(3, [-1, 0, -2]), None);
        assert_eq!(page.add(3, [-2, 0, 0]), Some(([2, 0, 1], [0, 0, 1])));
        assert_eq!(page.add(3, [0, 0, -1]), Some(([0, 0, 1], [0, 0, 0])));
        assert!(page.is_empty());
        assert_eq!(page.add(4, [i64::MAX, 0, 0]), Some(([0; 3], [i64::MAX, 0, 0])));
        assert_eq!(page.add(4, [1, 0, 0]), None);
    }
}
