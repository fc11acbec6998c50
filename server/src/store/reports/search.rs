//! Searching the segments: those that may have the next reports of a list are opened, and what matches
//! in them is merged.

mod condition;
mod seek;

use std::collections::{HashMap, VecDeque};

use roaring::RoaringBitmap;
use sqlx::{FromRow, SqliteConnection};

pub(super) use self::condition::Condition;
use super::{
    order::Rank,
    recent::ReportsQuery,
    report::{PUBLIC_COLUMNS, PublicReport, PublicRow},
    segments::{Fences, position, segment_and_slot},
};
use crate::store::{engine::bulk, error::Result};

/// How many segments are opened at first, and at a time at the most.
const FIRST_OPENED: usize = 1;
const MOST_OPENED: usize = if cfg!(test) { 4 } else { 64 };

/// See the [module](self).
pub(super) struct Search<'q> {
    /// All have to hold.
    conditions: Vec<Condition>,
    /// How many reports match, whatever `since` and `after` say.
    matches: u64,
    limit: usize,
    since: i64,
    after: Option<&'q Rank>,
    opened: Vec<Opened>,
    /// How many reports match in the opened segments.
    seen: u64,
    segments_read: usize,
    /// How many reports were read.
    rows: usize,
}

/// The reports of a list, and what it took to find them.
pub(super) struct Found {
    pub reports: Vec<PublicReport>,
    pub cost: Cost,
}

/// How much was read for a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// Segments whose sets were read.
    pub segments: usize,
    /// Reports.
    pub rows: usize,
}

/// A segment that may have some of the list.
#[derive(FromRow)]
struct Segment {
    id: i64,
    newest_at: i64,
    #[sqlx(try_from = "Vec<u8>")]
    fences: Fences,
}

/// A segment with what of it is still to come.
struct Opened {
    segment: i64,
    /// Slots of matching reports that have not been read.
    rest: RoaringBitmap,
    /// The matching reports before those, in the order of the list.
    read: VecDeque<PublicReport>,
    /// Nothing in `rest` was published later.
    newest_at: i64,
    fences: Fences,
    /// How many were read the last time.
    share: usize,
}

impl Opened {
    fn is_dry(&self) -> bool {
        self.read.is_empty() && !self.rest.is_empty()
    }

    /// How many reports of `rest` were published since which times, the newest first, up to `enough`.
    fn blocks(&self, enough: u64) -> impl Iterator<Item = (i64, u64)> {
        let mut sum = 0;
        let blocks =
            self.fences.blocks().map(|(since, slots)| (since, self.rest.range_cardinality(slots)));
        let blocks = blocks.filter(|(_, count)| *count > 0);
        blocks.take_while(move |(_, count)| {
            let before = sum;
            sum += count;
            before < enough
        })
    }

    /// Takes the first slots of the list.
    fn take_slots(&mut self, most: usize) -> Vec<u32> {
        let slots: Vec<u32> = self.rest.iter().rev().take(most).collect();
        if let Some(last) = slots.last() {
            self.rest.remove_range(*last..);
        }
        slots
    }
}

impl<'q> Search<'q> {
    /// `matches` is how many reports there are for `conditions`.
    pub(super) fn new(conditions: Vec<Condition>, matches: u64, query: &'q ReportsQuery) -> Self {
        Self {
            conditions,
            matches,
            limit: query.limit as usize,
            since: query.since.map_or(i64::MIN, first_millisecond),
            after: query.after.as_ref(),
            opened: Vec::new(),
            seen: 0,
            segments_read: 0,
            rows: 0,
        }
    }

    pub(super) async fn run(mut self, tx: &mut SqliteConnection) -> Result<Found> {
        let bound = self.open_enough(tx).await?;
        let mut found = Vec::with_capacity(self.limit);
        while found.len() < self.limit {
            if self.read_dry(tx, self.limit - found.len(), bound).await? {
                continue;
            }
            let Some((index, published_at)) = self.first() else { break };
            if published_at < self.since {
                break;
            }
            let report = self.opened.get_mut(index).and_then(|opened| opened.read.pop_front());
            found.extend(report);
        }
        let cost = Cost { segments: self.segments_read, rows: self.rows };
        Ok(Found { reports: found, cost })
    }

    /// Opens all segments that may have some of the list. Returns a time since when enough reports were
    /// published in them, or none if there are not so many.
    async fn open_enough(&mut self, tx: &mut SqliteConnection) -> Result<Option<i64>> {
        let mut closed = self.segments(tx).await?;
        let mut batch = FIRST_OPENED;
        loop {
            let bound = self.bound();
            let open = match bound {
                _ if self.seen >= self.matches => 0,
                Some(bound) => closed.iter().take_while(|next| next.newest_at >= bound).count(),
                None => batch,
            };
            let rest = closed.split_off(open.min(MOST_OPENED).min(closed.len()));
            if closed.is_empty() {
                return Ok(bound);
            }
            let before = self.seen;
            self.segments_read += closed.len();
            self.open(tx, closed).await?;
            closed = rest;
            // Where nothing is found, more is looked through at a time.
            let growth = if self.seen == before { 8 } else { 2 };
            batch = (batch * growth).min(MOST_OPENED);
        }
    }

