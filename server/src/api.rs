//! The JSON API. The path of a file below this one is its URL.

pub mod admission;
pub(crate) mod body;
#[cfg(test)]
pub(crate) mod fuzz;
mod idempotency;
mod page;
mod parameters;
mod segment;
mod state_tag;
pub mod v1;
pub mod views;
mod warning;

use axum::response::{IntoResponse, Response};
use domain::cursor::Cursor;
use http::{HeaderValue, header};

pub use self::{
    admission::{Caller, Partner},
    parameters::{After, Parameters},
    segment::Segment,
    state_tag::IfMatch,
    warning::Warning,
};
pub(crate) use self::{
    idempotency::confidential,
    parameters::{NearMiss, check_options, embed_options},
    state_tag::tagged,
};
use crate::problem::Result;

/// Returns the cursor after the event with this number, in the form that responses contain.
pub(crate) fn cursor_after(seq: i64) -> Result<String> {
    let cursor = Cursor::after(seq);
    let cursor =
        cursor.ok_or_else(|| store::Error::Damaged(format!("the number {seq} of an event")))?;
    Ok(cursor.to_string())
}

/// Marks a response as being for one partner only: no cache may keep it.
pub(crate) fn unstored(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
