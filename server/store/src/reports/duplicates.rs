//! Possible duplicates of reports: reports of the same place and day with the same number of
//! people.

use std::collections::{HashMap, hash_map::Entry};

use base::time::{day_number, parse_date};
use domain::report::Status;

use super::{list::ListedReport, recent::ReportsQuery};
use crate::{
    areas,
    engine::sql,
    error::Result,
    filter::{Filter, Period, PlaceFilter},
    places::{
        place::{PlaceKey, Spelling},
        place_check::Names,
    },
};

/// Maximum number of pending reports compared with one report.
const MAX_COMPARED: i64 = 1_000;
/// Maximum number of approved reports compared with one report.
const MAX_PUBLISHED: u32 = 50;

/// Possible duplicate of a report.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PossibleDuplicate {
    pub id: String,
    pub status: Status,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    #[sqlx(flatten)]
    names: Names,
}

impl areas::Reports<'_> {
    /// Returns the possible duplicates of each report: approved reports, and other pending ones.
    pub async fn duplicates(self, reports: &[ListedReport]) -> Result<Vec<Vec<PossibleDuplicate>>> {
        let (mut waiting, mut all) = (HashMap::new(), Vec::with_capacity(reports.len()));
        for report in reports {
            let ListedReport { id, country, region, city, .. } = report;
            let place = Spelling { country, region, city }.key();
            // Many reports of a list have the same day and the same number of people.
            let others: &Vec<(String, PlaceKey)> =
                match waiting.entry((report.event_date.as_str(), report.people_count)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(unknown) => unknown.insert(self.waiting(report).await?),
                };
            let duplicates = others.iter().filter(|(other, key)| other != id && *key == place);
            let duplicates = duplicates
                .map(|(id, _)| PossibleDuplicate { id: id.clone(), status: Status::Pending });
            all.push(duplicates.chain(self.published(report).await?).collect());
        }
        Ok(all)
    }

    /// Returns id and place of the pending reports of the same day with the same number of people.
    async fn waiting(self, report: &ListedReport) -> Result<Vec<(String, PlaceKey)>> {
        let Some(day) = parse_date(&report.event_date) else { return Ok(Vec::new()) };
        let sql = "SELECT id, city, region, country FROM reports
             WHERE status = 'PENDING' AND event_day = $1 AND people_count = $2 LIMIT $3";
        let waiting = sql::query_as(sql).bind(day_number(day)).bind(report.people_count);
        let rows: Vec<Row> = waiting.bind(MAX_COMPARED).fetch_all(&self.store.readers).await?;
        Ok(rows.into_iter().map(|row| (row.id, row.names.spelling().key())).collect())
    }

    /// Returns the approved reports of the same place and day with the same number of people.
    async fn published(self, report: &ListedReport) -> Result<Vec<PossibleDuplicate>> {
        let day = parse_date(&report.event_date);
        let region = Some(report.region.as_str()).filter(|region| !region.is_empty());
        let place = PlaceFilter::new(Some(&report.country), region, Some(&report.city));
        let filter = Filter { period: Period { from: day, to: day }, place };
        let query = ReportsQuery { filter, ..ReportsQuery::newest(MAX_PUBLISHED) };
        let found = self.recent(&query).await?.value.into_iter().map(|found| found.report);
        let found = found.filter(|other| {
            i64::from(other.people_count) == report.people_count && other.id != report.id
        });
        Ok(found
            .map(|other| PossibleDuplicate { id: other.id, status: Status::Approved })
            .collect())
    }
}
