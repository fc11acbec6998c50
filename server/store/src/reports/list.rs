//! List of reports for the operator: reports of any status, most recently added first.
//!
//! Lists are in the order of the reports' numbers, so they need no sorting and read only the
//! reports that they return. There is one exception: two approved reports may have any number of
//! other reports between them. No index contains the approved reports in this order, because every
//! import would have to write to it. A window of [`WINDOW`] numbers without approved reports is
//! therefore detected by the index of the other reports and skipped.

use std::{collections::HashMap, ops::RangeInclusive};

use base::time::{Timestamp, date_of_day};
use domain::{import_id::ImportId, report::Status};

use super::{
    imports,
    report::{self, STORED_COLUMNS, StoredRow},
    select::{Order, Scan, Selection, ranges},
};
use crate::{
    areas,
    counters::{grain::Span, metrics::counts},
    engine::sql::{self, Builder, Connection, RowValues},
    error::Result,
    places::place::WORLD,
};
use sqlx::AssertSqlSafe;

/// Number of reports per window in a list of approved reports.
const WINDOW: i64 = 10_000;
/// Maximum number of reports counted.
const MAX_COUNTED: u64 = 100_000;

/// Selection of reports for a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportList {
    pub selection: Selection,
    pub order: Order,
    /// Number of the report after which the list starts.
    pub after: Option<i64>,
    pub limit: u32,
    /// Maximum number of reports scanned; `None` for no limit.
    pub most_examined: Option<usize>,
}

/// Part of a list. It may have fewer reports than the limit, or none, even if more follow, because
/// the number of scanned reports is limited.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub reports: Vec<ListedReport>,
    /// Number of the report after which the next part starts, if there is more.
    pub next: Option<i64>,
}

/// Number of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    Exactly(u64),
    MoreThan(u64),
    /// Not counted, because counting would take long.
    Unknown,
}

/// A report of any status.
#[derive(Clone, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Report")]
pub struct ListedReport {
    /// Sequence number, used as the cursor of lists.
    #[serde(skip)]
    pub seq: i64,
    /// Id of the report.
    pub id: String,
    /// Kind of event.
    #[serde(rename = "type")]
    #[schemars(with = "model::ReportType")]
    pub kind: String,
    /// Status, as decided.
    pub status: Status,
    /// City as reported.
    pub city: String,
    /// Region as reported; empty if none was.
    pub region: String,
    /// Country as reported.
    pub country: String,
    /// Number of people.
    pub people_count: i64,
    /// Day of the event.
    pub event_date: String,
    /// Time of the report.
    pub created_at: Timestamp,
    /// Time of the first publication of a published or withdrawn report.
    pub published_at: Option<Timestamp>,
    /// Position, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// A position on the globe.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct Position {
    /// Latitude in degrees.
    pub lat: f64,
    /// Longitude in degrees.
    pub lng: f64,
}

/// Row of a report `r`.
#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    status: String,
    published_at: Option<i64>,
    #[sqlx(flatten)]
    report: StoredRow,
}

fn select(condition: &str) -> String {
    format!(
        "SELECT r.seq, r.status, r.published_at, {STORED_COLUMNS} FROM reports r WHERE {condition}"
    )
}

