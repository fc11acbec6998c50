//! Filtered and paginated reads, and concurrent requests with idempotency keys.

mod events;
mod geo_facets;
mod groups;
mod idempotency;
pub(crate) mod intake;
mod metrics;
mod reports;
mod series;
