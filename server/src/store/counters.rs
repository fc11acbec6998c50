//! Counters of published reports, and the answers made from them. Their cost does not grow with the
//! number of reports.

pub(super) mod check;
mod geo_facets;
pub(super) mod grain;
pub(super) mod markers;
pub(super) mod metrics;
mod packed;
mod page;
pub(super) mod presence;
pub(super) mod rollup;