impl areas::Reports<'_> {
    /// Returns a part of a list of reports, in the order in which they were added or in reverse.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn list(self, list: &ReportList) -> Result<Listed> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let limit = list.limit as usize;
                    // Reads one extra report to detect whether there are more.
                    let (mut seqs, mut next) = found(tx, list, limit + 1).await?;
                    if seqs.len() > limit {
                        seqs.truncate(limit);
                        next = seqs.last().copied();
                    }
                    Ok(Listed { reports: numbered(tx, &seqs).await?, next })
                })
            })
            .await
    }

    /// Returns the report with this id, and the import that added it.
    pub async fn find(self, id: &str) -> Result<Option<(ListedReport, Option<ImportId>)>> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let row = sql::query_as(AssertSqlSafe(select("r.id = $1"))).bind(id);
                    let row: Option<Row> = row.fetch_optional(&mut **tx).await?;
                    let Some(row) = row else { return Ok(None) };
                    let import = imports::of(tx, row.seq).await?;
                    Ok(Some((listed(row)?, import)))
                })
            })
            .await
    }

    /// Returns the number of reports in a list without its limit.
    pub async fn total(self, list: &ReportList) -> Result<Total> {
        if !list.selection.is_everything() {
            return Ok(Total::Unknown);
        }
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    Ok(match list.selection.status {
                        Some(Status::Approved) => Total::Exactly(approved(tx).await?),
                        Some(status) => up_to(count(tx, &[status]).await?, 0),
                        None => up_to(count(tx, &NOT_APPROVED).await?, approved(tx).await?),
                    })
                })
            })
            .await
    }

    /// Returns the number of pending reports, at most 100,001.
    pub async fn pending(self) -> Result<u64> {
        count(&mut self.store.readers.begin_read().await?, &[Status::Pending]).await
    }

    /// Returns a version of all lists. It changes when a report is added, and with every entry of
    /// the audit log, so with every decision and correction.
    pub async fn lists_version(self) -> Result<String> {
        let sql = "SELECT (SELECT coalesce(max(seq), 0) FROM reports),
                          (SELECT coalesce(max(seq), 0) FROM audit_log)";
        let (report, entry): (i64, i64) = sql::query_as(sql).fetch_one(&self.store.readers).await?;
        Ok(format!("{report}-{entry}"))
    }

    /// Whether there are no reports.
    pub async fn is_empty(self) -> Result<bool> {
        let any: Option<i64> = sql::query_scalar("SELECT seq FROM reports LIMIT 1")
            .fetch_optional(&self.store.readers)
            .await?;
        Ok(any.is_none())
    }
}

const NOT_APPROVED: [Status; 3] = [Status::Pending, Status::Rejected, Status::Withdrawn];

/// Reads the reports with these numbers, in the given order.
pub(crate) async fn numbered(tx: &mut Connection, seqs: &[i64]) -> Result<Vec<ListedReport>> {
    if seqs.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Builder::new(tx.engine(), &select("r.seq IN ("));
    sql.push_rows(seqs.iter().copied(), RowValues::bind).push(")");
    let mut rows: Vec<Row> = sql.build_as().fetch_all(tx).await?;
    let places: HashMap<i64, usize> = seqs.iter().copied().zip(0..).collect();
    rows.sort_unstable_by_key(|row| places.get(&row.seq).copied());
    rows.into_iter().map(listed).collect()
}

/// Returns the numbers of the first `most` reports of a list. If there may be more, also returns
/// the number of the last report scanned.
async fn found(
    tx: &mut Connection,
    list: &ReportList,
    most: usize,
) -> Result<(Vec<i64>, Option<i64>)> {
    let (mut seqs, mut last, order) = (Vec::new(), list.after, list.order);
    let mut left = list.most_examined.unwrap_or(usize::MAX);
    let mut ranges = ranges(tx, &list.selection).await?;
    if order == Order::NewestFirst {
        ranges.reverse();
    }
    for range in ranges.into_iter().filter_map(|range| list.rest_of(range)) {
        let approved_only = list.selection.status == Some(Status::Approved);
        let mut windows = if approved_only { windows(range).collect() } else { vec![range] };
        if order == Order::OldestFirst {
            windows.reverse();
        }
        for range in windows {
            if approved_only && nothing_is_approved(tx, &range).await? {
                continue;
            }
            let (status, selection) = (list.selection.status, &list.selection);
            let scan = Scan { status, range, selection, order, most: left };
            let scanned = scan
                .each(tx, |seq| {
                    seqs.push(seq);
                    seqs.len() < most
                })
                .await?;
            last = scanned.last.or(last);
            if scanned.more {
                return Ok((seqs, last));
            }
            left -= scanned.examined;
        }
    }
    Ok((seqs, None))
}

