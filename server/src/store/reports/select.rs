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
    geo::places::{country_key, fold},
    store::{
        Store,
        engine::sql::{self, Builder, Connection, Engine, Record, Row},
        error::Result,
        filter::{Period, PlaceFilter},
    },
    time::day_number,
};

/// Which reports: each part that is set narrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Brought by this import.
    pub import: Option<ImportId>,
    pub kind: Option<ReportType>,
    pub place: PlaceFilter,
    /// By the dates of the events.
    pub period: Period,
    /// Created before this instant.
    pub before: Option<DateTime<Utc>>,
    /// With this in its id, or in the name of its city, region or country, however either is spelled.
    pub text: Option<String>,
}

impl Selection {
    /// Whether it narrows nothing.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
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
                        let (order, most) = (Order::OldestFirst, usize::MAX);
                        let scan = Scan { status, range, selection, order, most };
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
    /// How many reports it looks at, at most.
    pub most: usize,
}

/// By when they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    OldestFirst,
    #[default]
    NewestFirst,
}

/// How far a scan came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scanned {
    /// Whether there may be more within its range.
    pub more: bool,
    pub examined: usize,
    /// The number of the last report that it looked at.
    pub last: Option<i64>,
}

impl Scan<'_> {
    /// Gives the reports with these further columns to `found`, until that has enough and says `false`.
    pub(super) async fn each<R: Record>(
        &self,
        tx: &mut Connection,
        columns: &str,
        mut found: impl FnMut(R) -> bool,
    ) -> Result<Scanned> {
        let mut spelling = Spelling::of(self.selection);
        let mut scanned = Scanned { more: false, examined: 0, last: None };
        let mut rows = self.query(tx.engine(), columns).build().fetch(tx);
        while let Some(row) = rows.try_next().await? {
            if scanned.examined == self.most {
                scanned.more = true;
                break;
            }
            scanned.examined += 1;
            scanned.last = Some(row.number("seq")?);
            if spelling.matches(&row)? && !found(row.read()?) {
                scanned.more = true;
                break;
            }
        }
        Ok(scanned)
    }

    /// In the order of the numbers, by an index that has it or by the table itself, which has it too:
    /// never a sort, and never a look at reports of another status unless those are few.
    fn query(&self, engine: Engine, columns: &str) -> Builder {
        let mut query = Builder::new(engine, "SELECT seq");
        query.push(columns);
        let spelling = Spelling::of(self.selection);
        if spelling.is_asked() && columns.is_empty() {
            query.push(", id, city, region, country");
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
        if !self.selection.period.is_open() {
            let (from, to) = self.selection.period.ends();
            query.push(" AND event_day BETWEEN ").push_bind(day_number(from));
            query.push(" AND ").push_bind(day_number(to));
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

/// What is only known to match once it is folded, which SQL cannot.
struct Spelling<'s> {
    place: &'s PlaceFilter,
    text: Option<String>,
    /// The same few names again and again: each is folded once.
    known: HashMap<String, bool>,
}

impl<'s> Spelling<'s> {
    fn of(selection: &'s Selection) -> Self {
        let text = selection.text.as_deref().map(fold).filter(|text| !text.is_empty());
        Self { place: &selection.place, text, known: HashMap::new() }
    }

    fn is_asked(&self) -> bool {
        !self.place.is_empty() || self.text.is_some()
    }

    fn matches(&mut self, row: &Row) -> Result<bool> {
        if !self.is_asked() {
            return Ok(true);
        }
        let [country, region, city] = ["country", "region", "city"].map(|part| row.text(part));
        let (country, region, city) = (country?, region?, city?);
        if !self.place.is_empty() {
            let name = [country, region, city].join("\n");
            let is_there = match self.known.get(&name) {
                Some(known) => *known,
                None => {
                    let keys = [country_key(country), fold(region), fold(city)];
                    let selected = self.place.selects(&keys.join("\n"));
                    self.known.insert(name, selected);
                    selected
                }
            };
            if !is_there {
                return Ok(false);
            }
        }
        let Some(text) = &self.text else { return Ok(true) };
        let contains = |part: &str| fold(part).contains(text);
        Ok(contains(row.text("id")?) || [city, region, country].into_iter().any(contains))
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
            place: PlaceFilter::new(Some("Brazil"), None, None),
            period: Period { from: Some(DateTime::UNIX_EPOCH.date_naive()), to: None },
            before: Some(DateTime::UNIX_EPOCH),
            text: Some("a".to_owned()),
        };
        let by_number = "SEARCH reports USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
        let by_status = "(status=? AND rowid>? AND rowid<?)";
        let covered =
            format!("SEARCH reports USING COVERING INDEX reports_not_approved {by_status}");
        let indexed = format!("SEARCH reports USING INDEX reports_not_approved {by_status}");
        for (status, selection, columns, expected) in [
            (None, &everything, "", by_number),
            (None, &some, ", id, city, region, country", by_number),
            (Some(Status::Approved), &everything, "", by_number),
            (Some(Status::Approved), &some, "", by_number),
            (Some(Status::Pending), &everything, "", &covered),
            (Some(Status::Rejected), &everything, ", id", &indexed),
            (Some(Status::Withdrawn), &some, "", &indexed),
        ] {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let scan = Scan { status, range: 1..=9, selection, order, most: 9 };
                let plan = store.plan(scan.query(Engine::Sqlite, columns).text()).await;
                assert_eq!(plan, [expected], "{status:?} {selection:?} {order:?}");
            }
        }
    }
}
