use std::fmt;

use app::model::{Report, ReportType};
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{Row, sqlite::SqliteRow};

use super::error::{Error, Result};
use crate::time::{format_instant, instant_of_millis};

/// Where a report is in its life: `PENDING` → `APPROVED` or `REJECTED`, `APPROVED` → `WITHDRAWN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Pending,
    Approved,
    Rejected,
    Withdrawn,
}

impl Status {
    pub const ALL: [Status; 4] =
        [Status::Pending, Status::Approved, Status::Rejected, Status::Withdrawn];

    /// The name stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "PENDING",
            Status::Approved => "APPROVED",
            Status::Rejected => "REJECTED",
            Status::Withdrawn => "WITHDRAWN",
        }
    }

    pub(super) fn from_stored(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == name)
            .ok_or_else(|| Error::Damaged(format!("status {name:?} of a report")))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A report as it is given to the store: checked, its texts tidied.
#[derive(Clone, Debug, PartialEq)]
pub struct NewReport {
    pub id: String,
    pub kind: ReportType,
    pub city: String,
    /// Empty where none was given.
    pub region: String,
    pub country: String,
    pub people_count: u32,
    /// UTC.
    pub event_date: NaiveDate,
    pub created_at: DateTime<Utc>,
    /// Whether `event_date` was given or follows from `created_at`, and that from the clock: what
    /// was not given does not make a second import of the same row a different one.
    pub event_date_given: bool,
    pub created_at_given: bool,
    /// Degrees: latitude −90 to 90, longitude −180 to 180.
    pub position: Option<(f64, f64)>,
}

/// An approved report with what its order in lists is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicReport {
    pub report: Report,
    pub published_at: DateTime<Utc>,
}

/// The columns that [`public_report`] reads.
pub(super) const PUBLIC_COLUMNS: &str =
    "r.id, r.city, r.country, r.people_count, r.type, r.created_at, r.published_at";

pub(super) fn public_report(row: &SqliteRow) -> Result<PublicReport> {
    Ok(PublicReport {
        report: Report {
            id: row.try_get(0)?,
            city: row.try_get(1)?,
            country: row.try_get(2)?,
            people_count: people_count(row.try_get(3)?)?,
            kind: kind(row.try_get(4)?)?,
            created_at: format_instant(instant_of_millis(row.try_get(5)?)),
        },
        published_at: instant_of_millis(row.try_get(6)?),
    })
}

pub(super) fn kind(name: &str) -> Result<ReportType> {
    ReportType::from_name(name).ok_or_else(|| Error::Damaged(format!("type {name:?} of a report")))
}

pub(super) fn people_count(stored: i64) -> Result<u32> {
    u32::try_from(stored).map_err(|_| Error::Damaged(format!("people_count {stored} of a report")))
}
