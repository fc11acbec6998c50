//! All partners' webhook subscriptions.

mod deliveries;
mod replay;
mod test;

pub use self::{
    deliveries::{list as list_deliveries, redeliver},
    replay::replay,
    test::test,
};
use axum::{
    Json,
    extract::{Path, Request},
    response::Response,
};
use serde_json::{Value, json};

use super::items;
use crate::{
    api::{body, unstored},
    http::problem::{Problem, Result, quoted},
    operator::access::{Administrator, Reader},
    store::{DISABLED_BY_OPERATOR, Disabled, Enabled},
};

/// Characters of a reason.
const MAX_REASON: usize = 500;

/// `GET /operator/v1/webhooks`: all subscriptions, newest first, with their state and how much waits for them.
pub async fn list(Reader(store): Reader) -> Result<Response> {
    Ok(items(store.list_subscriptions().await?, None))
}

/// `POST /operator/v1/webhooks/{id}/enable`: takes a subscription up again, and sends it what it missed.
pub async fn enable(
    Administrator(store): Administrator,
    Path(id): Path<String>,
) -> Result<Response> {
    let missed = match store.enable_subscription(&id).await? {
        Enabled::Now { missed } => missed,
        Enabled::Before => 0,
        Enabled::Unknown => return Err(unknown(&id)),
    };
    Ok(unstored(Json(json!({ "subscription": id, "enabled": true, "missed": missed }))))
}

/// `POST /operator/v1/webhooks/{id}/disable`: sends nothing to a subscription until an operator enables it again.
/// Its partner sees the reason.
pub async fn disable(
    Administrator(store): Administrator,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response> {
    let members = body::json_object_if_any(request).await?;
    let reason = match members.get("reason") {
        None => DISABLED_BY_OPERATOR,
        Some(Value::String(text))
            if !text.trim().is_empty() && text.chars().count() <= MAX_REASON =>
        {
            text.trim()
        }
        Some(_) => {
            return Err(Problem::invalid_parameter(format!(
                "\"reason\" must be text of up to {MAX_REASON} characters, which the partner sees."
            )));
        }
    };
    match store.disable_subscription(&id, reason).await? {
        Disabled::Now | Disabled::Before => {
            Ok(unstored(Json(json!({ "subscription": id, "disabled": true }))))
        }
        Disabled::Unknown => Err(unknown(&id)),
    }
}

/// `DELETE /operator/v1/webhooks/{id}`: deletes a subscription for good, with what waits for it.
pub async fn delete(
    Administrator(store): Administrator,
    Path(id): Path<String>,
) -> Result<Response> {
    match store.delete_subscription(&id).await? {
        true => Ok(unstored(Json(json!({ "subscription": id, "deleted": true })))),
        false => Err(unknown(&id)),
    }
}

fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("There is no subscription {:?}.", quoted(id)))
}
