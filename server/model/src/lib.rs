//! The objects of the public API, with the field names and formats of the OpenAPI document. Dates
//! are `YYYY-MM-DD`; instants are ISO 8601 in UTC with milliseconds and `Z`.

mod markers;
mod metrics;
mod position;
mod report;
mod series;
mod types;

pub use markers::{Marker, Markers, Newest};
pub use metrics::Metrics;
pub use position::{Hundredths, PlacePosition};
pub use report::{Further, Included, Report, ReportList, ReportType};
pub use series::{Interval, Series, SeriesPoint};
pub use types::Types;
