//! Corrections of reports of any status. For approved reports, they also update counts and lists and
//! notify partners. All corrections are applied here, whether of one report, of
//! [many](super::correct_many), or by undoing a correction.

use base::time::{day_number, parse_date};
use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    report::{NewReport, Status},
};
use geo::places::fold;
use model::ReportType;
use serde_json::{Map, Value, json};

use super::{
    list::with_id,
    publication::move_to,
    transition::{Candidate, named},
};
use crate::{
    areas,
    audit_log::Entry,
    counters::rollup::Counted,
    engine::{bulk, sql::Connection, transaction::Times},
    error::{Error, Result},
    events::outbox,
    list_index::{self, Entry as Listing},
    places::place::{self, Lineage, Spelling},
    precondition::Precondition,
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

/// A report with its corrected values.
pub(super) struct Correction {
    before: Candidate,
    after: NewReport,
    /// Old and new values of the members that differ.
    was: Map<String, Value>,
    is: Map<String, Value>,
}

impl Correction {
    /// Returns `None` if no member differs. The id and the time of creation are never changed.
    pub(super) fn of(before: Candidate, after: NewReport) -> Option<Self> {
        let (id, created_at) = (before.report.id.clone(), before.report.created_at);
        let after = NewReport { id, created_at, ..after };
        let (was, is) = difference(&before.report, &after);
        (!is.is_empty()).then_some(Self { before, after, was, is })
    }

    fn is_approved(&self) -> bool {
        self.before.status == Status::Approved
    }

    /// Whether the report has a place, because it is or was public.
    fn has_place(&self) -> bool {
        matches!(self.before.status, Status::Approved | Status::Withdrawn)
    }
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
                self.check_state(tx, id).await?;
                let after = match correct(&before.report) {
                    Ok(after) => after,
                    Err(refusal) => return Ok(Corrected::Refused(refusal)),
                };
                let Some(correction) = Correction::of(before, after) else {
                    return Ok(Corrected::Unchanged);
                };
                let corrections = [correction];
                self.replace(tx, &corrections, now).await?;
                self.note_corrections(tx, Action::Correct, &corrections, None, now).await?;
                Ok(Corrected::Now)
            })
        });
        Ok(done.await?.done)
    }

    /// Checks the condition of the store's handle on the report with this id.
    async fn check_state(self, tx: &mut Connection, id: &str) -> Result<()> {
        if self.store.precondition == Precondition::Exists {
            return Ok(());
        }
        match with_id(tx, id).await? {
            Some(report) => self.store.check_state(|| report.tag()),
            None => Ok(()),
        }
    }

    /// Writes corrected reports with everything that follows from them.
    pub(super) async fn replace(
        self,
        tx: &mut Connection,
        corrections: &[Correction],
        now: DateTime<Utc>,
    ) -> Result<()> {
        if corrections.is_empty() {
            return Ok(());
        }
        let (placed, others): (Vec<_>, Vec<_>) =
            corrections.iter().partition(|one| one.has_place());
        let spellings: Vec<Spelling<'_>> =
            placed.iter().map(|correction| (&correction.after).into()).collect();
        let lineages = place::resolve(tx, &spellings).await?;
        let mut rows: Vec<Row<'_>> = placed
            .into_iter()
            .zip(lineages)
            .map(|(correction, lineage)| Row { correction, place: Some(lineage), position: None })
            .collect();
        count_again(tx, &mut rows).await?;
        let unplaced = |correction| Row { correction, place: None, position: None };
        rows.extend(others.into_iter().map(unplaced));
        write(tx, &rows).await?;
        let updated: Vec<_> = corrections
            .iter()
            .filter(|one| one.is_approved())
            .map(|one| (&one.before.report, &one.after))
            .collect();
        if !updated.is_empty() {
            list_index::merge_small(tx).await?;
            outbox::write_updated(tx, &updated, now, &self.store.random).await?;
            version::revise(tx).await?;
            version::bump(tx, now).await?;
        }
        Ok(())
    }

    /// Writes corrections to the audit log, with one entry for all reports that had the same values
    /// and have the same ones now. Returns the number of the decision, which starts with the first
    /// entry unless it is given.
    pub(super) async fn note_corrections(
        self,
        tx: &mut Connection,
        action: Action,
        corrections: &[Correction],
        mut decision: Option<i64>,
        now: DateTime<Utc>,
    ) -> Result<Option<i64>> {
        let mut alike: Vec<(String, &Correction)> =
            corrections.iter().map(|one| (json!([one.was, one.is]).to_string(), one)).collect();
        alike.sort_by(|(a, one), (b, other)| a.cmp(b).then(one.before.seq.cmp(&other.before.seq)));
        for group in alike.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((_, first)) = group.first() else { continue };
            let seqs: Vec<i64> = group.iter().map(|(_, one)| one.before.seq).collect();
            let ids: Vec<&str> = group.iter().map(|(_, one)| &*one.after.id).collect();
            let entry = Entry {
                before: Some(first.was.clone().into()),
                after: Some(first.is.clone().into()),
                decision,
                ..Entry::of_reports(action, &seqs, &ids)
            };
            let number = self.store.note_numbered(tx, now, entry).await?;
            decision = decision.or(number);
        }
        Ok(decision)
    }
}

