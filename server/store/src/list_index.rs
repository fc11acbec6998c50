//! Index of the lists of approved reports: newest publication first, then by id, filtered by place, type and event
//! date.
//!
//! # Theory
//!
//! A *segment* is a stretch of the list of all approved reports. Each of its reports has a *slot*, and slots are in
//! the order of the list, the oldest report in slot 0. A report's *position* is its segment and slot in one number,
//! and stands in its row. Beside the reports there are, for each segment:
//!
//! - [postings]: the sets of slots by place and by type, and the set of slots that are approved now, as bitmaps;
//! - a [calendar]: the event date of every slot;
//! - [fences]: the time of publication of every 256th slot.
//!
//! A [search] takes the segments from the newest on, intersects the sets that a filter asks for, and merges what is
//! left of several segments. It reads only the reports that it returns and at most a few more of each segment, however
//! many there are and wherever the matching ones are. A page begins where a binary search over the slots finds the
//! last report of the page before.
//!
//! News is added to the last small segment; a batch of history becomes segments of its own; eight small segments of
//! about the same size are [merged](merging) into one. So a report moves at most a few times, and the number of
//! segments grows by one with some thousands of reports.
//!
//! # Invariants
//!
//! - Every approved report has one position, no other report has any, and within a segment positions are in the order
//!   of the list. Segments may overlap in time.
//! - A slot is never given twice. A withdrawal takes it out of the set of what is approved now, which every search
//!   intersects, and leaves the other sets and the calendar as they are; merging drops it.
//! - Except for that set and its size, a segment changes only when reports are added to it, and so with its number of
//!   slots; and no two segments of an era have the same number. So each process keeps what it has read in memory by
//!   both numbers (see [`cache`]), and no other process can make that wrong.
//! - Bounds of a segment (times, dates, fences) enclose its reports, and need not be tight.
//!
//! [`audit`] compares all of this with the reports, and lists damaged segments again.
//!
//! # Why not B-trees
//!
//! Plain B-trees by publication bucket were tried: SQLite needs 0.2–6 ms for 20 of 21 adversarial questions, but
//! PostgreSQL 15 chose the wrong index and took seconds for a city, and imports slow down by a quarter.
//!
//! # Adding a filter
//!
//! For example by the minimum number of people (`minPeople`):
//!
//! 1. In [`postings`], add a [`Dimension`](postings::Dimension), `People`, whose values are thresholds such as 1, 2,
//!    4, 8, …, and have [`keys`](postings::keys) return one key for each threshold that a report reaches.
//! 2. Give [`Counted`](crate::counters::rollup::Counted), which is what [`Entry`] has of a report, the number of
//!    people; the compiler names the places that make one. The rows that [`merging`] reads need the column, too.
//! 3. Raise `rules` of the [rules](crate::derived). The next migration then rebuilds: [`audit`] finds the segments
//!    whose sets are not those of [`keys`](postings::keys) and lists their reports again. It needs no change.
//! 4. Give [`Question`] a member `min_people`, and have [`Question::conditions`](search) add
//!    [`Condition::Within`](search) with the threshold. If all numbers are to be allowed, keep the number of every
//!    slot instead, as [calendars](calendar) keep its date, and add a condition like [`Condition::Dated`](search).
//! 5. [`Question::matches`] may be larger than what really matches: a search that finds less looks through all
//!    segments in question. Counters know nothing of people, so leave it as it is.
//! 6. Add the filter to the model test in `reports/recent/tests.rs`, which compares all filters with lists sorted from
//!    all reports.

pub(crate) mod audit;
mod cache;
mod calendar;
mod fences;
mod merging;
mod postings;
mod search;
mod segments;

pub(crate) use self::{
    cache::SegmentCache,
    merging::merge_small,
    search::{Cost, Found, Question, search},
    segments::{Entry, add, place, remove},
};
