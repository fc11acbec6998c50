//! Filtered and paginated reads, conditional changes, and requests with idempotency keys.

mod address;
mod conditions;
mod downloads;
mod events;
mod feeds;
mod geo_facets;
mod groups;
mod idempotency;
mod included;
pub(crate) mod intake;
mod key_settings;
mod metrics;
mod one_report;
mod reports;
mod series;