/// Row of a corrected report.
struct Row<'c> {
    correction: &'c Correction,
    place: Option<Lineage>,
    /// Position in the lists.
    position: Option<i64>,
}

/// Moves approved reports to their new places in counts and lists, and sets their positions.
async fn count_again(tx: &mut Connection, rows: &mut [Row<'_>]) -> Result<()> {
    let (mut counted, mut positions, mut listings) = (Vec::new(), Vec::new(), Vec::new());
    for Row { correction: Correction { before, after, .. }, place, .. } in &*rows {
        let (Status::Approved, Some(lineage)) = (before.status, *place) else { continue };
        let was = before.counted()?;
        // All fields are listed, so that a new one that a correction changes is not forgotten.
        let is = Counted {
            lineage,
            kind: after.kind,
            event_date: after.event_date,
            published_at: was.published_at,
        };
        counted.push(was);
        positions.extend(before.position);
        listings.push(Listing { id: &after.id, counted: is });
    }
    if listings.is_empty() {
        return Ok(());
    }
    let positions = move_to(tx, &counted, &positions, &listings).await?;
    let approved = rows.iter_mut().filter(|row| row.correction.is_approved());
    approved.zip(positions).for_each(|(row, position)| row.position = Some(position));
    Ok(())
}

async fn write(tx: &mut Connection, rows: &[Row<'_>]) -> Result<()> {
    bulk::insert(
        tx,
        "WITH corrected (seq, type, city, region, country, people_count, event_day, lat, lng, place_id, position,
                         city_key) AS (",
        ") UPDATE reports
           SET type = corrected.type,
               city = corrected.city,
               region = corrected.region,
               country = corrected.country,
               people_count = corrected.people_count,
               event_day = corrected.event_day,
               lat = corrected.lat,
               lng = corrected.lng,
               place_id = corrected.place_id,
               position = corrected.position,
               city_key = corrected.city_key
           FROM corrected WHERE reports.seq = corrected.seq",
        rows,
        |query, Row { correction: Correction { before, after, .. }, place, position }| {
            query
                .bind(before.seq)
                .bind(after.kind.as_str())
                .bind(after.city.as_str())
                .bind(after.region.as_str())
                .bind(after.country.as_str())
                .bind(i64::from(after.people_count))
                .bind(day_number(after.event_date))
                .bind(after.position.map(|(lat, _)| lat))
                .bind(after.position.map(|(_, lng)| lng))
                .bind(place.map(|place| place.city))
                .bind(*position)
                .bind(fold(&after.city))
        },
    )
    .await
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

/// Whether the report has these values of its members.
pub(super) fn has(report: &NewReport, values: &Map<String, Value>) -> bool {
    let members = members(report);
    let is = |current: &Value, value: &Value| match (current.as_f64(), value.as_f64()) {
        // A number that was written and read again may have another last digit.
        (Some(current), Some(value)) => (current - value).abs() < 1e-9,
        _ => current == value,
    };
    values.iter().all(|(name, value)| {
        members.iter().any(|(member, current)| member == name && is(current, value))
    })
}

/// Returns the report with earlier values of some members, as an entry of the audit log has them.
pub(super) fn with(report: &NewReport, values: &Map<String, Value>) -> Result<NewReport> {
    let damaged = || Error::Damaged(format!("a correction in the audit log ({values:?})"));
    let mut report = report.clone();
    let (mut lat, mut lng) = report.position.unzip();
    for (name, value) in values {
        let text = || value.as_str().map(str::to_owned).ok_or_else(damaged);
        match &**name {
            "type" => report.kind = ReportType::from_name(&text()?).ok_or_else(damaged)?,
            "city" => report.city = text()?,
            "region" => report.region = text()?,
            "country" => report.country = text()?,
            "peopleCount" => {
                let count = value.as_u64().and_then(|count| u32::try_from(count).ok());
                report.people_count = count.ok_or_else(damaged)?;
            }
            "eventDate" => report.event_date = parse_date(&text()?).ok_or_else(damaged)?,
            "lat" => lat = value.as_f64(),
            "lng" => lng = value.as_f64(),
            _ => return Err(damaged()),
        }
    }
    report.position = lat.zip(lng);
    Ok(report)
}
