//! List of reports for the operator: reports of any status, most recently added first.
//!
//! A list of one status is read by [`page`](super::page). A list of all reports is in the order of
//! their numbers, so it needs no sorting, and examines a limited number of them.

use std::collections::HashMap;

use base::time::{Timestamp, date_of_day};
use domain::{import_id::ImportId, report::Status};
use serde_json::json;

use super::{
    facets::ALL_TYPES,
    imports,
    name_match::NameMatch,
    report::{self, STORED_COLUMNS, StoredRow},
    select::ranges,
    selection::{Key, Order, Selection},
    walk::Walk,
};
use crate::{
    areas,
    counters::{grain::Span, metrics::counts},
    engine::sql::{self, Builder, Connection, RowValues},
    error::Result,
    places::place::WORLD,
    precondition::StateTag,
};
use sqlx::AssertSqlSafe;

/// Selection of reports for a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportList {
    pub selection: Selection,
    pub order: Order,
    /// Place in the order after which the list starts.
    pub after: Option<Key>,
    pub limit: u32,
    /// Maximum number of reports examined in a list of all statuses; `None` for no limit.
    pub most_examined: Option<usize>,
}

/// Part of a list. A part of a list of all statuses may have fewer reports than the limit, or none,
/// even if more follow, because the number of examined reports is limited.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub reports: Vec<ListedReport>,
    /// Place in the order after which the next part starts, if there is more.
    pub next: Option<Key>,
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

impl ListedReport {
    /// Identifies the state of the members that operators can change.
    pub fn tag(&self) -> StateTag {
        let Self { kind, status, city, region, country, .. } = self;
        let Self { people_count, event_date, position, .. } = self;
        StateTag::of(&json!([
            kind,
            status,
            city,
            region,
            country,
            people_count,
            event_date,
            position
        ]))
    }
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

/// Selects the numbers of reports that are pending, rejected and withdrawn. Grouping them would take
/// twice as long.
fn not_approved() -> String {
    let statuses = [Status::Pending, Status::Rejected, Status::Withdrawn];
    let sums = statuses.map(|status| {
        let status = status.as_str();
        format!("CAST(coalesce(sum({ALL_TYPES}) FILTER (WHERE status = '{status}'), 0) AS BIGINT)")
    });
    format!("SELECT {} FROM not_approved_counts", sums.join(", "))
}

impl areas::Reports<'_> {
    /// Returns a part of a list of reports. A list of all statuses is in the order in which they were
    /// added, or in reverse.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn list(self, list: &ReportList) -> Result<Listed> {
        if let Some(status) = list.selection.status {
            return self.of_status(status, list).await;
        }
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    // Reads one extra report to detect whether there are more.
                    let (keys, next) = found(tx, list, list.limit as usize + 1).await?;
                    let part = listed(tx, keys, list.limit).await?;
                    Ok(Listed { next: part.next.or(next), ..part })
                })
            })
            .await
    }

    /// Returns the report with this id, and the import that added it.
    pub async fn find(self, id: &str) -> Result<Option<(ListedReport, Option<ImportId>)>> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let Some(report) = with_id(tx, id).await? else { return Ok(None) };
                    let import = imports::of(tx, report.seq).await?;
                    Ok(Some((report, import)))
                })
            })
            .await
    }

    /// Returns the number of reports in a list without its limit; `None` if counting would take long.
    pub async fn total(self, list: &ReportList) -> Result<Option<u64>> {
        match list.selection.status {
            Some(status) => Ok(self.page_without_choices(status, list).await?.1),
            None if !list.selection.is_everything() => Ok(None),
            None => {
                let by_status = self.by_status().await?;
                Ok(Some(by_status.into_iter().map(|(_, count)| count).sum()))
            }
        }
    }

    /// Returns the number of reports of each status, in the order of [`Status::ALL`].
    pub async fn by_status(self) -> Result<[(Status, u64); 4]> {
        self.store
            .read(|tx| {
                Box::pin(async move {
                    let (pending, rejected, withdrawn): (i64, i64, i64) =
                        sql::query_as(sqlx::AssertSqlSafe(not_approved()))
                            .fetch_one(&mut *tx)
                            .await?;
                    let approved = counts(tx, &[WORLD], &Span::all_time()).await?.iter().sum();
                    Ok(Status::ALL.map(|status| {
                        let count: i64 = match status {
                            Status::Approved => approved,
                            Status::Pending => pending,
                            Status::Rejected => rejected,
                            Status::Withdrawn => withdrawn,
                        };
                        (status, count.cast_unsigned())
                    }))
                })
            })
            .await
    }

    /// Returns the number of pending reports.
    pub async fn pending(self) -> Result<u64> {
        let by_status = self.by_status().await?;
        let pending = by_status.into_iter().find(|(status, _)| *status == Status::Pending);
        Ok(pending.map_or(0, |(_, count)| count))
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

/// Reads the reports with these keys as a part of a list. There is one more than `limit` if the list
/// has more.
pub(crate) async fn listed(tx: &mut Connection, mut keys: Vec<Key>, limit: u32) -> Result<Listed> {
    let limit = limit as usize;
    let more = keys.len() > limit;
    keys.truncate(limit);
    let next = keys.last().copied().filter(|_| more);
    let seqs: Vec<i64> = keys.iter().map(|key| key.seq).collect();
    Ok(Listed { reports: numbered(tx, &seqs).await?, next })
}

/// Reads the report with this id.
pub(super) async fn with_id(tx: &mut Connection, id: &str) -> Result<Option<ListedReport>> {
    let row = sql::query_as(AssertSqlSafe(select("r.id = $1"))).bind(id);
    let row: Option<Row> = row.fetch_optional(tx).await?;
    row.map(report_of).transpose()
}

/// Reads the reports with these numbers, in the given order.
async fn numbered(tx: &mut Connection, seqs: &[i64]) -> Result<Vec<ListedReport>> {
    if seqs.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Builder::new(tx.engine(), &select("r.seq IN ("));
    sql.push_rows(seqs.iter().copied(), RowValues::bind).push(")");
    let mut rows: Vec<Row> = sql.build_as().fetch_all(tx).await?;
    let places: HashMap<i64, usize> = seqs.iter().copied().zip(0..).collect();
    rows.sort_unstable_by_key(|row| places.get(&row.seq).copied());
    rows.into_iter().map(report_of).collect()
}

/// Returns the keys of the first `most` reports of a list of all statuses. If there may be more,
/// also returns the key of the last report examined.
async fn found(
    tx: &mut Connection,
    list: &ReportList,
    most: usize,
) -> Result<(Vec<Key>, Option<Key>)> {
    let ReportList { selection, order, after, .. } = list;
    let (mut keys, mut last) = (Vec::new(), *after);
    let mut left = list.most_examined.unwrap_or(usize::MAX);
    let mut ranges = ranges(tx, selection).await?;
    if order.is_descending() {
        ranges.reverse();
    }
    let names = &mut NameMatch::of(selection);
    for range in ranges {
        let walk =
            Walk { status: None, range, selection, order: *order, after: *after, most: left };
        let walked = walk
            .each(tx, names, |key| {
                keys.push(key);
                keys.len() < most
            })
            .await?;
        last = walked.last.or(last);
        if walked.more {
            return Ok((keys, last));
        }
        left -= walked.examined;
    }
    Ok((keys, None))
}

fn report_of(row: Row) -> Result<ListedReport> {
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
