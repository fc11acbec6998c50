//! Counters of published reports, and the answers made from them. An answer costs the same however many
//! reports there are.

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
