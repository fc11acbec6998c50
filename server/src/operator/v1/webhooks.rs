//! All partners' webhook subscriptions.

mod deliveries;
mod replay;
mod test;

pub use self::{
    deliveries::{list as list_deliveries, redeliver},
    replay::replay,
    test::test,
};

use axum::{Json, extract::Request, response::Response};
use domain::scope::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{DISABLED_BY_OPERATOR, Disabled, Enabled, ListedSubscription};

use super::{Items, items, tags::WEBHOOKS};
use crate::{
    api::{
        IfMatch, Segment,
        body::{self, given},
        tagged, unstored,
    },
    openapi::{Operation, Parameter},
    operator::{
        access::{Administrator, Reader},
        parameters,
    },
    problem::{Code, Problem, Result, quoted},
};

const ID: &[Parameter] = &[parameters::WEBHOOK];
/// Path of one subscription.
const ONE: &str = "/operator/v1/webhooks/{id}";

/// Maximum number of characters of a reason.
pub(crate) const MAX_REASON: usize = 500;

/// An enabled subscription.
#[derive(Serialize, JsonSchema)]
struct EnabledWebhook {
    /// Id of the subscription.
    subscription: String,
    #[schemars(extend("const" = true))]
    enabled: bool,
    /// Number of missed events, which are sent now.
    missed: u64,
}

/// A disabled subscription.
#[derive(Serialize, JsonSchema)]
struct DisabledWebhook {
    /// Id of the subscription.
    subscription: String,
    #[schemars(extend("const" = true))]
    disabled: bool,
}

/// A deleted subscription.
#[derive(Serialize, JsonSchema)]
struct DeletedWebhook {
    /// Id of the subscription.
    subscription: String,
    #[schemars(extend("const" = true))]
    deleted: bool,
}

/// Details of disabling a subscription.
#[derive(Deserialize, JsonSchema)]
struct StateChange {
    /// Reason that the partner sees, at most 500 characters.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", length(min = 1, max = MAX_REASON))]
    reason: Option<String>,
}

/// `GET /operator/v1/webhooks`: all subscriptions, newest first, with their state and backlog.
pub async fn list(Reader(store): Reader) -> Result<Response> {
    Ok(items(store.subscriptions().list().await?, None))
}

/// `GET /operator/v1/webhooks/{id}`: a subscription with its state and backlog.
pub async fn get(Reader(store): Reader, Segment(id): Segment) -> Result<Response> {
    let found = store.subscriptions().find(&id).await?.ok_or_else(|| unknown(&id))?;
    let tag = found.subscription.tag();
    Ok(tagged(unstored(Json(found)), &tag))
}

/// `POST /operator/v1/webhooks/{id}/enable`: enables a subscription, and sends the events that it missed.
pub async fn enable(
    Administrator(store): Administrator,
    Segment(id): Segment,
    IfMatch(condition): IfMatch,
) -> Result<Response> {
    let missed = match store.provided(condition).subscriptions().enable(&id).await? {
        Enabled::Now { missed } => missed,
        Enabled::Before => 0,
        Enabled::Unknown => return Err(unknown(&id)),
    };
    Ok(unstored(Json(EnabledWebhook { subscription: id, enabled: true, missed })))
}

/// `POST /operator/v1/webhooks/{id}/disable`: stops sending to a subscription until an operator enables it again. Its
/// partner sees the reason.
pub async fn disable(
    Administrator(store): Administrator,
    Segment(id): Segment,
    IfMatch(condition): IfMatch,
    request: Request,
) -> Result<Response> {
    let given: StateChange = body::read_if_any(request, |_| Code::InvalidParameter).await?;
    let reason = reason(given.reason.as_deref())?;
    match store.provided(condition).subscriptions().disable(&id, reason).await? {
        Disabled::Now | Disabled::Before => {
            Ok(unstored(Json(DisabledWebhook { subscription: id, disabled: true })))
        }
        Disabled::Unknown => Err(unknown(&id)),
    }
}

/// Checks the reason that a partner sees, if one is given.
pub(crate) fn reason(given: Option<&str>) -> Result<&str> {
    match given {
        None => Ok(DISABLED_BY_OPERATOR),
        Some(text)
            if !text.trim().is_empty()
                && text.chars().count() <= MAX_REASON
                && !text.contains(char::is_control) =>
        {
            Ok(text.trim())
        }
        Some(_) => Err(Problem::invalid_parameter(format!(
            "\"reason\" must be one line of text of up to {MAX_REASON} characters, which the partner sees."
        ))),
    }
}

/// `DELETE /operator/v1/webhooks/{id}`: deletes a subscription and its backlog for good.
pub async fn delete(
    Administrator(store): Administrator,
    Segment(id): Segment,
    IfMatch(condition): IfMatch,
) -> Result<Response> {
    match store.provided(condition).subscriptions().delete(&id).await? {
        true => Ok(unstored(Json(DeletedWebhook { subscription: id, deleted: true }))),
        false => Err(unknown(&id)),
    }
}

pub(crate) fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("There is no subscription {:?}.", quoted(id)))
}

pub(super) fn described() -> Vec<Operation> {
    let id = "sub_7hQm2Z";
    let webhook = json!({
        "id": id,
        "url": "https://partner.example.com/svc",
        "events": ["report.created"],
        "createdAt": "2026-03-01T11:00:00.000Z",
        "status": "ACTIVE",
        "partner": "Example Org",
        "failingSince": null,
        "pausedUntil": null,
        "pending": 0,
        "delivered": 42,
        "failed": 1,
    });
    let listed = json!({ "items": [webhook], "more": false });
    let path = "/operator/v1/webhooks";
    let one = |method, path, name, summary| {
        Operation::operators(Scope::Admin, method, path, name, summary).tag(WEBHOOKS).segments(ID)
    };
    let mut operations = vec![
        Operation::operators(Scope::Read, "get", path, "listWebhooks", "All subscriptions")
            .about("Newest first, with their state and number of pending events.")
            .tag(WEBHOOKS)
            .responses::<Items<ListedSubscription>>("Subscriptions", listed),
        Operation::operators(Scope::Read, "get", ONE, "getWebhook", "A subscription")
            .about(
                "With its state and number of pending events. The `ETag` covers `url`, `events`, `filter` and `status`.",
            )
            .tag(WEBHOOKS)
            .segments(ID)
            .responses::<ListedSubscription>("The subscription", webhook)
            .headers(&["ETag"]),
        one("delete", ONE, "deleteWebhook", "Delete a subscription")
            .about("Permanently, with its pending events.")
            .conditional()
            .responses::<DeletedWebhook>(
                "It is deleted",
                json!({ "subscription": id, "deleted": true }),
            ),
        one("post", "/operator/v1/webhooks/{id}/enable", "enableWebhook", "Enable a subscription")
            .about("The subscription then receives the events that it missed.")
            .conditional()
            .responses::<EnabledWebhook>(
                "It is active",
                json!({ "subscription": id, "enabled": true, "missed": 12 }),
            ),
        one(
            "post",
            "/operator/v1/webhooks/{id}/disable",
            "disableWebhook",
            "Disable a subscription",
        )
        .about("The subscription receives nothing until an operator enables it again.")
        .conditional()
        .takes::<StateChange>(json!({ "reason": "Too many failures: please write to us." }))
        .if_any()
        .responses::<DisabledWebhook>(
            "It is disabled",
            json!({ "subscription": id, "disabled": true }),
        )
        .problems(&[Code::InvalidParameter]),
    ];
    operations.extend(deliveries::described());
    operations.extend([replay::described(), test::described()]);
    operations
}
