//! The API over real HTTP, one file an endpoint.

mod caching;
mod events;
mod geo_facets;
mod globe;
mod keys;
mod limits;
mod live;
mod metrics;
mod openapi;
mod pages;
mod parameters;
mod problems;
mod reports;
mod series;
mod snapshot;
mod stream;
mod trend;
mod unlisted_proxy;
mod webhooks;
mod widgets;
