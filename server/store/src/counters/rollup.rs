//! Rollups: counts of approved reports by place and bucket of the event date. Publications and
//! withdrawals write them in the same transaction, and all counters read them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Neg,
};

use chrono::{DateTime, NaiveDate, Utc};
use futures_util::TryStreamExt;
use model::ReportType;
use roaring::RoaringBitmap;

pub(crate) use super::page::Counts;
use super::{
    count_cache,
    grain::{Grain, Span},
    page::{self, CountsPage},
    presence,
};
use crate::{
    engine::{
        bulk,
        sql::{self, Builder, Connection, RowValues},
        writes::Writes,
    },
    error::{Error, Result},
    places::place::{Lineage, WORLD},
};

/// Maximum number of pages read in one statement.
const PAGES_AT_ONCE: usize = 256;

/// Number of pages that are changed at once. A full page takes 16 KiB in memory.
const CHANGED_AT_ONCE: usize = 1_024;

/// Values by which a report is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub lineage: Lineage,
    pub kind: ReportType,
    pub event_date: NaiveDate,
    pub published_at: DateTime<Utc>,
}

/// Bucket of time: one day, month or year, or all time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bucket {
    pub grain: Grain,
    pub number: i64,
}

impl Bucket {
    pub(crate) const ALL_TIME: Self = Self { grain: Grain::All, number: 0 };
    /// Key of the set of countries with reports of any date. It has no counts.
    pub(crate) const COUNTRIES: Self = Self { grain: Grain::All, number: 1 };

    pub(crate) fn day(date: NaiveDate) -> Self {
        Self { grain: Grain::Day, number: Grain::Day.bucket(date) }
    }

    /// Returns the four buckets that contain a date.
    pub(crate) fn of(date: NaiveDate) -> [Bucket; 4] {
        Grain::ALL.map(|grain| Bucket { grain, number: grain.bucket(date) })
    }

    pub(crate) fn from_stored(grain: i64, number: i64) -> Result<Self> {
        let grain = Grain::ALL
            .into_iter()
            .find(|known| known.number() == grain)
            .ok_or_else(|| Error::Damaged(format!("grain {grain}")))?;
        Ok(Self { grain, number })
    }
}

/// Unit of counting: a place and a bucket.
pub(crate) type Cell = (i64, Bucket);

pub(crate) const fn type_index(kind: ReportType) -> usize {
    match kind {
        ReportType::Spirit => 0,
        ReportType::Water => 1,
        ReportType::Both => 2,
    }
}

/// Number and bucket of a page.
pub(crate) type PageKey = (i64, Bucket);

/// Counts and places that reports add to the rollups and sets of places.
pub(crate) struct Tally {
    pages: BTreeMap<PageKey, Vec<(i64, Counts)>>,
    presence: BTreeMap<Bucket, RoaringBitmap>,
}

/// Unfiltered counts and places before a publication.
#[derive(Debug, Default)]
pub(crate) struct Before {
    pub by_type: Counts,
    pub today: Counts,
    pub places: presence::AllTime,
}

impl Tally {
    pub(crate) fn of(reports: &[Counted]) -> Result<Self> {
        // Sorting is faster than searching the cell of each report.
        let mut counted = Vec::with_capacity(reports.len() * 16);
        let mut presence: BTreeMap<Bucket, RoaringBitmap> = BTreeMap::new();
        for report in reports {
            let (city, kind) = (presence::bit(report.lineage.city)?, type_index(report.kind));
            let country = presence::bit(report.lineage.country)?;
            presence.entry(Bucket::COUNTRIES).or_default().insert(country);
            for bucket in Bucket::of(report.event_date) {
                presence.entry(bucket).or_default().insert(city);
                let places = report.lineage.counted_under();
                counted.extend(places.map(|place| (bucket, place, kind)));
            }
        }
        counted.sort_unstable();
        let mut pages: BTreeMap<PageKey, Vec<(i64, Counts)>> = BTreeMap::new();
        for cell in counted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let mut counts = Counts::default();
            cell.iter().for_each(|(_, _, kind)| counts[*kind] += 1);
            if let Some((bucket, place, _)) = cell.first() {
                let page = pages.entry((page::number(*place), *bucket)).or_default();
                page.push((*place, counts));
            }
        }
        Ok(Self { pages, presence })
    }

    /// Adds newly approved reports to the counts, when `writes` are sent. Returns the counters as they
    /// were before, with the counts of `today`. Statements of their own for these took half of the time
    /// of a publication.
    pub(crate) async fn count_in(
        mut self,
        tx: &mut Connection,
        writes: &mut Writes,
        today: Option<NaiveDate>,
    ) -> Result<Before> {
        let (all_time, today) = (Bucket::ALL_TIME, today.map(Bucket::day));
        if let Some(today) = today {
            // Has the counts of the world read even if they do not change.
            let world = self.pages.entry((page::number(WORLD), today));
            world.or_insert_with(|| vec![(WORLD, Counts::default())]);
        }
        let mut before = Before::default();
        change(tx, writes, self.pages, |(place, bucket), counts, _| {
            if (place, bucket) == (WORLD, all_time) {
                before.by_type = counts;
            } else if (place, Some(bucket)) == (WORLD, today) {
                before.today = counts;
            }
        })
        .await?;
        before.places = presence::add(tx, writes, self.presence).await?;
        Ok(before)
    }

    /// Subtracts withdrawn reports from the counts.
    pub(crate) async fn count_out(mut self, tx: &mut Connection) -> Result<()> {
        for (_, counts) in self.pages.values_mut().flatten() {
            *counts = counts.map(Neg::neg);
        }
        let (mut writes, mut emptied) = (Writes::default(), Vec::new());
        change(tx, &mut writes, self.pages, |cell, _, counts| {
            if counts == Counts::default() {
                emptied.push(cell);
            }
        })
        .await?;
        writes.send(tx).await?;
        let mut gone = BTreeSet::new();
        for (place, bucket) in emptied {
            let bit = presence::bit(place)?;
            let countries = (bucket == Bucket::ALL_TIME).then_some(Bucket::COUNTRIES);
            for set in [Some(bucket), countries].into_iter().flatten() {
                if self.presence.get(&set).is_some_and(|places| places.contains(bit)) {
                    gone.insert((set, bit));
                }
            }
        }
        presence::remove(tx, &gone).await
    }
}

