//! Filtered and paginated reads, and concurrent requests with idempotency keys.

mod events;
mod geo_facets;
mod groups;
mod idempotency;
mod metrics;
mod reports;
mod series;
