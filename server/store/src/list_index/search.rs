//! Search of the segments: opens those that may contain the next reports of a list, and merges
//! their matches.

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
    postings::Dimension,
    segments::{padded, position, segment_and_slot},
    time_index::TimeIndex,
};
use crate::{
    engine::sql::{self, Builder, Connection, RowValues},
    error::{Error, Result},
    reports::report::{PUBLIC, PublicReport, PublicRow, Rank},
};

/// Maximum number of segments that are opened at a time.
const MAX_OPENED: usize = if cfg!(test) { 4 } else { 64 };

/// Query for a part of a list.
pub(crate) struct Question<'q> {
    /// Places of the reports; `None` for all.
    pub places: Option<Vec<i64>>,
    /// Whether each type is included, in the order of [`model::ReportType::ALL`].
    pub types: [bool; 3],
    /// First and last event date; `None` for all dates.
    pub period: Option<(NaiveDate, NaiveDate)>,
    /// Number of approved reports with these places, types and dates. If it is larger than the real
    /// number, the search opens more segments.
    pub matches: u64,
    /// Earliest time of publication.
    pub since: Option<DateTime<Utc>>,
    /// Last report of the previous page.
    pub after: Option<&'q Rank>,
    /// Maximum number of reports.
    pub limit: u32,
}

impl Question<'_> {
    /// Returns the conditions, all of which must hold.
    fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        // Places are first, because most of them occur in few segments.
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

/// Finds the first reports that match `question`, in the order of the list.
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
    /// Conditions, all of which must hold.
    conditions: Vec<Condition>,
    /// Number of matching reports, ignoring `since` and `after`.
    matches: u64,
    limit: usize,
    since: i64,
    after: Option<&'q Rank>,
    days: Option<Days>,
    opened: Vec<Opened>,
    /// Number of matching reports in the opened segments.
    seen: u64,
    /// First reports of the list among those read so far.
    found: Vec<PublicReport>,
    cost: Cost,
}

/// Reports of a list, and the cost of finding them.
pub(crate) struct Found {
    pub reports: Vec<PublicReport>,
    pub cost: Cost,
}

/// Amount of data read for a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Number of segments whose sets were read.
    pub segments: usize,
    /// Number of reports read.
    pub rows: usize,
}

/// Opened segment, with its matches that have not been read yet.
struct Opened {
    segment: i64,
    /// Slots of matching reports that have not been read.
    rest: RoaringBitmap,
    /// Upper bound for the publication times of `rest`.
    newest_at: i64,
    /// Last report read.
    last: Option<Rank>,
    time_index: Arc<TimeIndex>,
    /// Last slot of the segment, and publication time of its newest report.
    end: (u32, i64),
    /// Number of reports read.
    taken: usize,
}

impl Opened {
    fn new(segment: Segment, rest: RoaringBitmap, time_index: Arc<TimeIndex>) -> Self {
        let newest_at = rest.max().and_then(|slot| time_index.until(slot));
        Self {
            segment: segment.id,
            rest,
            newest_at: newest_at.map_or(segment.newest_at, |until| until.min(segment.newest_at)),
            last: None,
            time_index,
            end: (u32::try_from(segment.size - 1).unwrap_or_default(), segment.newest_at),
            taken: 0,
        }
    }

    /// Estimates the publication times of the first `most` reports of `rest` without reading them.
    fn estimates(&self, most: usize) -> impl Iterator<Item = i64> {
        let slots = self.rest.iter().rev().take(most);
        slots.map(|slot| self.time_index.estimate(slot, self.end).min(self.newest_at))
    }

    /// Removes the first `most` reports of the list from `rest` and returns their positions.
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

    /// Opens all segments that may contain a part of the list. Returns a lower bound for the
    /// publication time of the last report of the list; `None` if the opened segments do not
    /// contain enough reports.
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
            let rest = closed.split_off(open.min(MAX_OPENED).min(closed.len()));
            if closed.is_empty() {
                return Ok(bound);
            }
            let before = self.seen;
            self.cost.segments += closed.len();
            self.open(tx, closed).await?;
            closed = rest;
            // If a batch has no matches, the next one is larger.
            let growth = if self.seen == before { 8 } else { 2 };
            batch = (batch * growth).min(MAX_OPENED);
        }
    }

    /// Returns the number of segments expected to contain a whole list, assuming that matches are
    /// evenly distributed over `segments`.
    fn expected(&self, segments: usize) -> usize {
        let reports = (self.limit as u64).saturating_mul(segments as u64);
        let expected = reports.div_ceil(self.matches.max(1));
        usize::try_from(expected).unwrap_or(usize::MAX).clamp(1, MAX_OPENED)
    }

    /// Returns the latest known time since which enough reports were published in the opened
    /// segments.
    fn bound(&self) -> Option<i64> {
        let first = |opened: &'_ Opened| -> Vec<i64> {
            let slots = opened.rest.iter().rev().take(self.limit);
            slots.map(|slot| opened.time_index.since(slot)).collect()
        };
        let mut times: Vec<i64> = self.opened.iter().flat_map(first).collect();
        let last = self.limit.checked_sub(1).filter(|last| *last < times.len())?;
        let (_, bound, _) = times.select_nth_unstable_by_key(last, |at| std::cmp::Reverse(*at));
        Some(*bound)
    }

    /// Returns the segments that may contain matches, in descending order of their newest reports.
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
        let time_index = self.cache.time_index(tx, &keys).await?;
        if let Some(after) = self.after {
            seek::cut(tx, after, segments.iter().zip(&time_index), &mut matching).await?;
        }
        for (segment, time_index) in segments.into_iter().zip(time_index) {
            let rest = matching.remove(&segment.id).filter(|rest| !rest.is_empty());
            self.opened.extend(rest.map(|rest| Opened::new(segment, rest, time_index)));
        }
        Ok(())
    }

    /// Reads more reports from the opened segments that may contain more of the list. Returns false
    /// if there are none.
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
            // The first pass reads only the reports that are probably in the list. Their times then
            // limit the search in other segments. A segment that is read again has more matches
            // than estimated, so its share doubles each time.
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

/// Estimates how many of the next `limit` reports, published at `since` or later, each of `opened`
/// contains.
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

/// Reads the reports at `positions`, each with its segment. Reports of a segment are in the order
/// of the list.
async fn at(tx: &mut Connection, positions: &[i64]) -> Result<Vec<(i64, PublicReport)>> {
    // Reads all reports as a single row: the engine runs on a thread of its own, and passing a row
    // between threads takes several times as long as finding it.
    let engine = tx.engine();
    let public = engine.json_array(PUBLIC);
    let columns = engine.rows_as_json(&format!("r.position, {public}"));
    let mut sql = Builder::new(engine, "SELECT ");
    sql.push(&columns).push(" FROM reports r WHERE r.position IN (");
    // Position 0 does not exist.
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

/// Returns the first stored millisecond at or after `instant`.
fn first_millisecond(instant: DateTime<Utc>) -> i64 {
    let whole = instant.timestamp_millis();
    whole + i64::from(!instant.timestamp_subsec_nanos().is_multiple_of(1_000_000))
}