/// Grain, page, bucket and counts.
type Row = (i64, i64, i64, Vec<u8>);

/// Adds counts to pages, when `writes` are sent. Calls `each` with every cell, its counts before, and
/// its counts after.
pub(super) async fn change(
    tx: &mut Connection,
    writes: &mut Writes,
    changes: BTreeMap<PageKey, Vec<(i64, Counts)>>,
    mut each: impl FnMut(Cell, Counts, Counts) + Send,
) -> Result<()> {
    // Works in the order of the primary key, and in chunks, because an import may change all stored
    // pages.
    let mut changes: Vec<_> = changes.into_iter().collect();
    changes.sort_unstable_by_key(|((page, bucket), _)| (bucket.grain, *page, bucket.number));
    let pages = changes.iter().map(|((page, _), _)| *page).collect();
    count_cache::changed(tx, writes, &pages).await?;
    for changes in changes.chunks(CHANGED_AT_ONCE) {
        change_some(tx, writes, changes, &mut each).await?;
    }
    Ok(())
}

/// Like [`change`], for a limited number of pages.
async fn change_some(
    tx: &mut Connection,
    writes: &mut Writes,
    changes: &[(PageKey, Vec<(i64, Counts)>)],
    each: &mut (impl FnMut(Cell, Counts, Counts) + Send),
) -> Result<()> {
    let keys: Vec<PageKey> = changes.iter().map(|(key, _)| *key).collect();
    let stored = stored(tx, &keys).await?.into_iter().map(|(key, page)| Ok((key, page?)));
    let mut stored: HashMap<PageKey, CountsPage> = stored.collect::<Result<_>>()?;
    let (mut changed, mut emptied) = (Vec::new(), Vec::new());
    for (key, counts) in changes {
        let (number, bucket) = *key;
        let stored = stored.remove(key);
        let is_stored = stored.is_some();
        let mut page = stored.unwrap_or_default();
        let (cells, mut is_changed) = (page.cells().len(), false);
        for (place, counts) in counts {
            let (before, after) = page.add(*place, *counts).ok_or_else(|| {
                Error::Damaged(format!("the counts of place {place} for {bucket}"))
            })?;
            is_changed |= before != after;
            each((*place, bucket), before, after);
        }
        if page.is_empty() {
            emptied.extend(is_stored.then_some(*key));
        } else if is_changed || page.cells().len() != cells {
            changed.push((*key, page.encode(number)));
        }
    }
    let head = "INSERT INTO counts (grain, page, bucket, counts)";
    let tail = "ON CONFLICT (grain, page, bucket) DO UPDATE SET counts = excluded.counts";
    let bind_page =
        |query, (key, counts): &(PageKey, Vec<u8>)| bind(query, key).bind(counts.as_slice());
    writes.insert(tx, head, tail, &changed, bind_page).await?;
    delete(tx, &emptied).await
}

/// Removes pages, even if they cannot be read.
pub(super) async fn remove(tx: &mut Connection, pages: &[PageKey]) -> Result<()> {
    let mut writes = Writes::default();
    let numbers = pages.iter().map(|(page, _)| *page).collect();
    count_cache::changed(tx, &mut writes, &numbers).await?;
    writes.send(tx).await?;
    delete(tx, pages).await
}

async fn delete(tx: &mut Connection, pages: &[PageKey]) -> Result<()> {
    let head = "DELETE FROM counts WHERE (grain, page, bucket)";
    bulk::execute_matching(tx, head, pages, bind).await
}

/// Binds grain, page and bucket.
fn bind(query: RowValues, (page, bucket): &PageKey) -> RowValues {
    query.bind(bucket.grain.number()).bind(*page).bind(bucket.number)
}

