//! Counters of published reports, and the answers made from them. Their cost does not grow with the
//! number of reports.

pub(super) mod check;
mod geo_facets;
pub(super) mod grain;
pub(super) mod markers;
pub(super) mod metrics;
pub(super) mod presence;
pub(super) mod removal;
pub(super) mod rollup;
