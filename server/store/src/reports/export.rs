//! All approved reports of a query, a part at a time, from one state of the database.
//!
//! A part is a page of the list that begins after the last report of the part before it, so an export has exactly the
//! reports of the list, in its order. The transaction stays open between the parts. Its age must be bounded by the
//! caller: SQLite cannot shorten its journal while a transaction reads an old state, and PostgreSQL cannot remove old
//! rows.

use super::{
    recent::{ReportsQuery, newest_of},
    report::PublicReport,
};
use crate::{
    Store, areas,
    counters::metrics::counts,
    engine::sql::{self, Connection},
    error::Result,
    version::{LastChange, last_change},
};

/// Number of reports in a part. Larger ones are hardly faster, and each is in memory twice: as rows and as bytes.
const PART: u32 = 4_096;

/// Open export. The transaction ends when the value is dropped.
#[derive(Debug)]
pub struct Export {
    store: Store,
    tx: Connection,
    /// Query of the next part; `None` after the last one.
    next: Option<ReportsQuery>,
    scopes: Vec<i64>,
    last: LastChange,
    at_most: u64,
}

impl areas::Reports<'_> {
    /// Opens an export of all approved reports that match `query`, regardless of its limit.
    pub async fn export(self, query: ReportsQuery) -> Result<Export> {
        let opened = self.open_export(query).await;
        self.store.note_end(&opened);
        opened
    }

    async fn open_export(self, query: ReportsQuery) -> Result<Export> {
        let store = self.store.clone();
        let mut tx = store.readers.begin_read().await?;
        let last = last_change(&mut tx).await?;
        let place = &query.filter.place;
        let scopes = store.places.scopes(&mut tx, place).await?;
        let at_most = at_most(&mut tx, &scopes, &query).await?;
        let next = Some(ReportsQuery { limit: PART, ..query }).filter(|_| at_most > 0);
        Ok(Export { store, tx, next, scopes, last, at_most })
    }
}

/// Returns the number of reports that match a query, or a larger number if it has a `since` or begins after a report.
async fn at_most(tx: &mut Connection, scopes: &[i64], query: &ReportsQuery) -> Result<u64> {
    let by_type = counts(tx, scopes, &query.filter.period.spans()).await?;
    let wanted = by_type.iter().zip(query.types).filter(|(_, wanted)| *wanted);
    let matches: i64 = wanted.map(|(count, _)| count).sum();
    let Some(since) = query.since else { return Ok(matches.cast_unsigned()) };
    let recent =
        "SELECT CAST(coalesce(sum(live), 0) AS BIGINT) FROM segments WHERE newest_at >= $1";
    let recent: i64 =
        sql::query_scalar(recent).bind(since.timestamp_millis()).fetch_one(&mut *tx).await?;
    Ok(matches.min(recent).cast_unsigned())
}

impl Export {
    /// Last change that the export includes.
    #[must_use]
    pub fn last(&self) -> LastChange {
        self.last
    }

    /// Number of reports. With a `since` or a start, it may be larger than that.
    #[must_use]
    pub fn at_most(&self) -> u64 {
        self.at_most
    }

    /// Reads the next part. An empty one is the end.
    ///
    /// # Errors
    /// The database failed. The export cannot be continued then.
    pub async fn next(&mut self) -> Result<Vec<PublicReport>> {
        let Some(query) = self.next.take() else { return Ok(Vec::new()) };
        let Self { store, tx, scopes, .. } = self;
        let found = newest_of(tx, &store.segments, &query, scopes.clone()).await;
        store.note_end(&found);
        let reports = found?.reports;
        if reports.len() == query.limit as usize {
            let after = reports.last().map(|last| last.rank().to_owned());
            self.next = Some(ReportsQuery { after, ..query });
        }
        Ok(reports)
    }
}
