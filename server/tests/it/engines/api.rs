//! Filtered and paginated reads, conditional changes, and requests with idempotency keys.

mod conditions;
mod events;
mod geo_facets;
mod groups;
mod idempotency;
mod key_settings;
mod metrics;
mod reports;
mod series;
