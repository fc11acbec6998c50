//! Reports that may tell of the same event: of the same place and day, with as many people.

use std::collections::{HashMap, hash_map::Entry};

use base::time::{day_number, parse_date};
use domain::report::Status;
use geo::places::{country_key, fold};

use super::{
    list::ListedReport,
    recent::{ALL_TYPES, ReportsQuery},
};
use crate::{
    areas,
    engine::sql,
    error::Result,
    filter::{Filter, Period, PlaceFilter},
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

#[derive(Clone, Debug, sqlx::FromRow)]
struct Row {
    id: String,
    city: String,
    region: String,
    country: String,
}

impl Row {
    fn is_in(&self, place: &Folded) -> bool {
        *place == Folded::of(&self.city, &self.region, &self.country)
    }
}

/// A place, however it is spelled.
#[derive(PartialEq)]
struct Folded(String, String, String);

impl Folded {
    fn of(city: &str, region: &str, country: &str) -> Self {
        Self(fold(city), fold(region), country_key(country))
    }
}

impl areas::Reports<'_> {
    /// For each of the reports, those that may tell of the same event: approved ones, and others that wait for a
    /// decision.
    pub async fn alike(self, reports: &[ListedReport]) -> Result<Vec<Vec<Alike>>> {
        let (mut waiting, mut all) = (HashMap::new(), Vec::with_capacity(reports.len()));
        for report in reports {
            let key = (report.event_date.as_str(), report.people_count);
            let alike: &Vec<Row> = match waiting.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(self.waiting(key.0, key.1).await?),
            };
            let place = Folded::of(&report.city, &report.region, &report.country);
            let alike = alike.iter().filter(|other| other.id != report.id && other.is_in(&place));
            let alike = alike.map(|row| Alike { id: row.id.clone(), status: Status::Pending });
            let mut alike: Vec<Alike> = alike.collect();
            alike.extend(self.published(report).await?);
            all.push(alike);
        }
        Ok(all)
    }

    /// What waits for a decision of an event on this day with so many people.
    async fn waiting(self, day: &str, people: i64) -> Result<Vec<Row>> {
        let Some(day) = parse_date(day) else { return Ok(Vec::new()) };
        let sql = "SELECT id, city, region, country FROM reports
             WHERE status = 'PENDING' AND event_day = $1 AND people_count = $2 LIMIT $3";
        Ok(sql::query_as(sql)
            .bind(day_number(day))
            .bind(people)
            .bind(MOST_COMPARED)
            .fetch_all(&self.store.readers)
            .await?)
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
