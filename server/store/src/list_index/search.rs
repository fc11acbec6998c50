//! Searching the segments: those that may have the next reports of a list are opened, and what matches
//! in them is merged.

mod condition;
mod seek;
mod segment;

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, NaiveDate, Utc};
use roaring::RoaringBitmap;

use self::{condition::Condition, segment::Segment};
use super::{
    cache::{SegmentCache, SegmentKey},
    calendar::{Days, day},
    fences::Fences,
    postings::Dimension,
    segments::{padded, position, segment_and_slot},
};
use crate::{
    engine::sql::{self, Builder, Connection, RowValues},
    error::{Error, Result},
    reports::report::{PUBLIC, PublicReport, PublicRow, Rank},
};

/// Maximum number of segments that are opened at a time.
const MOST_OPENED: usize = if cfg!(test) { 4 } else { 64 };

/// Part of a list.
pub(crate) struct Question<'q> {
    /// Reports of these places; none: of all.
    pub places: Option<Vec<i64>>,
    /// Types, in the order of [`model::ReportType::ALL`].
    pub types: [bool; 3],
    /// First and last event date, if not all are wanted.
    pub period: Option<(NaiveDate, NaiveDate)>,
    /// Number of approved reports of these places, types and dates. A larger one makes the search look through more
    /// segments.
    pub matches: u64,
    /// Only those published at or after this instant.
    pub since: Option<DateTime<Utc>>,
    /// Only those after this one in the list.
    pub after: Option<&'q Rank>,
    /// Maximum number of reports.
    pub limit: u32,
}

impl Question<'_> {
    /// Conditions that all have to hold.
    fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        // The places first: most of them are in few segments.
        if let Some(places) = &self.places {
            let keys = places.iter().map(|place| (Dimension::Place, *place));
            conditions.push(Condition::Within(keys.collect()));
        }
        if !self.types.iter().all(|wanted| *wanted) {
            let wanted = (0..).zip(self.types).filter(|(_, wanted)| *wanted);
            let keys = wanted.map(|(index, _)| (Dimension::Type, index));
            conditions.push(Condition::Within(keys.collect()));
        }
        conditions.push(Condition::Live);
        conditions.extend(self.days().map(Condition::Dated));
        conditions
    }

    fn days(&self) -> Option<Days> {
        self.period.map(|(from, to)| Days { first: day(from), last: day(to) })
    }
}

/// Finds the first reports that `question` is about, in the order of the list.
pub(crate) async fn search(
    tx: &mut Connection,
    cache: &SegmentCache,
    question: &Question<'_>,
) -> Result<Found> {
    Search::new(cache, question).run(tx).await
}

/// See the [module](self).
struct Search<'q> {
    cache: &'q SegmentCache,
    /// All have to hold.
    conditions: Vec<Condition>,
    /// How many reports match, whatever `since` and `after` say.
    matches: u64,
    limit: usize,
    since: i64,
    after: Option<&'q Rank>,
    days: Option<Days>,
    opened: Vec<Opened>,
    /// How many reports match in the opened segments.
    seen: u64,
    /// The first reports of the list, of those that were read.
    found: Vec<PublicReport>,
    cost: Cost,
}

/// The reports of a list, and what it took to find them.
pub(crate) struct Found {
    pub reports: Vec<PublicReport>,
    pub cost: Cost,
}

/// How much was read for a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Segments whose sets were read.
    pub segments: usize,
    /// Reports.
    pub rows: usize,
}

/// A segment with what of it is still to come.
struct Opened {
    segment: i64,
    /// Slots of matching reports that have not been read.
    rest: RoaringBitmap,
    /// Nothing in `rest` was published later.
    newest_at: i64,
    /// The last report that was read.
    last: Option<Rank>,
    fences: Arc<Fences>,
    /// The segment's last slot, and when the newest report in it was published.
    end: (u32, i64),
    /// How many were read.
    taken: usize,
}

impl Opened {
    fn new(segment: Segment, rest: RoaringBitmap, fences: Arc<Fences>) -> Self {
        let newest_at = rest.max().and_then(|slot| fences.until(slot));
        Self {
            segment: segment.id,
            rest,
            newest_at: newest_at.map_or(segment.newest_at, |until| until.min(segment.newest_at)),
            last: None,
            fences,
            end: (u32::try_from(segment.size - 1).unwrap_or_default(), segment.newest_at),
            taken: 0,
        }
    }

    /// When the first `most` of `rest` were published, as far as that can be told without reading them.
    fn estimates(&self, most: usize) -> impl Iterator<Item = i64> {
        let slots = self.rest.iter().rev().take(most);
        slots.map(|slot| self.fences.estimate(slot, self.end).min(self.newest_at))
    }

