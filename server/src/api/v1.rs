//! Version 1. It only gains optional things.

pub mod events;
pub mod geo_facets;
pub mod metrics;
pub mod openapi;
pub mod reports;
pub mod stream;
pub mod webhooks;
