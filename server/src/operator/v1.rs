//! Version 1.

pub mod audit;
pub mod imports;
pub mod reports;

use axum::{Json, response::Response};
use serde::Serialize;

use crate::{api::unstored, domain::cursor::Cursor};

/// A part of a list.
#[derive(Serialize)]
struct Items<T> {
    items: Vec<T>,
    /// What to ask with as `after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    more: bool,
}

/// The items of a list, which goes on after `next` if there are more.
fn items<T: Serialize>(items: Vec<T>, next: Option<i64>) -> Response {
    let next = next.and_then(Cursor::after).map(|next| next.to_string());
    unstored(Json(Items { items, more: next.is_some(), next }))
}
