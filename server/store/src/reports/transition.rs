//! Steps of a report's life. Each step loads the reports, changes the ones that allow it, and
//! returns the reason for each of the others.

use std::collections::HashMap;

use base::time::instant_of_millis;
use domain::report::{NewReport, Status, Step};

use super::report::{self, StoredRow};
use crate::{
    counters::rollup::Counted,
    engine::{
        bulk,
        sql::{Connection, RowValues},
    },
    error::{Error, Result},
    places::place::Lineage,
};

/// Decision for one id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    Done,
    /// No report has this id.
    Unknown,
    /// The status `is` cannot change to `asked`.
    Refused {
        is: Status,
        asked: Status,
    },
}

impl Decision {
    /// Returns the reason for a refusal, as text for users.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Decision::Done => None,
            Decision::Unknown => Some("there is no report with this id".to_owned()),
            Decision::Refused { is, asked } => {
                Some(format!("it is {is} and cannot become {asked}"))
            }
        }
    }
}

/// Decisions by id, in the order of the request, without duplicates.
pub type Decisions = Vec<(String, Decision)>;

/// Report to which a step may apply.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub seq: i64,
    pub status: Status,
    pub report: NewReport,
    /// Time of the first publication.
    pub published_at: Option<i64>,
    /// Position in the lists, while the report is approved.
    pub position: Option<i64>,
    /// Place; known once the report was published.
    pub lineage: Option<Lineage>,
}

impl Candidate {
    /// Returns the values by which an approved report is counted.
    pub(super) fn counted(&self) -> Result<Counted> {
        let id = &self.report.id;
        self.counted_in(
            self.lineage
                .ok_or_else(|| Error::Damaged(format!("approved report {id:?} has no place")))?,
        )
    }

    /// Returns the values by which an approved report is counted in a city.
    pub(super) fn counted_in(&self, lineage: Lineage) -> Result<Counted> {
        let NewReport { id, kind, event_date, .. } = &self.report;
        let published_at = self.published_at.ok_or_else(|| {
            Error::Damaged(format!("approved report {id:?} has no time of publication"))
        })?;
        let published_at = instant_of_millis(published_at);
        Ok(Counted { lineage, kind: *kind, event_date: *event_date, published_at })
    }
}

/// Result that a step would have for the first of some ids.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Reports that allow the step.
    pub eligible: Vec<Candidate>,
    pub decisions: Decisions,
    /// Number of ids read.
    pub read: usize,
}

/// Loads `ids` and decides on each, until `most` reports allow `step`.
pub(super) async fn candidates(
    tx: &mut Connection,
    ids: &[String],
    step: Step,
    most: usize,
) -> Result<Candidates> {
    let found = named(tx, ids).await?.into_iter();
    let mut found: HashMap<String, Candidate> =
        found.map(|candidate| (candidate.report.id.to_string(), candidate)).collect();
    let mut eligible = Vec::new();
    let mut decisions: Decisions = Vec::with_capacity(ids.len());
    let mut decided = std::collections::HashSet::new();
    let mut read = 0;
    for id in ids {
        if eligible.len() == most {
            break;
        }
        read += 1;
        if !decided.insert(id.as_str()) {
            continue;
        }
        let decision = match found.remove(id) {
            None => Decision::Unknown,
            Some(candidate) if !step.from().contains(&candidate.status) => {
                Decision::Refused { is: candidate.status, asked: step.to() }
            }
            Some(candidate) => {
                eligible.push(candidate);
                Decision::Done
            }
        };
        decisions.push((id.clone(), decision));
    }
    Ok(Candidates { eligible, decisions, read })
}

/// Returns the reports with these numbers that allow `step`, in the order in which they were added.
pub(super) async fn candidates_among(
    tx: &mut Connection,
    seqs: &[i64],
    step: Step,
) -> Result<Vec<Candidate>> {
    let mut found = numbered(tx, seqs).await?;
    found.retain(|candidate| step.from().contains(&candidate.status));
    found.sort_unstable_by_key(|candidate| candidate.seq);
    Ok(found)
}

/// Loads the reports with these numbers.
pub(super) async fn numbered(tx: &mut Connection, seqs: &[i64]) -> Result<Vec<Candidate>> {
    load(tx, "r.seq", seqs, |query, seq| query.bind(*seq)).await
}

/// Writes the new status of reports and removes their positions in the lists.
pub(super) async fn set_status(
    tx: &mut Connection,
    reports: &[Candidate],
    to: Status,
) -> Result<()> {
    bulk::insert(
        tx,
        "WITH step (seq, status) AS (",
        ") UPDATE reports SET status = step.status, position = NULL FROM step WHERE reports.seq = step.seq",
        reports,
        |query, report| query.bind(report.seq).bind(to.as_str()),
    )
    .await
}

/// Columns of a report that a step needs.
#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    status: String,
    published_at: Option<i64>,
    position: Option<i64>,
    city_id: Option<i64>,
    region_id: Option<i64>,
    country_id: Option<i64>,
    #[sqlx(flatten)]
    report: StoredRow,
}

/// Loads the reports with these ids.
pub(super) async fn named(tx: &mut Connection, ids: &[String]) -> Result<Vec<Candidate>> {
    load(tx, "r.id", ids, |query, id| query.bind(id.as_str())).await
}

/// Loads the reports whose `column` is one of `keys`.
async fn load<K>(
    tx: &mut Connection,
    column: &str,
    keys: &[K],
    bind: impl Fn(RowValues, &K) -> RowValues,
) -> Result<Vec<Candidate>> {
    let sql = format!(
        "SELECT r.seq, r.status, r.published_at, r.position, c.id AS city_id, c.parent_id AS region_id,
                g.parent_id AS country_id, {}
         FROM reports r
         LEFT JOIN places c ON c.id = r.place_id AND c.level = 3
         LEFT JOIN places g ON g.id = c.parent_id
         WHERE {column}",
        report::STORED_COLUMNS
    );
    let rows: Vec<Row> = bulk::select_matching(tx, &sql, keys, bind).await?;
    let candidate = |row: Row| {
        let lineage = match (row.city_id, row.region_id, row.country_id) {
            (Some(city), Some(region), Some(country)) => Some(Lineage { city, region, country }),
            _ => None,
        };
        Ok(Candidate {
            seq: row.seq,
            status: report::status(&row.status)?,
            report: row.report.try_into()?,
            published_at: row.published_at,
            position: row.position,
            lineage,
        })
    };
    rows.into_iter().map(candidate).collect()
}
