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
use domain::cursor::Cursor;
use http::{HeaderValue, header};

pub use self::{
    admission::{Caller, Partner},
    parameters::{After, Parameters},
    warning::Warning,
};
use crate::problem::Result;

/// The cursor after the event with this number, as responses have it.
pub(crate) fn cursor_after(seq: i64) -> Result<String> {
    let cursor = Cursor::after(seq);
    let cursor =
        cursor.ok_or_else(|| store::Error::Damaged(format!("the number {seq} of an event")))?;
    Ok(cursor.to_string())
}

/// A response for one partner, which no cache may keep.
pub(crate) fn unstored(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
