//! The JSON API. A file's path below here is its URL.

pub mod admission;
pub(crate) mod body;
#[cfg(test)]
pub(crate) mod fuzz;
mod idempotency;
mod page;
mod parameters;
pub mod v1;
pub mod views;
mod warning;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};

pub use self::{
    admission::{Caller, Partner},
    parameters::{After, Parameters},
    warning::Warning,
};

/// A response for one partner, which no cache may keep.
pub(crate) fn unstored(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
