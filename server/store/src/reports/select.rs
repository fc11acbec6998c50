//! Selection of reports by their properties, for a decision or a list.
//!
//! A decision on many reports takes several transactions. Its reports are therefore selected once,
//! by number, in one consistent read before the first transaction. Reports that arrive later are
//! not affected.

use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    ops::RangeInclusive,
};

use base::time::day_number;
use chrono::{DateTime, Utc};
use domain::{
    import_id::ImportId,
    report::{Status, Step},
};
use geo::places::{country_key, fold};
use model::ReportType;
use serde::Deserialize;

use super::imports;
use crate::{
    areas,
    engine::sql::{self, Builder, Connection, Engine},
    error::{Error, Result},
    filter::{Period, PlaceFilter},
};

/// Selection of reports. Each field that is set narrows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub status: Option<Status>,
    /// Import that added the reports.
    pub import: Option<ImportId>,
    pub kind: Option<ReportType>,
    pub place: PlaceFilter,
    /// Period of the event dates.
    pub period: Period,
    /// Time before which the reports were created.
    pub before: Option<DateTime<Utc>>,
    /// Text in the id or in the name of the city, region or country. Case and accents are ignored.
    pub text: Option<String>,
}

impl Selection {
    /// Whether the selection has no condition except the status.
    pub fn is_everything(&self) -> bool {
        *self == Self { status: self.status, ..Self::default() }
    }
}

/// Numbers of the reports selected for a decision, in the order in which the reports were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    seqs: Vec<i64>,
    /// Number of reports already decided on.
    taken: usize,
}

impl Selected {
    /// Returns the number of remaining reports.
    pub fn len(&self) -> u64 {
        (self.seqs.len() - self.taken) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a digest that identifies the selected reports.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.seqs.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the next reports to decide on.
    pub(super) fn first(&self, most: usize) -> &[i64] {
        &self.seqs[self.taken..self.seqs.len().min(self.taken.saturating_add(most))]
    }

    /// Skips the next `count` reports.
    pub(super) fn advance(&mut self, count: usize) {
        self.taken = self.seqs.len().min(self.taken + count);
    }
}

impl areas::Reports<'_> {
    /// Returns the reports of a selection that allow `step` now. Uses 8 bytes of memory per report.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn select(self, step: Step, selection: &Selection) -> Result<Selected> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut seqs = Vec::new();
                    for range in ranges(tx, selection).await? {
                        let statuses = step.from().iter();
                        let wanted = selection.status;
                        for status in
                            statuses.filter(|one| wanted.is_none_or(|wanted| wanted == **one))
                        {
                            let (status, range) = (Some(*status), range.clone());
                            let (order, most) = (Order::OldestFirst, usize::MAX);
                            let scan = Scan { status, range, selection, order, most };
                            scan.each(tx, |seq| {
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

/// Returns the ranges of numbers that contain the reports of a selection.
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

/// Scan of the reports of one status, or of all, within a range of numbers.
pub(super) struct Scan<'s> {
    pub status: Option<Status>,
    pub range: RangeInclusive<i64>,
    pub selection: &'s Selection,
    pub order: Order,
    /// Maximum number of reports scanned.
    pub most: usize,
}

/// Order by the time of addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    OldestFirst,
    #[default]
    NewestFirst,
}

/// Progress of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scanned {
    /// Whether there may be more reports in the range.
    pub more: bool,
    pub examined: usize,
    /// Number of the last report scanned.
    pub last: Option<i64>,
}

/// Initial and maximum number of reports read at once.
const FIRST_READ: usize = 64;
const MAX_READ: usize = 8_192;

/// Report that matches the SQL conditions. Names are only read if the selection needs them.
#[derive(Deserialize)]
struct Candidate<'r> {
    seq: i64,
    #[serde(borrow, default)]
    id: Cow<'r, str>,
    #[serde(borrow, default)]
    city: Cow<'r, str>,
    #[serde(borrow, default)]
    region: Cow<'r, str>,
    #[serde(borrow, default)]
    country: Cow<'r, str>,
}

impl Scan<'_> {
    /// Calls `found` with the number of each matching report, until it returns `false`.
    pub(super) async fn each(
        &self,
        tx: &mut Connection,
        mut found: impl FnMut(i64) -> bool,
    ) -> Result<Scanned> {
        let mut spelling = Spelling::of(self.selection);
        let mut scanned = Scanned { more: false, examined: 0, last: None };
        let (mut rest, mut most) = (self.range.clone(), FIRST_READ);
        loop {
            let text = self.read(tx, &rest, most).await?;
            let candidates = self.candidates(&text)?;
            for candidate in &candidates {
                if scanned.examined == self.most {
                    scanned.more = true;
                    return Ok(scanned);
                }
                scanned.examined += 1;
                scanned.last = Some(candidate.seq);
                if spelling.matches(candidate) && !found(candidate.seq) {
                    scanned.more = true;
                    return Ok(scanned);
                }
            }
            match candidates.last().filter(|_| candidates.len() == most) {
                None => return Ok(scanned),
                Some(last) if self.order == Order::OldestFirst => {
                    rest = last.seq + 1..=*rest.end();
                }
                Some(last) => rest = *rest.start()..=last.seq - 1,
            }
            most = (most * 4).min(MAX_READ);
        }
    }

