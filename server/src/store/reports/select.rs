//! Selecting reports by their properties, for a decision or a list.
//!
//! A decision on many reports takes several transactions. So its reports are selected once, by number, in
//! one consistent read before the first: reports that arrive later are not affected.

use std::{collections::HashMap, ops::RangeInclusive};

use app::model::ReportType;
use chrono::{DateTime, Utc};
use futures_util::TryStreamExt;
use sqlx::FromRow;

use super::imports;
use crate::{
    domain::{
        import_id::ImportId,
        report::{Status, Step},
    },
    geo::places::country_key,
    store::{
        Store,
        engine::sql::{self, Builder, Connection, Engine, Record},
        error::Result,
    },
};

/// Which reports: each part that is set narrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Brought by this import.
    pub import: Option<ImportId>,
    pub kind: Option<ReportType>,
    pub country: Option<Country>,
    /// Created before this instant.
    pub before: Option<DateTime<Utc>>,
}

impl Selection {
    /// Whether it narrows nothing.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }
}

/// A country, in whatever spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Country {
    key: String,
}

impl Country {
    pub fn new(text: &str) -> Self {
        Self { key: country_key(text) }
    }
}

/// The reports that a decision is about, as they were when they were selected: by number, in the order in
/// which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    seqs: Vec<i64>,
    /// How many of them were taken.
    taken: usize,
}

impl Selected {
    /// How many are left.
    pub fn len(&self) -> u64 {
        (self.seqs.len() - self.taken) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next reports to decide on.
    pub(super) fn first(&self, most: usize) -> &[i64] {
        &self.seqs[self.taken..self.seqs.len().min(self.taken.saturating_add(most))]
    }

    /// Moves past the next `count` reports.
    pub(super) fn advance(&mut self, count: usize) {
        self.taken = self.seqs.len().min(self.taken + count);
    }
}

impl Store {
    /// The reports of a selection that `step` can be taken with now. Takes 8 bytes of memory for each.
    ///
    /// # Errors
    /// [`Error::UnknownImport`](crate::store::Error::UnknownImport).
    pub async fn select(&self, step: Step, selection: &Selection) -> Result<Selected> {
        self.read(move |tx| {
            Box::pin(async move {
                let mut seqs = Vec::new();
                for range in ranges(tx, selection).await? {
                    for status in step.from() {
                        let (status, range) = (Some(*status), range.clone());
                        let scan = Scan { status, range, selection, order: Order::OldestFirst };
                        scan.each::<Seq>(tx, "", |Seq { seq }| {
                            seqs.push(seq);
                            true
                        })
                        .await?;
                    }
                }
                seqs.sort_unstable();
                Ok(Selected { seqs, taken: 0 })
            })
        })
        .await
    }
}

#[derive(FromRow)]
struct Seq {
    seq: i64,
}

/// The numbers among which the reports of a selection are.
pub(super) async fn ranges(
    tx: &mut Connection,
    selection: &Selection,
) -> Result<Vec<RangeInclusive<i64>>> {
    match selection.import {
        Some(import) => imports::ranges(tx, import).await,
        None => {
            let last: Option<i64> =
                sql::query_scalar("SELECT max(seq) FROM reports").fetch_one(tx).await?;
            Ok(last.map(|last| 1..=last).into_iter().collect())
        }
    }
}

/// A look at the reports of one status, or of all, within a range of numbers.
pub(super) struct Scan<'s> {
    pub status: Option<Status>,
    pub range: RangeInclusive<i64>,
    pub selection: &'s Selection,
    pub order: Order,
}

/// By when they came.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    OldestFirst,
    NewestFirst,
}

impl Scan<'_> {
    /// Gives the reports with these further columns to `found`, until that has enough and says `false`;
    /// then returns `false`, too.
    pub(super) async fn each<R: Record>(
        &self,
        tx: &mut Connection,
        columns: &str,
        mut found: impl FnMut(R) -> bool,
    ) -> Result<bool> {
        // The same few spellings again and again: each is folded once.
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut rows = self.query(tx.engine(), columns).build().fetch(tx);
        while let Some(row) = rows.try_next().await? {
            if let Some(Country { key }) = &self.selection.country {
                let country = row.text("country")?;
                let matches = match known.get(country) {
                    Some(matches) => *matches,
                    None => {
                        let matches = country_key(country) == *key;
                        known.insert(country.to_owned(), matches);
                        matches
                    }
                };
                if !matches {
                    continue;
                }
            }
            if !found(row.read()?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// In the order of the numbers, by an index that has it or by the table itself, which has it too:
    /// never a sort, and never a look at reports of another status unless those are few.
    fn query(&self, engine: Engine, columns: &str) -> Builder {
        let mut query = Builder::new(engine, "SELECT seq");
        query.push(columns);
        // The spelling is only known to match once it is folded, which SQL cannot.
        if self.selection.country.is_some() && !columns.contains("country") {
            query.push(", country");
        }
        query.push(" FROM reports ");
        match self.status {
            None => query.push(engine.not_indexed()).push(" WHERE seq BETWEEN "),
            Some(Status::Approved) => {
                query.push(engine.not_indexed()).push(" WHERE status = 'APPROVED' AND seq BETWEEN ")
            }
            Some(status) => query
                .push(&engine.indexed_by("reports_not_approved"))
                // The first condition is the index's own: by it, the engine knows that the index applies.
                .push(" WHERE status <> 'APPROVED' AND status = ")
                .push_bind(status.as_str())
                .push(" AND seq BETWEEN "),
        };
        query.push_bind(*self.range.start()).push(" AND ").push_bind(*self.range.end());
        if let Some(kind) = self.selection.kind {
            query.push(" AND type = ").push_bind(kind.as_str());
        }
        if let Some(before) = self.selection.before {
            query.push(" AND created_at < ").push_bind(before.timestamp_millis());
        }
        query.push(match self.order {
            Order::OldestFirst => " ORDER BY seq",
            Order::NewestFirst => " ORDER BY seq DESC",
        });
        query
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::Scratch;

    #[tokio::test]
    async fn reports_are_found_without_a_scan_of_the_table_and_without_a_sort() {
        let store = Scratch::sqlite().await;
        let everything = Selection::default();
        let some = Selection {
            import: None,
            kind: Some(ReportType::Spirit),
            country: Some(Country::new("Brazil")),
            before: Some(DateTime::UNIX_EPOCH),
        };
        let by_number = "SEARCH reports USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
        let by_status = "(status=? AND rowid>? AND rowid<?)";
        let covered =
            format!("SEARCH reports USING COVERING INDEX reports_not_approved {by_status}");
        let indexed = format!("SEARCH reports USING INDEX reports_not_approved {by_status}");
        for (status, selection, columns, expected) in [
            (None, &everything, "", by_number),
            (None, &some, ", id, country", by_number),
            (Some(Status::Approved), &everything, "", by_number),
            (Some(Status::Approved), &some, "", by_number),
            (Some(Status::Pending), &everything, "", &covered),
            (Some(Status::Rejected), &everything, ", id", &indexed),
            (Some(Status::Withdrawn), &some, "", &indexed),
        ] {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let scan = Scan { status, range: 1..=9, selection, order };
                let plan = store.plan(scan.query(Engine::Sqlite, columns).text()).await;
                assert_eq!(plan, [expected], "{status:?} {selection:?} {order:?}");
            }
        }
    }
}
