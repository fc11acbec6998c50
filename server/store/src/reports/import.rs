use std::collections::HashMap;

use base::time::day_number;
use domain::{
    import_id::ImportId,
    report::{NewReport, Status},
    report_id::ReportId,
};
use geo::places::fold;

use super::{
    import_mode::{Imported, Mode, RowOutcome},
    imports,
    publication::{Occasion, Rows, publish},
    report::{self, StoredRow},
};
use crate::{
    areas,
    counters::rollup::Counted,
    engine::{bulk, sql::Connection, transaction::Timed},
    error::Result,
    events::outbox,
};

impl areas::Reports<'_> {
    /// Imports rows in one transaction, so a crash leaves all valid rows or none. Skips rows that
    /// are already stored, so repeating an import adds nothing.
    pub async fn import(self, rows: &[NewReport], mode: Mode) -> Result<Imported> {
        if mode == Mode::DryRun {
            return self
                .store
                .read(move |tx| Box::pin(async move { Ok(compare(tx, rows, usize::MAX).await?.0) }))
                .await;
        }
        Ok(self.import_some(None, rows, usize::MAX, mode).await?.done)
    }

    /// Imports the first of `rows`, until `most` are imported. Returns an outcome for each row
    /// read.
    pub(super) async fn import_some(
        self,
        import: Option<ImportId>,
        rows: &[NewReport],
        most: usize,
        mode: Mode,
    ) -> Result<Timed<Imported>> {
        let random = &self.store.random;
        self.store
            .write_reports(rows.len().min(most), move |tx, times| {
                Box::pin(async move {
                    let (outcomes, fresh) = compare(tx, rows, most).await?;
                    let inserted = fresh.len();
                    if fresh.is_empty() {
                        return Ok(outcomes);
                    }
                    match mode {
                        Mode::Pending | Mode::DryRun => {
                            let pending: Vec<_> =
                                fresh.iter().map(|report| (*report, None)).collect();
                            insert(tx, &pending).await?;
                            let fresh = fresh.into_iter();
                            outbox::write_pending(tx, fresh, times.now, random).await?;
                        }
                        Mode::Backfill => {
                            publish(tx, &fresh, Rows::New, Occasion::History, times).await?;
                        }
                        Mode::Approve => {
                            publish(tx, &fresh, Rows::New, Occasion::News { random }, times)
                                .await?;
                        }
                    }
                    if let Some(import) = import {
                        imports::add(tx, import, inserted).await?;
                    }
                    Ok(outcomes)
                })
            })
            .await
    }
}

/// Compares rows with stored reports and with earlier rows, until `most` are to be inserted.
/// Returns the outcomes and the rows to insert.
async fn compare<'r>(
    tx: &mut Connection,
    rows: &'r [NewReport],
    most: usize,
) -> Result<(Imported, Vec<&'r NewReport>)> {
    let stored = find(tx, rows).await?;
    let mut earlier: HashMap<&str, &NewReport> = HashMap::with_capacity(rows.len());
    let mut fresh = Vec::with_capacity(rows.len());
    let mut outcomes = Vec::with_capacity(rows.len());
    for row in rows {
        if fresh.len() == most {
            break;
        }
        let known = stored.get(&row.id).or_else(|| earlier.get(row.id.as_str()).copied());
        outcomes.push(match known {
            None => {
                earlier.insert(&row.id, row);
                fresh.push(row);
                RowOutcome::Imported
            }
            Some(known) => match row.first_difference(known) {
                None => RowOutcome::Skipped,
                Some(field) => RowOutcome::Conflict { field },
            },
        });
    }
    Ok((outcomes, fresh))
}

async fn find(tx: &mut Connection, rows: &[NewReport]) -> Result<HashMap<ReportId, NewReport>> {
    let sql = format!("SELECT {} FROM reports r WHERE r.id", report::STORED_COLUMNS);
    // In the order of the index, so that each of its pages is visited once.
    let mut ids: Vec<&ReportId> = rows.iter().map(|row| &row.id).collect();
    ids.sort_unstable();
    let stored: Vec<StoredRow> =
        bulk::select_matching(tx, &sql, &ids, |query, id| query.bind(id.to_string())).await?;
    let reports = stored.into_iter().map(NewReport::try_from);
    reports.map(|report| report.map(|report| (report.id.clone(), report))).collect()
}

/// Report to insert. If it is published, also its values for the counters and its position in the
/// lists.
type Row<'r> = (&'r NewReport, Option<(Counted, i64)>);

pub(super) async fn insert(tx: &mut Connection, reports: &[Row<'_>]) -> Result<()> {
    bulk::insert(
        tx,
        "INSERT INTO reports (id, type, status, city, region, country, people_count, event_day,
                              created_at, published_at, place_id, position, lat, lng, city_key)",
        "",
        reports,
        |query, (report, published)| {
            let status = if published.is_some() { Status::Approved } else { Status::Pending };
            query
                .bind(report.id.to_string())
                .bind(report.kind.as_str())
                .bind(status.as_str())
                .bind(report.city.as_str())
                .bind(report.region.as_str())
                .bind(report.country.as_str())
                .bind(i64::from(report.people_count))
                .bind(day_number(report.event_date))
                .bind(report.created_at.timestamp_millis())
                .bind(published.map(|(counted, _)| counted.published_at.timestamp_millis()))
                .bind(published.map(|(counted, _)| counted.lineage.city))
                .bind(published.map(|(_, position)| position))
                .bind(report.position.map(|(lat, _)| lat))
                .bind(report.position.map(|(_, lng)| lng))
                .bind(fold(&report.city))
        },
    )
    .await
}
