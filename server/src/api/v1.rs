//! Version 1. Later releases only add optional parts.

pub mod challenge;
pub mod events;
pub mod geo_facets;
pub mod me;
pub mod metrics;
pub mod openapi;
pub mod reports;
pub mod stream;
pub mod webhooks;