/// Returns the stored pages among `keys`, with an error for each that cannot be read.
pub(super) async fn stored(
    tx: &mut Connection,
    keys: &[PageKey],
) -> Result<Vec<(PageKey, Result<CountsPage>)>> {
    let rows: Vec<Row> = bulk::select_matching(
        tx,
        "SELECT grain, page, bucket, counts FROM counts WHERE (grain, page, bucket)",
        keys,
        bind,
    )
    .await?;
    let decoded = |(grain, page, bucket, counts): Row| {
        Ok(((page, Bucket::from_stored(grain, bucket)?), CountsPage::decode(page, &counts)))
    };
    rows.into_iter().map(decoded).collect()
}

/// Returns the numbers of the stored pages of each bucket.
pub(super) async fn page_numbers(tx: &mut Connection) -> Result<BTreeMap<Bucket, BTreeSet<i64>>> {
    let mut rows =
        sql::query_as::<(i64, i64, i64)>("SELECT grain, page, bucket FROM counts").fetch(tx);
    let mut numbers: BTreeMap<Bucket, BTreeSet<i64>> = BTreeMap::new();
    while let Some((grain, page, bucket)) = rows.try_next().await? {
        numbers.entry(Bucket::from_stored(grain, bucket)?).or_default().insert(page);
    }
    Ok(numbers)
}

/// Returns the beginning of a statement, with the tables `spans` and `pages`. A cross join with
/// `counts` then fixes the order of the loops: a few spans for each page, and one range of the
/// primary key for each span.
fn spans_and_pages(tx: &Connection, spans: &[Span], pages: &[i64]) -> Builder {
    let mut sql = Builder::new(tx.engine(), "WITH spans (grain, lo, hi) AS (");
    sql.push_rows(spans, |row, Span { grain, first, last }| {
        row.bind(grain.number()).bind(*first).bind(*last)
    });
    sql.push("), pages (number) AS (").push_rows(pages, |row, page| row.bind(*page));
    sql
}

/// Calls `each` with the counts of every place on `pages` in every bucket of `spans`.
pub(crate) async fn read(
    tx: &mut Connection,
    pages: &BTreeSet<i64>,
    spans: &[Span],
    mut each: impl FnMut(i64, Counts),
) -> Result<()> {
    if spans.is_empty() {
        return Ok(());
    }
    let pages: Vec<i64> = pages.iter().copied().collect();
    for pages in pages.chunks(PAGES_AT_ONCE) {
        // Each row contains all buckets of a page, because passing a row between threads takes
        // longer than finding it.
        let mut sql = spans_and_pages(tx, spans, pages);
        sql.push(&format!(
            ") SELECT pages.number, (
                 SELECT {} FROM spans CROSS JOIN counts c
                 WHERE c.grain = spans.grain AND c.page = pages.number
                   AND c.bucket BETWEEN spans.lo AND spans.hi
             ) FROM pages",
            tx.engine().joined_bytes("c.counts", "00"),
        ));
        let query = sql.build_as().persistent(pages.len() == 1);
        // Pages are decoded while the engine reads the next ones on its own thread.
        let mut rows = query.fetch(&mut *tx);
        while let Some((number, counts)) = rows.try_next().await? {
            let counts: Option<Vec<u8>> = counts;
            page::read(number, counts.as_deref().unwrap_or_default(), &mut each)?;
        }
    }
    Ok(())
}

/// Calls `each` with every bucket of `spans` in which one of `places` has reports, and with its
/// counts. Each place has a call of its own; the order is undefined.
pub(super) async fn read_buckets(
    tx: &mut Connection,
    places: &[i64],
    spans: &[Span],
    mut each: impl FnMut(Bucket, Counts),
) -> Result<()> {
    if spans.is_empty() {
        return Ok(());
    }
    let pages: Vec<i64> = pages_of(places.iter().copied()).into_iter().collect();
    for pages in pages.chunks(PAGES_AT_ONCE) {
        let mut sql = spans_and_pages(tx, spans, pages);
        sql.push(
            ") SELECT c.grain, c.page, c.bucket, c.counts
             FROM pages CROSS JOIN spans CROSS JOIN counts c
             WHERE c.grain = spans.grain AND c.page = pages.number
               AND c.bucket BETWEEN spans.lo AND spans.hi",
        );
        let query = sql.build_as().persistent(pages.len() == 1);
        let mut rows = query.fetch(&mut *tx);
        while let Some(row) = rows.try_next().await? {
            let (grain, page, bucket, counts): Row = row;
            let bucket = Bucket::from_stored(grain, bucket)?;
            page::read(page, &counts, |place, counts| {
                if places.contains(&place) {
                    each(bucket, counts);
                }
            })?;
        }
    }
    Ok(())
}

/// Returns the pages that contain `places`.
pub(crate) fn pages_of(places: impl IntoIterator<Item = i64>) -> BTreeSet<i64> {
    places.into_iter().map(page::number).collect()
}

impl std::fmt::Display for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.grain {
            Grain::All => f.write_str("all time"),
            Grain::Year => write!(f, "{:04}", self.number),
            Grain::Month => {
                write!(f, "{:04}-{:02}", self.number.div_euclid(12), self.number.rem_euclid(12) + 1)
            }
            Grain::Day => write!(f, "{}", base::time::date_of_day(self.number)),
        }
    }
}
