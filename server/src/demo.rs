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

use chrono::{DateTime, Utc};

pub use rows::{live_row, rows};
pub use write::write_csv;

/// When the rows of `svc demo csv` end: 2025-12-31T23:59Z. Fixed, for the same rows on every day;
/// the ten years before it begin with 2016-01-01.
pub const UNTIL: DateTime<Utc> = DateTime::from_timestamp_nanos(1_767_225_540_000_000_000);

#[cfg(test)]
mod tests;
