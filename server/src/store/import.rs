use std::collections::HashMap;

use chrono::{DateTime, Utc};
use futures_util::future::join;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    Store, bulk,
    error::Result,
    outbox::{Outbox, Published},
    place::{self, Spelling},
    report::{self, NewReport, Status},
    rollup::{Counted, Tally},
    version,
};
use crate::time::{date_of_day, day_number, instant_of_millis};

/// What becomes of imported reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They wait for a decision.
    Pending,
    /// They are published now, and those who asked are told.
    Approve,
    /// They are published as history: `publishedAt` is `createdAt`, and nobody is told.
    Backfill,
    /// Nothing is written; the outcomes are those of an import.
    DryRun,
}

/// What became of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOutcome {
    Imported,
    /// The same id with the same content was there.
    Skipped,
    /// The same id with other content was there; the field is the first that differs.
    Conflict {
        field: &'static str,
    },
}

/// The outcomes of a batch, in the order of its rows.
pub type Imported = Vec<RowOutcome>;

impl Store {
    /// Imports a batch in one transaction: all of its good rows are there afterwards, or, after a
    /// crash, none. Rows that are there already are skipped, so that a rerun adds nothing.
    pub async fn import(
        &self,
        rows: &[NewReport],
        mode: Mode,
        now: DateTime<Utc>,
    ) -> Result<Imported> {
        if mode == Mode::DryRun {
            let mut tx = self.read().await?;
            return Ok(compare(&mut tx, rows).await?.0);
        }
        let mut tx = self.write().await?;
        let (outcomes, fresh) = compare(&mut tx, rows).await?;
        if fresh.is_empty() {
            return Ok(outcomes);
        }
        match mode {
            Mode::Pending | Mode::DryRun => {
                let unpublished: Vec<_> = fresh.into_iter().map(|report| (report, None)).collect();
                insert(&mut tx, &unpublished).await?;
            }
            Mode::Backfill => {
                let published = placed(&mut tx, fresh, |report| report.created_at).await?;
                insert_published(&mut tx, &published).await?;
                version::move_on(&mut tx).await?;
            }
            Mode::Approve => {
                let published_at = |report: &NewReport| now.max(report.created_at);
                let published = placed(&mut tx, fresh, published_at).await?;
                let told: Vec<Published<'_>> = published.iter().filter_map(told).collect();
                let counted: Vec<Counted> = told.iter().map(|report| report.counted).collect();
                let outbox = Outbox::open(&mut tx, &counted, now.date_naive()).await?;
                insert_published(&mut tx, &published).await?;
                outbox.write(&mut tx, &told, now, &self.random).await?;
                version::move_on(&mut tx).await?;
            }
        }
        tx.commit().await?;
        Ok(outcomes)
    }
}

