//! Correction of a report of any status. For an approved report, this also updates counts and lists
//! and notifies partners.

use base::time::day_number;
use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    report::{NewReport, Status},
};
use geo::places::fold;
use serde_json::{Map, Value, json};

use super::{
    publication::move_to,
    transition::{Candidate, named},
};
use crate::{
    areas,
    audit_log::Entry,
    counters::rollup::Counted,
    engine::{
        sql::{self, Connection},
        transaction::Times,
    },
    error::Result,
    events::outbox,
    list_index::{self, Entry as Listing},
    places::place::{self, Lineage},
    version,
};

/// Result of a correction.
#[derive(Clone, Debug, PartialEq)]
pub enum Corrected<E> {
    Now,
    /// The report already has these values.
    Unchanged,
    /// No report has this id.
    Unknown,
    /// The correction was rejected for this reason, and the report is unchanged.
    Refused(E),
}

impl areas::Reports<'_> {
    /// Replaces the report with this id by the result of `correct`, but keeps its id. The time of
    /// creation is never changed.
    pub async fn correct<E: Send>(
        self,
        id: &str,
        correct: impl Fn(&NewReport) -> std::result::Result<NewReport, E> + Send + Sync,
    ) -> Result<Corrected<E>> {
        let (ids, correct) = ([id.to_owned()], &correct);
        let ids = &ids;
        let done = self.store.write_reports(1, move |tx, Times { now, .. }| {
            Box::pin(async move {
                let Some(before) = named(tx, ids).await?.pop() else {
                    return Ok(Corrected::Unknown);
                };
                let after = match correct(&before.report) {
                    Ok(after) => NewReport { id: before.report.id.clone(), ..after },
                    Err(refusal) => return Ok(Corrected::Refused(refusal)),
                };
                let (was, is) = difference(&before.report, &after);
                if is.is_empty() {
                    return Ok(Corrected::Unchanged);
                }
                self.replace(tx, &before, &after, now).await?;
                let entry = Entry {
                    action: Action::Correct,
                    subject: before.report.id.to_string(),
                    reports: &[before.seq],
                    before: Some(was.into()),
                    after: Some(is.into()),
                    decision: None,
                };
                self.store.note(tx, now, entry).await?;
                Ok(Corrected::Now)
            })
        });
        Ok(done.await?.done)
    }

    async fn replace(
        self,
        tx: &mut Connection,
        before: &Candidate,
        after: &NewReport,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let mut position = None;
        let mut city = None;
        if matches!(before.status, Status::Approved | Status::Withdrawn)
            && let [lineage] = place::resolve(tx, &[after.into()]).await?[..]
        {
            city = Some(lineage.city);
            if before.status == Status::Approved {
                position = count_again(tx, before, after, lineage).await?;
            }
        }
        write(tx, before.seq, after, city, position).await?;
        if before.status == Status::Approved {
            list_index::merge_small(tx).await?;
            outbox::write_updated(tx, &before.report, after, now, &self.store.random).await?;
            version::revise(tx).await?;
            version::bump(tx, now).await?;
        }
        Ok(())
    }
}

/// Moves an approved report to its new place in counts and lists. Returns its new position in the
/// lists.
async fn count_again(
    tx: &mut Connection,
    before: &Candidate,
    after: &NewReport,
    lineage: Lineage,
) -> Result<Option<i64>> {
    let was = before.counted()?;
    // All fields are listed, so that a new one that a correction changes is not forgotten.
    let is = Counted {
        lineage,
        kind: after.kind,
        event_date: after.event_date,
        published_at: was.published_at,
    };
    let listing = Listing { id: &after.id, counted: is };
    let positions = move_to(tx, &[was], before.position.as_slice(), &[listing]).await?;
    Ok(positions.first().copied())
}

async fn write(
    tx: &mut Connection,
    seq: i64,
    report: &NewReport,
    place: Option<i64>,
    position: Option<i64>,
) -> Result<()> {
    let sql =
        "UPDATE reports SET type = $2, city = $3, region = $4, country = $5, people_count = $6,
             event_day = $7, lat = $8, lng = $9, place_id = $10, position = $11, city_key = $12
         WHERE seq = $1";
    sql::query(sql)
        .bind(seq)
        .bind(report.kind.as_str())
        .bind(report.city.as_str())
        .bind(report.region.as_str())
        .bind(report.country.as_str())
        .bind(i64::from(report.people_count))
        .bind(day_number(report.event_date))
        .bind(report.position.map(|(lat, _)| lat))
        .bind(report.position.map(|(_, lng)| lng))
        .bind(place)
        .bind(position)
        .bind(fold(&report.city))
        .execute(tx)
        .await?;
    Ok(())
}

/// Returns the old and new values of the members that differ.
fn difference(before: &NewReport, after: &NewReport) -> (Map<String, Value>, Map<String, Value>) {
    let (mut was, mut is) = (Map::new(), Map::new());
    for ((name, before), (_, after)) in members(before).into_iter().zip(members(after)) {
        if before != after {
            was.insert(name.to_owned(), before);
            is.insert(name.to_owned(), after);
        }
    }
    (was, is)
}

fn members(report: &NewReport) -> [(&'static str, Value); 8] {
    [
        ("type", json!(report.kind.as_str())),
        ("city", json!(report.city)),
        ("region", json!(report.region)),
        ("country", json!(report.country)),
        ("peopleCount", json!(report.people_count)),
        ("eventDate", json!(report.event_date.to_string())),
        ("lat", json!(report.position.map(|(lat, _)| lat))),
        ("lng", json!(report.position.map(|(_, lng)| lng))),
    ]
}