    /// Takes the positions of the first reports of the list.
    fn take(&mut self, most: usize) -> impl Iterator<Item = i64> + use<> {
        let slots: Vec<u32> = self.rest.iter().rev().take(most).collect();
        if let Some(last) = slots.last() {
            self.rest.remove_range(*last..);
        }
        self.taken += slots.len();
        let segment = self.segment;
        slots.into_iter().map(move |slot| position(segment, slot))
    }
}

impl<'q> Search<'q> {
    fn new(cache: &'q SegmentCache, question: &Question<'q>) -> Self {
        Self {
            cache,
            conditions: question.conditions(),
            matches: question.matches,
            limit: question.limit as usize,
            since: question.since.map_or(i64::MIN, first_millisecond),
            after: question.after,
            days: question.days(),
            opened: Vec::new(),
            seen: 0,
            found: Vec::new(),
            cost: Cost::default(),
        }
    }

    async fn run(mut self, tx: &mut Connection) -> Result<Found> {
        let bound = self.open_enough(tx).await?;
        while self.read_on(tx, bound).await? {}
        let Self { mut found, since, cost, .. } = self;
        found.retain(|report| report.published_at.timestamp_millis() >= since);
        Ok(Found { reports: found, cost })
    }

    /// Opens all segments that may have some of the list. Returns a time since when enough reports were
    /// published in them, or none if there are not so many.
    async fn open_enough(&mut self, tx: &mut Connection) -> Result<Option<i64>> {
        let mut closed = self.segments(tx).await?;
        let mut batch = self.expected(closed.len());
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
            self.cost.segments += closed.len();
            self.open(tx, closed).await?;
            closed = rest;
            // Where nothing is found, more is looked through at a time.
            let growth = if self.seen == before { 8 } else { 2 };
            batch = (batch * growth).min(MOST_OPENED);
        }
    }

    /// How many of so many segments have a whole list, if all have as much of what matches.
    fn expected(&self, segments: usize) -> usize {
        let reports = (self.limit as u64).saturating_mul(segments as u64);
        let expected = reports.div_ceil(self.matches.max(1));
        usize::try_from(expected).unwrap_or(usize::MAX).clamp(1, MOST_OPENED)
    }

    /// The latest time known since when enough reports were published in the opened segments.
    fn bound(&self) -> Option<i64> {
        let first = |opened: &'_ Opened| -> Vec<i64> {
            let slots = opened.rest.iter().rev().take(self.limit);
            slots.map(|slot| opened.fences.since(slot)).collect()
        };
        let mut times: Vec<i64> = self.opened.iter().flat_map(first).collect();
        let last = self.limit.checked_sub(1).filter(|last| *last < times.len())?;
        let (_, bound, _) = times.select_nth_unstable_by_key(last, |at| std::cmp::Reverse(*at));
        Some(*bound)
    }

    /// The segments in question, that with the newest report first.
    async fn segments(&self, tx: &mut Connection) -> Result<Vec<Segment>> {
        let Days { first, last } = self.days.unwrap_or(Days { first: i32::MIN, last: i32::MAX });
        let segments = sql::query_as(
            "SELECT id, size, live, newest_at FROM segments
             WHERE newest_at >= $1 AND oldest_at <= $2 AND last_day >= $3 AND first_day <= $4
             ORDER BY newest_at DESC",
        )
        .bind(self.since)
        .bind(self.after.map_or(i64::MAX, |after| after.published_at))
        .bind(first)
        .bind(last)
        .fetch_all(tx)
        .await?;
        Ok(segments)
    }

    async fn open(&mut self, tx: &mut Connection, mut segments: Vec<Segment>) -> Result<()> {
        let all = |segment: &Segment| {
            let mut slots = RoaringBitmap::new();
            slots.insert_range(0..u32::try_from(segment.size).unwrap_or_default());
            (segment.id, slots)
        };
        let mut matching: HashMap<i64, RoaringBitmap> = segments.iter().map(all).collect();
        for condition in &self.conditions {
            condition.narrow(tx, self.cache, &segments, &mut matching).await?;
            segments.retain(|segment| matching.contains_key(&segment.id));
        }
        self.seen += matching.values().map(RoaringBitmap::len).sum::<u64>();
        let keys: Vec<SegmentKey> = segments.iter().map(Segment::key).collect();
        let fences = self.cache.fences(tx, &keys).await?;
        if let Some(after) = self.after {
            seek::cut(tx, after, segments.iter().zip(&fences), &mut matching).await?;
        }
        for (segment, fences) in segments.into_iter().zip(fences) {
            let rest = matching.remove(&segment.id).filter(|rest| !rest.is_empty());
            self.opened.extend(rest.map(|rest| Opened::new(segment, rest, fences)));
        }
        Ok(())
    }

    /// Reads on in the opened segments that may have more of the list. False if there are none.
    async fn read_on(&mut self, tx: &mut Connection, bound: Option<i64>) -> Result<bool> {
        let last = self.limit.checked_sub(1).and_then(|last| self.found.get(last));
        let last = last.map(PublicReport::rank);
        let since = last.map_or(bound, |last| Some(last.published_at));
        let since = since.map_or(self.since, |since| since.max(self.since));
        let may_have_more = |opened: &Opened| {
            let comes_before = |read: &Rank| last.is_none_or(|last| read.as_ref() < last);
            !opened.rest.is_empty()
                && opened.newest_at >= since
                && opened.last.as_ref().is_none_or(comes_before)
        };
        let may_have_more: Vec<&mut Opened> =
            self.opened.iter_mut().filter(|opened| may_have_more(opened)).collect();
        let shares = shares(&may_have_more, since, self.limit);
        let is_first = self.found.is_empty() && shares.iter().any(|share| *share > 0);
        let mut positions = Vec::new();
        for (opened, share) in may_have_more.into_iter().zip(shares) {
            // First what is probably in the list: then it is known how far the others have to be looked
            // through. One that is read on in has more than was estimated: in turn twice as many.
            let least = if is_first { 0 } else { opened.taken.max(1) };
            positions.extend(opened.take(share.max(least).min(self.limit)));
        }
        if positions.is_empty() {
            return Ok(false);
        }
        self.cost.rows += positions.len();
        let mut lasts: HashMap<i64, Rank> = HashMap::new();
        for (segment, report) in at(tx, &positions).await? {
            lasts.insert(segment, report.rank().to_owned());
            self.found.push(report);
        }
        for opened in &mut self.opened {
            if let Some(last) = lasts.remove(&opened.segment) {
                opened.newest_at = last.published_at;
                opened.last = Some(last);
            }
        }
        self.found.sort_unstable_by(|a, b| a.rank().cmp(&b.rank()));
        self.found.truncate(self.limit);
        Ok(true)
    }
}

