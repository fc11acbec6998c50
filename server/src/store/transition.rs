//! The steps of a report's life. Each one loads the reports asked for, does the permitted, and says
//! for every other id why not.

use std::collections::HashMap;

use app::model::ReportType;
use sqlx::{Row, SqliteConnection};

use super::{
    bulk,
    error::Result,
    place::{Lineage, Spelling},
    report::{self, Status},
};

/// What became of one id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    Done,
    /// No report has this id.
    Unknown,
    /// From `is` no step leads to `asked`.
    Refused {
        is: Status,
        asked: Status,
    },
}

/// The ids asked for, each once, in their order, with what became of them.
pub type Decisions = Vec<(String, Decision)>;

/// A report as a step needs it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub seq: i64,
    pub id: String,
    pub status: Status,
    pub kind: ReportType,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people_count: i64,
    pub event_day: i64,
    pub created_at: i64,
    pub published_at: Option<i64>,
    /// Known once published.
    pub lineage: Option<Lineage>,
}

impl Candidate {
    pub(super) fn spelling(&self) -> Spelling<'_> {
        Spelling { country: &self.country, region: &self.region, city: &self.city }
    }
}

/// Loads `ids` and sorts them into those that may go from `from` to `to`, and a decision for each.
pub(super) async fn candidates(
    tx: &mut SqliteConnection,
    ids: &[String],
    from: Status,
    to: Status,
) -> Result<(Vec<Candidate>, Decisions)> {
    let mut found = find(tx, ids).await?;
    let mut eligible = Vec::new();
    let mut decisions: Decisions = Vec::with_capacity(ids.len());
    let mut decided = std::collections::HashSet::new();
    for id in ids.iter().filter(|id| decided.insert(id.as_str())) {
        let decision = match found.remove(id) {
            None => Decision::Unknown,
            Some(candidate) if candidate.status != from => {
                Decision::Refused { is: candidate.status, asked: to }
            }
            Some(candidate) => {
                eligible.push(candidate);
                Decision::Done
            }
        };
        decisions.push((id.clone(), decision));
    }
    Ok((eligible, decisions))
}

/// Writes the new status of reports whose other columns stay.
pub(super) async fn set_status(
    tx: &mut SqliteConnection,
    reports: &[Candidate],
    to: Status,
) -> Result<()> {
    bulk::insert(
        tx,
        "WITH step (seq, status) AS (",
        2,
        ") UPDATE reports SET status = step.status FROM step WHERE reports.seq = step.seq",
        reports,
        |query, report| query.bind(report.seq).bind(to.as_str()),
    )
    .await
}

async fn find(tx: &mut SqliteConnection, ids: &[String]) -> Result<HashMap<String, Candidate>> {
    let rows = bulk::select_matching(
        tx,
        "SELECT r.seq, r.id, r.status, r.type, r.city, r.region, r.country, r.event_day,
                r.created_at, r.published_at, c.id, c.parent_id, g.parent_id,
                r.people_count
         FROM reports r
         LEFT JOIN places c ON c.id = r.place_id
         LEFT JOIN places g ON g.id = c.parent_id
         WHERE r.id",
        1,
        ids,
        |query, id| query.bind(id.clone()),
    )
    .await?;
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        let city: Option<i64> = row.try_get(10)?;
        let lineage = match city {
            Some(city) => {
                Some(Lineage { city, region: row.try_get(11)?, country: row.try_get(12)? })
            }
            None => None,
        };
        let candidate = Candidate {
            seq: row.try_get(0)?,
            id: row.try_get(1)?,
            status: Status::from_stored(row.try_get(2)?)?,
            kind: report::kind(row.try_get(3)?)?,
            city: row.try_get(4)?,
            region: row.try_get(5)?,
            country: row.try_get(6)?,
            people_count: row.try_get(13)?,
            event_day: row.try_get(7)?,
            created_at: row.try_get(8)?,
            published_at: row.try_get(9)?,
            lineage,
        };
        found.insert(candidate.id.clone(), candidate);
    }
    Ok(found)
}