    /// The latest time known since when enough reports were published in the opened segments.
    fn bound(&self) -> Option<i64> {
        let mut blocks: Vec<(i64, u64)> =
            self.opened.iter().flat_map(|opened| opened.blocks(self.limit as u64)).collect();
        blocks.sort_unstable_by_key(|(since, _)| std::cmp::Reverse(*since));
        let mut sum = 0;
        let mut enough = blocks.into_iter().skip_while(|(_, count)| {
            sum += count;
            sum < self.limit as u64
        });
        enough.next().map(|(since, _)| since)
    }

    /// The segments in question, that with the newest report first.
    async fn segments(&self, tx: &mut SqliteConnection) -> Result<Vec<Segment>> {
        let segments = sqlx::query_as(
            "SELECT id, newest_at, fences FROM segments
             WHERE newest_at >= $1 AND oldest_at <= $2 ORDER BY newest_at DESC",
        )
        .bind(self.since)
        .bind(self.after.map_or(i64::MAX, |after| after.published_at))
        .fetch_all(tx)
        .await?;
        Ok(segments)
    }

    /// The opened segment that has the next report of the list, and when that was published.
    fn first(&self) -> Option<(usize, i64)> {
        let heads = self.opened.iter().enumerate();
        let heads = heads.filter_map(|(index, opened)| Some((index, opened.read.front()?)));
        let (index, first) = heads.min_by(|(_, a), (_, b)| a.rank().cmp(&b.rank()))?;
        Some((index, first.rank().published_at))
    }

    async fn open(&mut self, tx: &mut SqliteConnection, segments: Vec<Segment>) -> Result<()> {
        let mut numbers: Vec<i64> = segments.iter().map(|segment| segment.id).collect();
        let mut matching: Option<HashMap<i64, RoaringBitmap>> = None;
        for condition in &self.conditions {
            let found = condition.find(tx, &numbers).await?;
            let mut matches = match matching {
                None => found,
                Some(before) => condition.narrow(before, found),
            };
            matches.retain(|_, slots| !slots.is_empty());
            numbers.retain(|segment| matches.contains_key(segment));
            if numbers.is_empty() {
                return Ok(());
            }
            matching = Some(matches);
        }
        let mut matching = matching.unwrap_or_default();
        self.seen += matching.values().map(RoaringBitmap::len).sum::<u64>();
        if let Some(after) = self.after {
            seek::cut(tx, after, &segments, &mut matching).await?;
        }
        for Segment { id, newest_at, fences } in segments {
            let rest = matching.remove(&id).filter(|rest| !rest.is_empty());
            self.opened.extend(rest.map(|rest| Opened {
                segment: id,
                rest,
                read: VecDeque::new(),
                newest_at,
                fences,
                share: 0,
            }));
        }
        Ok(())
    }

    /// Reads on in the opened segments that may have the next report of the list, without one being
    /// read. False if there are none.
    async fn read_dry(
        &mut self,
        tx: &mut SqliteConnection,
        wanted: usize,
        bound: Option<i64>,
    ) -> Result<bool> {
        let next = self.first().map(|(_, published_at)| published_at).or(bound);
        let may_be_next = |opened: &Opened| {
            opened.is_dry() && next.is_none_or(|published_at| opened.newest_at >= published_at)
        };
        let several = self.opened.iter().filter(|opened| may_be_next(opened)).count();
        if several == 0 {
            return Ok(false);
        }
        let mut positions = Vec::new();
        for opened in self.opened.iter_mut().filter(|opened| may_be_next(opened)) {
            // Of several, hardly any has all; but one that is read on in has more than the others. Without
            // a bound, everything is wanted.
            opened.share = match opened.share {
                0 if several == 1 || bound.is_none() => wanted,
                0 => (2 * wanted / several + 2).min(wanted),
                before => (before * 4).min(wanted),
            };
            let slots = opened.take_slots(opened.share);
            positions.extend(slots.into_iter().map(|slot| position(opened.segment, slot)));
        }
        self.rows += positions.len();
        let mut by_segment: HashMap<i64, VecDeque<PublicReport>> = HashMap::new();
        for (segment, report) in at(tx, &positions).await? {
            by_segment.entry(segment).or_default().push_back(report);
        }
        for opened in &mut self.opened {
            if let Some(read) = by_segment.remove(&opened.segment) {
                opened.newest_at =
                    read.back().map_or(opened.newest_at, |last| last.rank().published_at);
                opened.read = read;
            }
        }
        Ok(true)
    }
}

#[derive(FromRow)]
struct Positioned {
    position: i64,
    #[sqlx(flatten)]
    report: PublicRow,
}

/// The reports at `positions`, each with its segment; those of a segment in the order of the list.
async fn at(tx: &mut SqliteConnection, positions: &[i64]) -> Result<Vec<(i64, PublicReport)>> {
    let head = format!("SELECT r.position, {PUBLIC_COLUMNS} FROM reports r WHERE r.position");
    let mut rows: Vec<Positioned> =
        bulk::select_matching(tx, &head, 1, positions, |query, position| query.bind(*position))
            .await?;
    rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.position));
    let listed = |row: Positioned| {
        let (segment, _) = segment_and_slot(row.position);
        Ok((segment, row.report.try_into()?))
    };
    rows.into_iter().map(listed).collect()
}

/// The first stored millisecond at or after `instant`.
fn first_millisecond(instant: chrono::DateTime<chrono::Utc>) -> i64 {
    let whole = instant.timestamp_millis();
    whole + i64::from(!instant.timestamp_subsec_nanos().is_multiple_of(1_000_000))
}
