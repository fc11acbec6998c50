//! What is read by filters and in pages, and keys of requests that come at the same time.

mod events;
mod geo_facets;
mod idempotency;
mod metrics;
mod reports;
mod series;
