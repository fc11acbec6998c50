//! Counters of published reports, and the responses computed from them. The cost of a response does
//! not depend on the number of reports.

pub(super) mod count_cache;
pub(super) mod grain;
pub(super) mod interval;
pub(super) mod markers;
pub(super) mod metrics;
mod page;
pub(super) mod presence;
pub(super) mod recount;
pub(super) mod rollup;
pub(super) mod series;