/// Sets every row against what is stored and against the rows before it; returns the outcomes and
/// the rows to insert.
async fn compare<'r>(
    tx: &mut SqliteConnection,
    rows: &'r [NewReport],
) -> Result<(Imported, Vec<&'r NewReport>)> {
    let stored = find(tx, rows).await?;
    let mut earlier: HashMap<&str, &NewReport> = HashMap::with_capacity(rows.len());
    let mut fresh = Vec::with_capacity(rows.len());
    let mut outcomes = Vec::with_capacity(rows.len());
    for row in rows {
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

impl NewReport {
    /// The first field in which this row says something else than `known`. What the row does not
    /// say (a date left to its default) differs from nothing.
    pub fn first_difference(&self, known: &NewReport) -> Option<&'static str> {
        let differs = [
            ("type", self.kind != known.kind),
            ("city", self.city != known.city),
            ("region", self.region != known.region),
            ("country", self.country != known.country),
            ("peopleCount", self.people_count != known.people_count),
            ("eventDate", self.event_date_given && self.event_date != known.event_date),
            ("createdAt", self.created_at_given && self.created_at != known.created_at),
            ("lat", self.position != known.position),
        ];
        differs.into_iter().find(|(_, differs)| *differs).map(|(field, _)| field)
    }
}

async fn find(tx: &mut SqliteConnection, rows: &[NewReport]) -> Result<HashMap<String, NewReport>> {
    bulk::select_matching(
        tx,
        "SELECT id, type, city, region, country, people_count, event_day, created_at, lat, lng
         FROM reports WHERE id",
        1,
        rows,
        |query, row| query.bind(row.id.clone()),
    )
    .await?
    .iter()
    .map(|row| {
        let report = stored_report(row)?;
        Ok((report.id.clone(), report))
    })
    .collect()
}

fn stored_report(row: &SqliteRow) -> Result<NewReport> {
    let position: (Option<f64>, Option<f64>) = (row.try_get(8)?, row.try_get(9)?);
    Ok(NewReport {
        id: row.try_get(0)?,
        kind: report::kind(row.try_get(1)?)?,
        city: row.try_get(2)?,
        region: row.try_get(3)?,
        country: row.try_get(4)?,
        people_count: report::people_count(row.try_get(5)?)?,
        event_date: date_of_day(row.try_get(6)?),
        created_at: instant_of_millis(row.try_get(7)?),
        event_date_given: true,
        created_at_given: true,
        position: position.0.zip(position.1),
    })
}

/// A report to insert, with how it counts if it is published.
type Placed<'r> = (&'r NewReport, Option<Counted>);

/// Finds or makes the places of `reports`.
async fn placed<'r>(
    tx: &mut SqliteConnection,
    reports: Vec<&'r NewReport>,
    published_at: impl Fn(&NewReport) -> DateTime<Utc>,
) -> Result<Vec<Placed<'r>>> {
    let spellings: Vec<Spelling<'_>> = reports
        .iter()
        .map(|report| Spelling {
            country: &report.country,
            region: &report.region,
            city: &report.city,
        })
        .collect();
    let lineages = place::resolve(tx, &spellings).await?;
    let counted = |(report, lineage): (&'r NewReport, _)| {
        let counted = Counted {
            lineage,
            kind: report.kind,
            event_date: report.event_date,
            published_at: published_at(report),
        };
        (report, Some(counted))
    };
    Ok(reports.into_iter().zip(lineages).map(counted).collect())
}

fn told<'r>((report, counted): &Placed<'r>) -> Option<Published<'r>> {
    Some(Published {
        id: &report.id,
        city: &report.city,
        country: &report.country,
        people_count: report.people_count,
        created_at: report.created_at.timestamp_millis(),
        counted: (*counted)?,
    })
}

async fn insert_published(tx: &mut SqliteConnection, published: &[Placed<'_>]) -> Result<()> {
    let counted: Vec<Counted> = published.iter().filter_map(|(_, counted)| *counted).collect();
    // Tallied while the engine, on its own thread, inserts.
    let (inserted, tally) = join(insert(tx, published), async { Tally::of(&counted) }).await;
    inserted?;
    tally?.count_in(tx).await
}

async fn insert(tx: &mut SqliteConnection, reports: &[Placed<'_>]) -> Result<()> {
    bulk::insert(
        tx,
        "INSERT INTO reports (id, type, status, city, region, country, people_count, event_day,
                              created_at, published_at, place_id, lat, lng)",
        13,
        "",
        reports,
        |query, (report, counted)| {
            let status = if counted.is_some() { Status::Approved } else { Status::Pending };
            query
                .bind(report.id.clone())
                .bind(report.kind.as_str())
                .bind(status.as_str())
                .bind(report.city.clone())
                .bind(report.region.clone())
                .bind(report.country.clone())
                .bind(i64::from(report.people_count))
                .bind(day_number(report.event_date))
                .bind(report.created_at.timestamp_millis())
                .bind(counted.map(|counted| counted.published_at.timestamp_millis()))
                .bind(counted.map(|counted| counted.lineage.city))
                .bind(report.position.map(|(lat, _)| lat))
                .bind(report.position.map(|(_, lng)| lng))
        },
    )
    .await
}
