//! Stored reports.

use std::cmp::Ordering;

use base::time::{date_of_day, format_instant, instant_of_millis};
use chrono::{DateTime, NaiveDate, Utc};
use domain::{
    report::{NewReport, Status},
    report_id::ReportId,
};
use model::{Report, ReportType};

use crate::error::{Error, Result};

pub(crate) fn status(name: &str) -> Result<Status> {
    Status::from_name(name).ok_or_else(|| Error::Damaged(format!("status {name:?} of a report")))
}

pub(crate) fn kind(name: &str) -> Result<ReportType> {
    ReportType::from_name(name).ok_or_else(|| Error::Damaged(format!("type {name:?} of a report")))
}

pub(crate) fn people_count(stored: i64) -> Result<u32> {
    u32::try_from(stored).map_err(|_| Error::Damaged(format!("people_count {stored} of a report")))
}

/// Position of a report in the lists: newest publication first, then by id. The smallest rank comes
/// first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// Milliseconds since 1970.
    pub published_at: i64,
    pub id: String,
}

impl Rank {
    /// Position before the reports that were published at `instant` or earlier, and after all others.
    pub fn before(instant: DateTime<Utc>) -> Self {
        // No id comes after the last character of Unicode, which ids do not contain.
        Self { published_at: instant.timestamp_millis() + 1, id: char::MAX.to_string() }
    }

    pub(crate) fn of<'r>(published_at: i64, id: &'r str) -> RankRef<'r> {
        RankRef { published_at, id }
    }

    pub(crate) fn as_ref(&self) -> RankRef<'_> {
        RankRef { published_at: self.published_at, id: &self.id }
    }
}

/// Borrowed [`Rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RankRef<'r> {
    pub published_at: i64,
    pub id: &'r str,
}

impl RankRef<'_> {
    pub(crate) fn to_owned(self) -> Rank {
        Rank { published_at: self.published_at, id: self.id.to_owned() }
    }
}

impl Ord for RankRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.published_at.cmp(&self.published_at).then_with(|| self.id.cmp(other.id))
    }
}

impl PartialOrd for RankRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Approved report with the values that lists are ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicReport {
    pub report: Report,
    /// Region as reported; empty if none was.
    pub region: String,
    pub event_date: NaiveDate,
    pub published_at: DateTime<Utc>,
}

impl PublicReport {
    pub(crate) fn rank(&self) -> RankRef<'_> {
        Rank::of(self.published_at.timestamp_millis(), &self.report.id)
    }
}

/// Public columns of a report `r`.
pub(crate) const PUBLIC: &str = "r.id, r.city, r.region, r.country, r.people_count, r.type, r.created_at, r.published_at, r.event_day";

/// Row with the columns of [`PUBLIC`], as an array.
#[derive(serde::Deserialize)]
pub(crate) struct PublicRow {
    id: String,
    city: String,
    region: String,
    country: String,
    people_count: i64,
    kind: String,
    created_at: i64,
    published_at: i64,
    event_day: i64,
}

impl TryFrom<PublicRow> for PublicReport {
    type Error = Error;

    fn try_from(row: PublicRow) -> Result<Self> {
        Ok(Self {
            report: Report {
                id: row.id,
                city: row.city,
                country: row.country,
                people_count: people_count(row.people_count)?,
                kind: kind(&row.kind)?,
                created_at: format_instant(instant_of_millis(row.created_at)),
                event_date: None,
                included: None,
            },
            region: row.region,
            event_date: date_of_day(row.event_day),
            published_at: instant_of_millis(row.published_at),
        })
    }
}

/// Imported columns of a report `r`.
pub(super) const STORED_COLUMNS: &str = "r.id, r.type AS kind, r.city, r.region, r.country, \
    r.people_count, r.event_day, r.created_at, r.lat, r.lng";

/// Row with these [`STORED_COLUMNS`].
#[derive(sqlx::FromRow)]
pub(super) struct StoredRow {
    pub id: String,
    pub kind: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people_count: i64,
    pub event_day: i64,
    pub created_at: i64,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
}

impl TryFrom<StoredRow> for NewReport {
    type Error = Error;

    fn try_from(row: StoredRow) -> Result<Self> {
        Ok(Self {
            kind: kind(&row.kind)?,
            people_count: people_count(row.people_count)?,
            event_date: date_of_day(row.event_day),
            created_at: instant_of_millis(row.created_at),
            event_date_given: true,
            created_at_given: true,
            position: row.lat.zip(row.lng),
            id: ReportId::stored(row.id),
            city: row.city,
            region: row.region,
            country: row.country,
        })
    }
}
