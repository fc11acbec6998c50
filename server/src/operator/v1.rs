//! Version 1.

pub mod audit;
pub mod imports;
pub mod keys;
pub mod openapi;
pub mod report;
pub mod reports;
pub mod status;
pub(super) mod tags;
pub mod webhooks;

use axum::{Json, response::Response};
use domain::cursor::Cursor;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::unstored;

/// A part of a list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}Page")]
struct Items<T> {
    /// The items.
    items: Vec<T>,
    /// The `after` of the next request. Only if there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Whether there is more to read after this.
    more: bool,
}

/// Response with the items of a list, which continues after `next` if there are more.
fn items<T: Serialize>(items: Vec<T>, next: Option<i64>) -> Response {
    page(items, next.and_then(Cursor::after).map(|next| next.to_string()))
}

/// Response with a list that has another form of cursor.
fn page<T: Serialize>(items: Vec<T>, next: Option<String>) -> Response {
    unstored(Json(Items { items, more: next.is_some(), next }))
}
