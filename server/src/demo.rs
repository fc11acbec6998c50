//! Realistic reports for demonstrations, tests and benchmarks.
//!
//! The reports depend only on a seed, a number of rows and the instant at which they end. All arithmetic is on integers, and
//! the generator is written out here, so the same three values give the same bytes on every machine. `calendar` gives
//! each day of ten years a width, by how much happens on it, and row *i* of *n* falls into the *i*-th *n*-th of the
//! total. So the rows come in order of time without a sort, one at a time, in constant memory. `activity` has the reports of
//! a site that is busy now. `cities` chooses the places. `spelling` sometimes uses another common spelling, which the keys of [`geo::places`] have to match.

mod activity;
mod calendar;
mod cities;
mod rng;
mod rows;
mod spelling;
mod write;

use chrono::{DateTime, Utc};

pub use activity::{PAST_DAYS, day, past_day};
pub use rows::rows;
pub use write::write_csv;

/// End of the rows of `svc demo csv`: 2025-12-31T23:59Z. Fixed, so that the rows are the same on every day. The ten
/// years before it begin with 2016-01-01.
pub const UNTIL: DateTime<Utc> = DateTime::from_timestamp_nanos(1_767_225_540_000_000_000);

#[cfg(test)]
mod tests;
