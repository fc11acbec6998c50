//! In-memory cache of counts, so that markers only read pages that changed.
//!
//! Every transaction that changes a page of counts in any bucket also increments the page's number
//! in `counted_pages`. This applies to publications, withdrawals, imports and repairs of all
//! processes. A read compares these numbers with the cached ones and reads pages with other numbers
//! again. It sees both in one snapshot, and numbers never repeat, so the cache is never stale. A
//! database is only replaced while no process has it open.
//!
//! The cache contains the sum of each page over a span. A period is divided into whole years,
//! months and days, so periods share most of their spans: a period that ends a day later only needs
//! its last days.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use base::cache::{Cache, Limits};
use futures_util::TryStreamExt;

use super::{
    grain::Span,
    page::{self, Counts, CountsPage},
};
use crate::{
    engine::{
        sql::{self, Builder, Connection, RowValues},
        writes::Writes,
    },
    error::Result,
};

/// Maximum size in bytes: about a hundred spans of twenty thousand cities.
const CAPACITY: u64 = 8 << 20;
/// Approximate overhead of a cached page in bytes.
const OVERHEAD: usize = 64;
/// Time after which unused entries are removed.
const IDLE: Duration = Duration::from_secs(600);

/// Maximum number of sums read in one statement.
const AT_ONCE: usize = 256;

/// See the [module](self). Keys include the era: see [`Connection::era`]. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct CountCache(Cache<(u64, Span), SpanCounts>);

/// Sums over a span by page number.
type SpanCounts = HashMap<i64, PageSum>;

/// Sum of a page over a span.
#[derive(Clone, Debug)]
struct PageSum {
    /// Number of changes to the page when it was read.
    changes: i64,
    /// Encoded page, which takes at most half the size of a decoded one.
    counts: Arc<[u8]>,
}

/// Sum to read: index of its span, and page number.
type Missing = (usize, i64);

impl Default for CountCache {
    fn default() -> Self {
        let weight = |_: &_, counts: &SpanCounts| {
            let bytes: usize = counts.values().map(|sum| sum.counts.len() + OVERHEAD).sum();
            u32::try_from(bytes + OVERHEAD).unwrap_or(u32::MAX)
        };
        Self(Cache::new(Limits { weight: CAPACITY, idle: Some(IDLE), age: None }, weight))
    }
}

impl CountCache {
    /// Calls `each` with the counts of each place on `pages`, for each of `spans` in which it has
    /// any. The arguments are the index of the span, the place and the counts.
    pub(super) async fn read(
        &self,
        tx: &mut Connection,
        pages: &BTreeSet<i64>,
        spans: &[Span],
        mut each: impl FnMut(usize, i64, Counts),
    ) -> Result<()> {
        let (era, changes) = (tx.era(), changes(tx).await?);
        let changes_of = |page: &i64| changes.get(page).copied().unwrap_or_default();
        let (mut known, mut missing) = (Vec::with_capacity(spans.len()), Vec::new());
        for (index, span) in spans.iter().enumerate() {
            let counts = self.0.get(&(era, *span)).await.unwrap_or_default();
            let is_missing =
                |page: &&i64| counts.get(page).is_none_or(|sum| sum.changes != changes_of(page));
            missing.extend(pages.iter().filter(is_missing).map(|page| (index, *page)));
            known.push(counts);
        }
        for missing in missing.chunks(AT_ONCE) {
            for ((index, page), counts) in sums(tx, spans, missing).await? {
                if let Some(known) = known.get_mut(index) {
                    let sum = PageSum { changes: changes_of(&page), counts };
                    Arc::make_mut(known).insert(page, sum);
                }
            }
        }
        let changed: BTreeSet<usize> = missing.into_iter().map(|(index, _)| index).collect();
        for (index, (span, counts)) in spans.iter().zip(known).enumerate() {
            for page in pages {
                let bytes = counts.get(page).map_or(&[][..], |sum| &sum.counts);
                page::read(*page, bytes, |place, counts| each(index, place, counts))?;
            }
            if changed.contains(&index) {
                self.0.insert((era, *span), counts).await;
            }
        }
        Ok(())
    }
}

/// Returns the number of changes of each page.
async fn changes(tx: &mut Connection) -> Result<HashMap<i64, i64>> {
    let changes = sql::query_as("SELECT page, changes FROM counted_pages").fetch_all(tx).await?;
    Ok(changes.into_iter().collect())
}

/// Increments the numbers of `pages`, which this transaction changes.
pub(super) async fn changed(
    tx: &mut Connection,
    writes: &mut Writes,
    pages: &BTreeSet<i64>,
) -> Result<()> {
    let pages: Vec<i64> = pages.iter().copied().collect();
    let head = "INSERT INTO counted_pages (page, changes)";
    let tail =
        "ON CONFLICT (page) DO UPDATE SET changes = counted_pages.changes + excluded.changes";
    writes.insert(tx, head, tail, &pages, |query, page| query.bind(*page).bind(1_i64)).await
}

/// Reads and sums the `missing` pages.
async fn sums(
    tx: &mut Connection,
    spans: &[Span],
    missing: &[Missing],
) -> Result<Vec<(Missing, Arc<[u8]>)>> {
    // Each row contains all buckets of a page, because passing a row between threads takes longer
    // than finding it.
    let mut sql = Builder::new(tx.engine(), "WITH missing (number, page, grain, lo, hi) AS (");
    let asked = (0_i64..).zip(missing).filter_map(|(number, (index, page))| {
        let Span { grain, first, last } = spans.get(*index)?;
        Some([number, *page, grain.number(), *first, *last])
    });
    sql.push_rows(asked, |row, values| values.into_iter().fold(row, RowValues::bind));
    sql.push(&format!(
        ") SELECT number, (
             SELECT {} FROM counts c
             WHERE c.grain = missing.grain AND c.page = missing.page
               AND c.bucket BETWEEN missing.lo AND missing.hi
         ) FROM missing",
        tx.engine().joined_bytes("c.counts", "00"),
    ));
    let query = sql.build_as().persistent(missing.len() == AT_ONCE);
    // Pages are summed while the engine reads the next ones on its own thread.
    let mut rows = query.fetch(tx);
    let mut sums = Vec::with_capacity(missing.len());
    while let Some((number, counts)) = rows.try_next().await? {
        let (number, counts): (i64, Option<Vec<u8>>) = (number, counts);
        let asked = usize::try_from(number).ok().and_then(|number| missing.get(number));
        let Some((index, page)) = asked.copied() else { continue };
        let sum = CountsPage::sum(page, counts.as_deref().unwrap_or_default())?;
        sums.push(((index, page), sum.encode(page).into()));
    }
    Ok(sums)
}
