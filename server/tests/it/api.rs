//! The API over real HTTP, one file per endpoint.

mod bodies;
mod caching;
mod globe;
mod keys;
mod limits;
mod live;
mod openapi;
mod pages;
mod parameters;
mod problems;
mod sandbox;
mod snapshot;
mod stream;
mod trend;
mod unlisted_proxy;
pub(crate) mod webhooks;
mod widgets;