impl ReportList {
    /// Returns the part of a range that follows the cursor of the list.
    fn rest_of(&self, range: RangeInclusive<i64>) -> Option<RangeInclusive<i64>> {
        let (first, last) = range.into_inner();
        let (first, last) = match (self.after, self.order) {
            (None, _) => (first, last),
            (Some(after), Order::NewestFirst) => (first, last.min(after - 1)),
            (Some(after), Order::OldestFirst) => (first.max(after + 1), last),
        };
        (first <= last).then_some(first..=last)
    }
}

/// Splits a range into windows, last window first.
fn windows(range: RangeInclusive<i64>) -> impl Iterator<Item = RangeInclusive<i64>> {
    let (first, last) = range.into_inner();
    let ends = std::iter::successors(Some(last), |end| Some(end - WINDOW));
    ends.take_while(move |end| *end >= first).map(move |end| first.max(end - WINDOW + 1)..=end)
}

async fn nothing_is_approved(tx: &mut Connection, range: &RangeInclusive<i64>) -> Result<bool> {
    let sql = format!(
        "SELECT count(*) FROM reports {}
         WHERE status <> 'APPROVED' AND status IN ('PENDING', 'REJECTED', 'WITHDRAWN')
           AND seq BETWEEN $1 AND $2",
        tx.engine().indexed_by("reports_not_approved"),
    );
    let others: i64 = sql::query_scalar(AssertSqlSafe(sql))
        .bind(*range.start())
        .bind(*range.end())
        .fetch_one(tx)
        .await?;
    Ok(others == range.end() - range.start() + 1)
}

/// Counts the reports with these statuses, which must not include approved. Stops at
/// [`MAX_COUNTED`] + 1 per status.
async fn count(tx: &mut Connection, statuses: &[Status]) -> Result<u64> {
    let mut sum = 0;
    for status in statuses {
        let sql = format!(
            "SELECT count(*) FROM
                 (SELECT 1 FROM reports {}
                  WHERE status <> 'APPROVED' AND status = $1 LIMIT $2) AS counted",
            tx.engine().indexed_by("reports_not_approved"),
        );
        let counted: i64 = sql::query_scalar(AssertSqlSafe(sql))
            .bind(status.as_str())
            .bind(MAX_COUNTED.cast_signed() + 1)
            .fetch_one(&mut *tx)
            .await?;
        sum += counted.cast_unsigned();
    }
    Ok(sum)
}

async fn approved(tx: &mut Connection) -> Result<u64> {
    let by_type = counts(tx, &[WORLD], &Span::all_time()).await?;
    Ok(by_type.iter().sum::<i64>().cast_unsigned())
}

fn up_to(counted: u64, others: u64) -> Total {
    if counted > MAX_COUNTED {
        Total::MoreThan(MAX_COUNTED + others)
    } else {
        Total::Exactly(counted + others)
    }
}

fn listed(row: Row) -> Result<ListedReport> {
    let report = row.report;
    let status = report::status(&row.status)?;
    Ok(ListedReport {
        seq: row.seq,
        status,
        published_at: row
            .published_at
            .filter(|_| matches!(status, Status::Approved | Status::Withdrawn))
            .map(Timestamp::from_millis),
        id: report.id,
        kind: report.kind,
        city: report.city,
        region: report.region,
        country: report.country,
        people_count: report.people_count,
        event_date: date_of_day(report.event_day).to_string(),
        created_at: Timestamp::from_millis(report.created_at),
        position: report.lat.zip(report.lng).map(|(lat, lng)| Position { lat, lng }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_a_range_from_its_end_and_no_number_twice() {
        for (range, expected) in [
            (5..=5, vec![5..=5]),
            (1..=10_000, vec![1..=10_000]),
            (0..=10_000, vec![1..=10_000, 0..=0]),
            (7..=25_000, vec![15_001..=25_000, 5_001..=15_000, 7..=5_000]),
        ] {
            assert_eq!(windows(range).collect::<Vec<_>>(), expected);
        }
    }
}
