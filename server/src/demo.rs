//! Reports that look real, for demonstrations, tests and benchmarks.
//!
//! All of it follows from a seed, a number of rows and the instant at which they end, by integer
//! arithmetic and a generator written out here, so that the same three give the same bytes on
//! every machine. `calendar` lays ten years of days out by how much happens on each, and row *i*
//! of *n* falls into the *i*-th *n*-th of it: the rows come in order of time without a sort, one
//! at a time, at flat memory. `cities` has the places; `spelling` now and then writes one as
//! people do, for the keys of [`geo::places`] to see through.

mod calendar;
mod cities;
mod rng;
mod rows;
mod spelling;
mod write;

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, Utc};
use model::ReportType;

pub use rows::{Rows, live_row, rows};
pub use write::write_csv;

/// When the rows of `svc demo csv` end: 2025-12-31T23:59Z. Fixed, for the same rows on every day;
/// the ten years before it begin with 2016-01-01.
pub const UNTIL: DateTime<Utc> = DateTime::from_timestamp_nanos(1_767_225_540_000_000_000);

/// A made-up report, with the fields of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoRow {
    /// `demo-<seed>-<number of rows>-<row>`, or `demo-<seed>-live-<milliseconds>-<n>`: files of
    /// different sizes have different reports, so they must not share ids.
    pub id: String,
    pub kind: ReportType,
    pub city: Cow<'static, str>,
    /// Empty where the place has none.
    pub region: Cow<'static, str>,
    pub country: Cow<'static, str>,
    pub people_count: u32,
    /// Never after the date of `created_at`.
    pub event_date: NaiveDate,
    /// In whole milliseconds.
    pub created_at: DateTime<Utc>,
    /// Latitude and longitude of the city in degrees, where the reporter gave them.
    pub point: Option<(f64, f64)>,
}

#[cfg(test)]
mod tests;
