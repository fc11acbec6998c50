//! The objects of the public API, as they travel: field names and forms are the interface
//! document's. Dates are `YYYY-MM-DD`, instants ISO 8601 in UTC with milliseconds and `Z`.

mod markers;
mod metrics;
mod report;
mod series;
mod types;

pub use markers::{Marker, Markers, Newest};
pub use metrics::Metrics;
pub use report::{Report, ReportList, ReportType};
pub use series::{Interval, Series, SeriesPoint};
pub use types::Types;
