//! Walks along reports of a status in the order of a list, and reads of some reports by other
//! means.

use std::{borrow::Cow, ops::RangeInclusive};

use base::time::day_number;
use domain::report::Status;
use serde::Deserialize;

use super::{
    name_match::NameMatch,
    selection::{Key, Order, Selection},
};
use crate::{
    engine::sql::{Builder, Connection, Engine},
    error::{Error, Result},
};

/// Initial and maximum number of reports read at once.
const FIRST_READ: usize = 64;
const MAX_READ: usize = 8_192;

/// Report that matches the SQL conditions. Names are only read if the selection needs them.
#[derive(Deserialize)]
pub(super) struct Candidate<'r> {
    pub seq: i64,
    pub day: i64,
    #[serde(borrow, default)]
    pub kind: Cow<'r, str>,
    #[serde(borrow, default)]
    pub id: Cow<'r, str>,
    #[serde(borrow, default)]
    pub city: Cow<'r, str>,
    #[serde(borrow, default)]
    pub region: Cow<'r, str>,
    #[serde(borrow, default)]
    pub country: Cow<'r, str>,
}

impl Candidate<'_> {
    pub(super) fn names(&self) -> [&str; 3] {
        [&self.country, &self.region, &self.city]
    }

    fn key(&self, order: Order) -> Key {
        order.key(self.day, self.seq)
    }
}

/// Columns of a [`Candidate`]: the key in the order of numbers, and of event dates; and all.
const NUMBER: &str = "seq, 0";
const DAY: &str = "seq, event_day";
const NAMES: &str = "seq, event_day, type, id, city, region, country";

/// Walk along the reports of one status, or of all, within a range of numbers. All reports are only
/// walked along in the order of their numbers, and so are approved ones.
pub(super) struct Walk<'s> {
    pub status: Option<Status>,
    pub range: RangeInclusive<i64>,
    pub selection: &'s Selection,
    pub order: Order,
    /// Place in the order after which the walk starts.
    pub after: Option<Key>,
    /// Maximum number of reports examined.
    pub most: usize,
}

/// Progress of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Walked {
    /// Whether there may be more reports.
    pub more: bool,
    pub examined: usize,
    /// Last report examined.
    pub last: Option<Key>,
}

impl Walk<'_> {
    /// Calls `found` with each matching report, until it returns `false`.
    pub(super) async fn each(
        &self,
        tx: &mut Connection,
        names: &mut NameMatch<'_>,
        mut found: impl FnMut(Key) -> bool,
    ) -> Result<Walked> {
        let mut walked = Walked { more: false, examined: 0, last: None };
        let (mut after, mut most) = (self.after, FIRST_READ);
        let columns = match names.is_asked() {
            true => NAMES,
            false if self.order.is_by_event() => DAY,
            false => NUMBER,
        };
        loop {
            let mut query = rows(tx.engine(), columns);
            self.query(&mut query, tx.engine(), columns, after);
            query.push(" LIMIT ").push_bind(i64::try_from(most).unwrap_or(i64::MAX));
            let text = read(tx, query).await?;
            let mut candidates = parse(&text)?;
            candidates
                .sort_unstable_by(|a, b| self.order.compare(a.key(self.order), b.key(self.order)));
            for candidate in &candidates {
                if walked.examined == self.most {
                    walked.more = true;
                    return Ok(walked);
                }
                walked.examined += 1;
                let key = candidate.key(self.order);
                walked.last = Some(key);
                if names.matches(&candidate.id, candidate.names()) && !found(key) {
                    walked.more = true;
                    return Ok(walked);
                }
            }
            match candidates.last().filter(|_| candidates.len() == most) {
                None => return Ok(walked),
                Some(last) => after = Some(last.key(self.order)),
            }
            most = (most * 4).min(MAX_READ);
        }
    }

    /// Appends the query for the reports, in the order of the walk. Uses an index or the table
    /// itself, both of which have this order, so the query never sorts. It never reads reports of
    /// another status unless there are few of them.
    pub(super) fn query(
        &self,
        query: &mut Builder,
        engine: Engine,
        columns: &str,
        after: Option<Key>,
    ) {
        query.push("SELECT ").push(columns).push(" FROM reports ");
        match self.status {
            None => query.push(engine.not_indexed()).push(" WHERE TRUE"),
            Some(Status::Approved) => {
                query.push(engine.not_indexed()).push(" WHERE status = 'APPROVED'")
            }
            Some(status) => {
                let by_event = self.order.is_by_event();
                let index = if by_event { "reports_by_day" } else { "reports_not_approved" };
                query.push(&engine.indexed_by(index)).push(" WHERE");
                push_not_approved(query, status)
            }
        };
        let (mut first, mut last) = (*self.range.start(), *self.range.end());
        match after {
            Some(Key { day, seq }) if self.order.is_by_event() => {
                let (day_ends, seq_ends) = match self.order.is_descending() {
                    true => (" AND event_day <= ", " AND (event_day < "),
                    false => (" AND event_day >= ", " AND (event_day > "),
                };
                query.push(day_ends).push_bind(day).push(seq_ends).push_bind(day);
                query.push(if self.order.is_descending() { " OR seq < " } else { " OR seq > " });
                query.push_bind(seq).push(")");
            }
            Some(Key { seq, .. }) if self.order.is_descending() => last = last.min(seq - 1),
            Some(Key { seq, .. }) => first = first.max(seq + 1),
            None => {}
        }
        query.push(" AND seq BETWEEN ").push_bind(first).push(" AND ").push_bind(last);
        push_conditions(query, self.selection);
        query.push(match self.order {
            Order::OldestFirst => " ORDER BY seq",
            Order::NewestFirst => " ORDER BY seq DESC",
            Order::OldestEventFirst => " ORDER BY event_day, seq",
            Order::NewestEventFirst => " ORDER BY event_day DESC, seq DESC",
        });
    }
}