    /// Reads the next reports as a single row: SQLite runs on a thread of its own, and passing a
    /// row between threads takes several times as long as finding it.
    async fn read(
        &self,
        tx: &mut Connection,
        range: &RangeInclusive<i64>,
        most: usize,
    ) -> Result<String> {
        let engine = tx.engine();
        let columns = if Spelling::of(self.selection).is_asked() { NAMES } else { "seq" };
        let mut query = Builder::new(engine, "SELECT ");
        query.push(&engine.rows_as_json(columns)).push(" FROM (");
        self.query(&mut query, engine, columns, range);
        query.push(" LIMIT ").push_bind(i64::try_from(most).unwrap_or(i64::MAX));
        query.push(") AS candidates");
        let (rows,): (String,) = query.build_as().fetch_one(tx).await?;
        Ok(rows)
    }

    /// Parses the rows and sorts them in the order of the scan.
    fn candidates<'r>(&self, rows: &'r str) -> Result<Vec<Candidate<'r>>> {
        let mut candidates: Vec<Candidate<'_>> = serde_json::from_str(rows)
            .map_err(|error| Error::Damaged(format!("a report of the list ({error})")))?;
        match self.order {
            Order::OldestFirst => candidates.sort_unstable_by_key(|one| one.seq),
            Order::NewestFirst => candidates.sort_unstable_by_key(|one| Reverse(one.seq)),
        }
        Ok(candidates)
    }

    /// Appends the query for the reports, in the order of their numbers. Uses an index or the table
    /// itself, both of which have this order, so the query never sorts. It never scans reports of
    /// another status unless there are few of them.
    fn query(
        &self,
        query: &mut Builder,
        engine: Engine,
        columns: &str,
        range: &RangeInclusive<i64>,
    ) {
        query.push("SELECT ").push(columns).push(" FROM reports ");
        match self.status {
            None => query.push(engine.not_indexed()).push(" WHERE seq BETWEEN "),
            Some(Status::Approved) => {
                query.push(engine.not_indexed()).push(" WHERE status = 'APPROVED' AND seq BETWEEN ")
            }
            Some(status) => query
                .push(&engine.indexed_by("reports_not_approved"))
                // The index has the first condition too. Without it, the engine would not use the
                // index.
                .push(" WHERE status <> 'APPROVED' AND status = ")
                .push_bind(status.as_str())
                .push(" AND seq BETWEEN "),
        };
        query.push_bind(*range.start()).push(" AND ").push_bind(*range.end());
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
    }
}

/// Columns of a [`Candidate`].
const NAMES: &str = "seq, id, city, region, country";

/// Conditions on folded names, which SQL cannot check.
struct Spelling<'s> {
    place: &'s PlaceFilter,
    text: Option<String>,
    /// Results by place. The same few places occur many times, so each is folded only once.
    known: HashMap<String, PlaceMatch>,
}