/// How many of the next `limit` reports, of those published at `since` or later, each of `opened` has, as
/// it is estimated.
fn shares(opened: &[&mut Opened], since: i64, limit: usize) -> Vec<usize> {
    let mut times: Vec<(i64, usize)> = Vec::new();
    for (index, opened) in opened.iter().enumerate() {
        let estimates = opened.estimates(limit).take_while(|at| *at >= since);
        times.extend(estimates.map(|at| (at, index)));
    }
    if limit < times.len() {
        times.select_nth_unstable_by_key(limit, |(at, _)| std::cmp::Reverse(*at));
        times.truncate(limit);
    }
    let mut shares = vec![0; opened.len()];
    for (_, index) in times {
        if let Some(share) = shares.get_mut(index) {
            *share += 1;
        }
    }
    shares
}

/// The reports at `positions`, each with its segment; those of a segment in the order of the list.
async fn at(tx: &mut Connection, positions: &[i64]) -> Result<Vec<(i64, PublicReport)>> {
    // All in one row: the engine is a thread of its own, and handing over a row takes several times as
    // long as finding it.
    let engine = tx.engine();
    let public = engine.json_array(PUBLIC);
    let columns = engine.rows_as_json(&format!("r.position, {public}"));
    let mut sql = Builder::new(engine, "SELECT ");
    sql.push(&columns).push(" FROM reports r WHERE r.position IN (");
    // There is no position 0.
    sql.push_rows(padded(positions), RowValues::bind).push(")");
    let (rows,): (String,) = sql.build_as().fetch_one(tx).await?;
    let mut rows: Vec<(i64, PublicRow)> = serde_json::from_str(&rows)
        .map_err(|error| Error::Damaged(format!("a report of the lists ({error})")))?;
    rows.sort_unstable_by_key(|(position, _)| std::cmp::Reverse(*position));
    let listed = |(position, row): (i64, PublicRow)| {
        let (segment, _) = segment_and_slot(position);
        Ok((segment, row.try_into()?))
    };
    rows.into_iter().map(listed).collect()
}

/// The first stored millisecond at or after `instant`.
fn first_millisecond(instant: DateTime<Utc>) -> i64 {
    let whole = instant.timestamp_millis();
    whole + i64::from(!instant.timestamp_subsec_nanos().is_multiple_of(1_000_000))
}
