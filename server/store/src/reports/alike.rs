//! Reports that may tell of the same event: of the same place and day, with as many people.

use base::time::{day_number, parse_date};
use domain::report::Status;

use super::{
    list::ListedReport,
    recent::{ALL_TYPES, ReportsQuery},
};
use crate::{
    areas,
    engine::sql,
    error::Result,
    filter::{Filter, Period, PlaceFilter},
    places::{atlas::Names, place::Spelling},
};

/// Reports of a day with as many people that are looked at, at most.
const MOST_COMPARED: i64 = 1_000;
/// Approved reports of a place and day that are looked at, at most.
const MOST_PUBLISHED: u32 = 50;

/// Another report that may tell of the same event.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Alike {
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
    /// For each of the reports, those that may tell of the same event: approved ones, and others that wait for a
    /// decision.
    pub async fn alike(self, reports: &[ListedReport]) -> Result<Vec<Vec<Alike>>> {
        let mut all = Vec::with_capacity(reports.len());
        for report in reports {
            let ListedReport { id, country, region, city, .. } = report;
            let place = Spelling { country, region, city }.key();
            let mut alike = self.waiting(report).await?;
            alike.retain(|other| other.id != *id && other.names.spelling().key() == place);
            let alike = alike.into_iter().map(|row| Alike { id: row.id, status: Status::Pending });
            all.push(alike.chain(self.published(report).await?).collect());
        }
        Ok(all)
    }

    /// What waits for a decision of an event on the same day with as many people.
    async fn waiting(self, report: &ListedReport) -> Result<Vec<Row>> {
        let Some(day) = parse_date(&report.event_date) else { return Ok(Vec::new()) };
        let sql = "SELECT id, city, region, country FROM reports
             WHERE status = 'PENDING' AND event_day = $1 AND people_count = $2 LIMIT $3";
        let waiting = sql::query_as(sql).bind(day_number(day)).bind(report.people_count);
        Ok(waiting.bind(MOST_COMPARED).fetch_all(&self.store.readers).await?)
    }

    /// Approved reports of the same place and day, with as many people.
    async fn published(self, report: &ListedReport) -> Result<Vec<Alike>> {
        let day = parse_date(&report.event_date);
        let region = Some(report.region.as_str()).filter(|region| !region.is_empty());
        let place = PlaceFilter::new(Some(&report.country), region, Some(&report.city));
        let filter = Filter { period: Period { from: day, to: day }, place };
        let query = ReportsQuery {
            filter,
            types: ALL_TYPES,
            since: None,
            after: None,
            limit: MOST_PUBLISHED,
        };
        let found = self.recent(&query).await?.value.into_iter().map(|found| found.report);
        let found = found.filter(|other| {
            i64::from(other.people_count) == report.people_count && other.id != report.id
        });
        Ok(found.map(|other| Alike { id: other.id, status: Status::Approved }).collect())
    }
}