/// Results for a place.
#[derive(Clone, Copy)]
struct PlaceMatch {
    is_selected: bool,
    has_text: bool,
}

impl<'s> Spelling<'s> {
    fn of(selection: &'s Selection) -> Self {
        let text = selection.text.as_deref().map(fold).filter(|text| !text.is_empty());
        Self { place: &selection.place, text, known: HashMap::new() }
    }

    fn is_asked(&self) -> bool {
        !self.place.is_empty() || self.text.is_some()
    }

    fn matches(&mut self, report: &Candidate<'_>) -> bool {
        if !self.is_asked() {
            return true;
        }
        let names = [&*report.country, &*report.region, &*report.city];
        let name = names.join("\n");
        let place = match self.known.get(&name) {
            Some(known) => *known,
            None => {
                let place = self.look_at(names);
                self.known.insert(name, place);
                place
            }
        };
        let Some(text) = &self.text else { return place.is_selected };
        place.is_selected && (place.has_text || fold(&report.id).contains(text))
    }

    fn look_at(&self, [country, region, city]: [&str; 3]) -> PlaceMatch {
        let keys = [country_key(country), fold(region), fold(city)];
        let is_selected = self.place.is_empty() || self.place.selects(&keys.join("\n"));
        let [_, region, city] = &keys;
        let has_text = self.text.as_deref().is_some_and(|text| {
            city.contains(text) || region.contains(text) || fold(country).contains(text)
        });
        PlaceMatch { is_selected, has_text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scratch;

    #[tokio::test]
    async fn reports_are_found_without_a_scan_of_the_table_and_without_a_sort() {
        let store = Scratch::sqlite().await;
        let everything = Selection::default();
        let some = Selection {
            status: None,
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
            (None, &everything, "seq", by_number),
            (None, &some, NAMES, by_number),
            (Some(Status::Approved), &everything, "seq", by_number),
            (Some(Status::Approved), &some, NAMES, by_number),
            (Some(Status::Pending), &everything, "seq", &covered),
            (Some(Status::Rejected), &everything, NAMES, &indexed),
            (Some(Status::Withdrawn), &some, NAMES, &indexed),
        ] {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let scan = Scan { status, range: 1..=9, selection, order, most: 9 };
                let mut query = Builder::new(Engine::Sqlite, "");
                scan.query(&mut query, Engine::Sqlite, columns, &(1..=9));
                let plan = store.plan(query.text()).await;
                assert_eq!(plan, [expected], "{status:?} {selection:?} {order:?}");
            }
        }
    }

    /// Plans of PostgreSQL depend on the stored rows and on their statistics.
    #[tokio::test]
    async fn postgresql_reads_no_whole_table_of_reports_for_some_of_them() {
        let store = Scratch::postgres().await;
        store
            .run(
                "INSERT INTO reports (id, type, status, city, region, country, people_count, event_day, created_at,
                                      published_at, place_id)
                 SELECT 'r' || i, 'water', CASE WHEN i % 100 = 0 THEN 'PENDING' ELSE 'APPROVED' END, 'Recife', '',
                        'Brazil', 1, i % 4000, i, CASE WHEN i % 100 > 0 THEN i END, CASE WHEN i % 100 > 0 THEN 1 END
                 FROM generate_series(1, 20000) i",
            )
            .await;
        store.run("ANALYZE").await;
        let selection = Selection::default();
        for status in [None, Some(Status::Approved), Some(Status::Pending), Some(Status::Rejected)]
        {
            for order in [Order::OldestFirst, Order::NewestFirst] {
                let scan = Scan { status, range: 1..=9, selection: &selection, order, most: 9 };
                let mut query = Builder::new(Engine::Postgres, "");
                scan.query(&mut query, Engine::Postgres, NAMES, &(1..=9));
                let read = store.tables_read_whole(query.text()).await;
                assert!(read.is_empty(), "{status:?} {order:?}: {read:?}");
            }
        }
    }
}
