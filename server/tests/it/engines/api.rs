//! Filtered and paginated reads, and concurrent requests with idempotency keys.

mod downloads;
mod events;
mod feeds;
mod geo_facets;
mod groups;
mod idempotency;
mod included;
mod metrics;
mod one_report;
mod reports;
mod series;
