//! Index of the lists of approved reports: newest publication first, then by id, filtered by place,
//! type and event date.
//!
//! # Theory
//!
//! A *segment* is a part of the list of all approved reports. Each of its reports has a *slot*.
//! Slots are numbered from the end of the list, so slot 0 has the oldest report. A report's
//! *position* is its segment and slot as one number, stored in its row. In addition to the reports,
//! each segment has:
//!
//! - [postings]: the sets of slots by place and by type, and the set of *live* slots, whose reports
//!   are still approved, as bitmaps;
//! - a [calendar]: the event date of every slot;
//! - [time index]: the time of publication of every 256th slot.
//!
//! A [search](mod@search) processes the segments from the newest to the oldest, intersects the sets that match
//! the filter, and merges the results of several segments. It reads only the reports that it
//! returns, and at most a few more per segment, regardless of the number of reports and of the
//! positions of the matches. For a later page, a binary search over the slots finds the last report
//! of the previous page.
//!
//! News is added to the last small segment. A batch of history becomes one or more new segments.
//! Eight small segments of similar size are [merged](merging) into one. A report is therefore moved
//! at most a few times, and the number of segments grows by one per several thousand reports.
//!
//! # Invariants
//!
//! - Every approved report has exactly one position, and no other report has one. Within a segment,
//!   positions decrease along the list. Segments may overlap in time.
//! - A slot is never reused. A withdrawal removes the slot from the live set, which every search
//!   intersects. The other sets and the calendar keep the slot until the segment is merged.
//! - Except for the live set and its size, a segment only changes when reports are added, which
//!   also changes its number of slots. No two segments of an era have the same number. Each process
//!   therefore caches segments by both numbers (see [`cache`]), and changes by other processes
//!   cannot make this cache stale.
//! - The bounds of a segment (times, dates, time index) enclose its reports, but may be wider than
//!   necessary.
//!
//! [`audit`] checks all of this against the reports, and lists the reports of damaged segments
//! again.
//!
//! # Why not B-trees
//!
//! Plain B-trees by publication bucket were tried. SQLite needed 0.2–6 ms for 20 of 21 adversarial
//! queries, but PostgreSQL 15 chose the wrong index and took seconds for a city, and imports slowed
//! down by a quarter.
//!
//! # Adding a filter
//!
//! For example, a filter by minimum number of people (`minPeople`):
//!
//! 1. In [`postings`], add a [`Dimension`](postings::Dimension), `People`, and have
//!    [`keys`](postings::keys) return one key for each bit `i` that is set in a report's number of
//!    people `n`: `(n >> i) << 5 | i`. Then any minimum is the union of at most 20 sets: with
//!    `m = min - 1`, those of `((m >> i) | 1) << 5 | i` for each bit `i` below 20 that is clear in
//!    `m`. Extend `Dimension::ALL`, and the `CHECK` and the comment of `postings` in both schemas.
//! 2. Add the number of people to [`Counted`](crate::counters::rollup::Counted), which [`Entry`]
//!    contains. The compiler then finds the code that creates one, including corrections. The rows
//!    that [`merging`] reads need the column too.
//! 3. Increase `rules` of the [rules](crate::derived), also where both schemas insert the row of
//!    `derived`: a test compares them. The next migration then rebuilds the lists: [`audit`] finds
//!    the segments whose sets do not match [`keys`](postings::keys) and lists their reports again,
//!    without changes to its code. (Before the first release, a changed schema needs a new database.)
//! 4. Add a member `min_people` to [`Question`], and have [`Question::conditions`](mod@search) add
//!    one [`Condition::Within`](mod@search) with these keys.
//! 5. Leave [`Question::matches`] as it is, because there are no counters by number of people. It
//!    may be larger than the real number of matches: a search that finds fewer reports searches all
//!    possible segments.
//! 6. Add the filter to the model test in `reports/recent/tests.rs`, which compares all filters
//!    with lists sorted from all reports, and corrections of it to
//!    `server/tests/it/engines/operator/corrections.rs`.

pub(crate) mod audit;
mod cache;
mod calendar;
mod merging;
mod postings;
mod search;
mod segments;
mod time_index;

pub(crate) use self::{
    cache::SegmentCache,
    merging::merge_small,
    search::{Cost, Found, Question, search},
    segments::{Entry, add, place, remove},
};