/// Appends the condition on a status other than approved.
fn push_not_approved(query: &mut Builder, status: Status) -> &mut Builder {
    // The indexes have the first condition too. Without it, the engine would not use them.
    query.push(" status <> 'APPROVED' AND status = ").push_bind(status.as_str())
}

/// Appends the conditions of a selection that SQL can check, except the status.
fn push_conditions(query: &mut Builder, selection: &Selection) {
    if let Some(kind) = selection.kind {
        query.push(" AND type = ").push_bind(kind.as_str());
    }
    if !selection.period.is_open() {
        let (from, to) = selection.period.ends();
        query.push(" AND event_day BETWEEN ").push_bind(day_number(from));
        query.push(" AND ").push_bind(day_number(to));
    }
    if let Some(before) = selection.before {
        query.push(" AND created_at < ").push_bind(before.timestamp_millis());
    }
}

/// Way to find a few reports without a walk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access<'a> {
    /// By their numbers.
    Numbers(&'a [RangeInclusive<i64>]),
    /// By the period of the selection; for statuses other than approved.
    Days,
    /// By the exact names of their places: country, region and city; for statuses other than
    /// approved.
    Places(&'a [[String; 3]]),
    /// By the beginning of their ids.
    IdsFrom(&'a [String]),
    Ids(&'a [String]),
}

/// Reads all reports of a status that this way finds and that match the SQL conditions of the
/// selection, as JSON; see [`parse`].
pub(super) async fn candidates(
    tx: &mut Connection,
    status: Status,
    selection: &Selection,
    access: Access<'_>,
) -> Result<String> {
    let engine = tx.engine();
    let mut query = rows(engine, NAMES);
    query_candidates(&mut query, engine, status, selection, access);
    read(tx, query).await
}

pub(super) fn query_candidates(
    query: &mut Builder,
    engine: Engine,
    status: Status,
    selection: &Selection,
    access: Access<'_>,
) {
    let indexed = |index: &str| engine.indexed_by(index);
    match access {
        Access::Days => {
            query.push("SELECT * FROM reports ").push(&indexed("reports_by_day")).push(" WHERE");
            push_not_approved(query, status);
        }
        Access::Places(places) => {
            query.push("WITH wanted (w_country, w_region, w_city) AS (");
            query.push_rows(places, |row, [country, region, city]| {
                row.bind(country.as_str()).bind(region.as_str()).bind(city.as_str())
            });
            query.push(") SELECT reports.* FROM wanted CROSS JOIN reports ");
            query.push(&indexed("reports_by_place")).push(" WHERE ");
            query.push(engine.same_place()).push(" AND");
            push_not_approved(query, status);
        }
        Access::Numbers(ranges) => {
            query.push("SELECT * FROM reports WHERE status = ").push_bind(status.as_str());
            let mut between = " AND (seq BETWEEN ";
            for range in ranges {
                query.push(between).push_bind(*range.start()).push(" AND ").push_bind(*range.end());
                between = " OR seq BETWEEN ";
            }
            query.push(if ranges.is_empty() { " AND FALSE" } else { ")" });
        }
        Access::IdsFrom(starts) => {
            query.push("SELECT * FROM reports WHERE status = ").push_bind(status.as_str());
            push_ids_from(query.push(" AND "), starts);
        }
        Access::Ids(ids) => {
            query.push("SELECT * FROM reports WHERE status = ").push_bind(status.as_str());
            query.push(" AND id IN (").push_rows(ids, |row, id| row.bind(id.as_str())).push(")");
        }
    }
    push_conditions(query, selection);
}

/// Returns the keys of the first reports of a status and of the period of a selection, in an order
/// of numbers, by sorting all of the period.
pub(super) async fn sorted(
    tx: &mut Connection,
    status: Status,
    selection: &Selection,
    order: Order,
    after: Option<Key>,
    most: usize,
) -> Result<Vec<Key>> {
    let mut query = Builder::new(tx.engine(), "");
    query_sorted(&mut query, tx.engine(), status, selection, order, after);
    query.push(" LIMIT ").push_bind(i64::try_from(most).unwrap_or(i64::MAX));
    let seqs: Vec<(i64,)> = query.build_as().fetch_all(tx).await?;
    Ok(seqs.into_iter().map(|(seq,)| order.key(0, seq)).collect())
}

fn query_sorted(
    query: &mut Builder,
    engine: Engine,
    status: Status,
    selection: &Selection,
    order: Order,
    after: Option<Key>,
) {
    query.push("SELECT seq FROM reports ").push(&engine.indexed_by("reports_by_day"));
    push_not_approved(query.push(" WHERE"), status);
    push_conditions(query, selection);
    if let Some(after) = after {
        query.push(if order.is_descending() { " AND seq < " } else { " AND seq > " });
        query.push_bind(after.seq);
    }
    query.push(if order.is_descending() { " ORDER BY seq DESC" } else { " ORDER BY seq" });
}

/// Appends the condition that an id begins with one of these texts.
pub(super) fn push_ids_from(query: &mut Builder, starts: &[String]) {
    let mut between = "(id >= ";
    for start in starts {
        query.push(between).push_bind(start.as_str());
        query.push(" AND id < ").push_bind(format!("{start}{}", char::MAX));
        between = " OR id >= ";
    }
    query.push(if starts.is_empty() { "FALSE" } else { ")" });
}

/// Begins a statement that reads rows as a single row: SQLite runs on a thread of its own, and
/// passing a row between threads takes several times as long as finding it.
fn rows(engine: Engine, columns: &str) -> Builder {
    Builder::new(engine, &["SELECT ", &*engine.rows_as_json(columns), " FROM ("].concat())
}

async fn read(tx: &mut Connection, mut rows: Builder) -> Result<String> {
    rows.push(") AS candidates");
    let (text,): (String,) = rows.build_as().fetch_one(tx).await?;
    Ok(text)
}

/// Parses rows.
pub(super) fn parse(rows: &str) -> Result<Vec<Candidate<'_>>> {
    serde_json::from_str(rows)
        .map_err(|error| Error::Damaged(format!("a report of the list ({error})")))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use model::ReportType;

    use super::*;
    use crate::{
        filter::{Period, PlaceFilter},
        testing::Scratch,
    };

    fn some() -> Selection {
        Selection {
            status: None,
            import: None,
            kind: Some(ReportType::Spirit),
            place: PlaceFilter::new(Some("Brazil"), None, None),
            period: Period { from: Some(DateTime::UNIX_EPOCH.date_naive()), to: None },
            before: Some(DateTime::UNIX_EPOCH),
            text: Some("a".to_owned()),
        }
    }

    #[tokio::test]
    async fn reports_are_walked_along_without_a_scan_of_the_table_and_without_a_sort() {
        let store = Scratch::sqlite().await;
        let (everything, some) = (Selection::default(), some());
        let by_number = "SEARCH reports USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
        let by_status = "(status=? AND rowid>? AND rowid<?)";
        let covered =
            format!("SEARCH reports USING COVERING INDEX reports_not_approved {by_status}");
        let indexed = format!("SEARCH reports USING INDEX reports_not_approved {by_status}");
        let by_day = "SEARCH reports USING COVERING INDEX reports_by_day (status=?)";
        let in_period =
            "SEARCH reports USING INDEX reports_by_day (status=? AND event_day>? AND event_day<?)";
        let arrival = [Order::OldestFirst, Order::NewestFirst];
        let event = [Order::OldestEventFirst, Order::NewestEventFirst];
        for (status, selection, columns, orders, expected) in [
            (None, &everything, NUMBER, arrival, by_number),
            (None, &some, NAMES, arrival, by_number),
            (Some(Status::Approved), &everything, NUMBER, arrival, by_number),
            (Some(Status::Approved), &some, NAMES, arrival, by_number),
            (Some(Status::Pending), &everything, NUMBER, arrival, &covered),
            (Some(Status::Rejected), &everything, NAMES, arrival, &indexed),
            (Some(Status::Withdrawn), &some, NAMES, arrival, &indexed),
            (Some(Status::Pending), &everything, DAY, event, by_day),
            (Some(Status::Withdrawn), &some, NAMES, event, in_period),
        ] {
            for order in orders {
                let walk = Walk { status, range: 1..=9, selection, order, after: None, most: 9 };
                let mut query = Builder::new(Engine::Sqlite, "");
                walk.query(&mut query, Engine::Sqlite, columns, None);
                let plan = store.plan(query.text()).await;
                assert_eq!(plan, [expected], "{status:?} {selection:?} {order:?}");
            }
        }
        let walk = Walk {
            status: Some(Status::Pending),
            range: 1..=9,
            selection: &everything,
            order: Order::NewestEventFirst,
            after: None,
            most: 9,
        };
        let mut query = Builder::new(Engine::Sqlite, "");
        walk.query(&mut query, Engine::Sqlite, DAY, Some(Key { day: 3, seq: 4 }));
        let plan = store.plan(query.text()).await;
        assert_eq!(
            plan,
            ["SEARCH reports USING COVERING INDEX reports_by_day (status=? AND event_day<?)"]
        );
    }

    #[tokio::test]
    async fn a_few_reports_are_found_by_the_indexes_for_them() {
        let store = Scratch::sqlite().await;
        let some = some();
        let names = [["Brazil", "", "Recife"].map(str::to_owned)];
        let ids = ["r-1".to_owned()];
        for (access, expected) in [
            (Access::Numbers(&[3..=9]), "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
            (Access::Days, "USING INDEX reports_by_day (status=? AND event_day>? AND event_day<?)"),
            (
                Access::Places(&names),
                "USING INDEX reports_by_place (status=? AND country=? AND region=? AND city=?)",
            ),
            (Access::IdsFrom(&ids), "USING INDEX sqlite_autoindex_reports_1 (id>? AND id<?)"),
            (Access::Ids(&ids), "USING INDEX sqlite_autoindex_reports_1 (id=?)"),
        ] {
            let mut query = Builder::new(Engine::Sqlite, "");
            query_candidates(&mut query, Engine::Sqlite, Status::Pending, &some, access);
            let plan = store.plan(query.text()).await.join(" ");
            assert!(plan.contains(expected), "{access:?}: {plan}");
        }
    }

    #[tokio::test]
    async fn only_the_numbers_of_a_period_are_sorted() {
        let store = Scratch::sqlite().await;
        let period = Selection { period: some().period, ..Selection::default() };
        let after = Some(Key { day: 0, seq: 4 });
        for order in [Order::OldestFirst, Order::NewestFirst] {
            let mut query = Builder::new(Engine::Sqlite, "");
            query_sorted(&mut query, Engine::Sqlite, Status::Pending, &period, order, after);
            let plan = store.plan(query.text()).await;
            let search = "SEARCH reports USING COVERING INDEX reports_by_day \
                          (status=? AND event_day>? AND event_day<?)";
            assert_eq!(plan, [search, "USE TEMP B-TREE FOR ORDER BY"], "{order:?}");
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
                 SELECT 'r' || i, 'water', CASE WHEN i % 100 = 0 THEN 'PENDING' ELSE 'APPROVED' END, 'Recife' || i, '',
                        'Brazil', 1, i % 4000, i, CASE WHEN i % 100 > 0 THEN i END, CASE WHEN i % 100 > 0 THEN 1 END
                 FROM generate_series(1, 20000) i",
            )
            .await;
        store.run("ANALYZE").await;
        let selection = &Selection::default();
        let orders = [
            Order::OldestFirst,
            Order::NewestFirst,
            Order::OldestEventFirst,
            Order::NewestEventFirst,
        ];
        for status in [None, Some(Status::Approved), Some(Status::Pending), Some(Status::Rejected)]
        {
            for order in orders
                .into_iter()
                .take(if status.is_none_or(|status| status == Status::Approved) { 2 } else { 4 })
            {
                let walk = Walk { status, range: 1..=9, selection, order, after: None, most: 9 };
                let mut query = Builder::new(Engine::Postgres, "");
                walk.query(&mut query, Engine::Postgres, NAMES, None);
                let read = store.tables_read_whole(query.text()).await;
                assert!(read.is_empty(), "{status:?} {order:?}: {read:?}");
            }
        }
    }
}
