use axum::{Json, extract::State, response::Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::{Store, SubscriptionWithHealth};

use crate::{
    api::{Partner, unstored},
    openapi::Operation,
    problem::Result,
};

#[derive(Serialize, JsonSchema)]
struct SubscriptionList {
    /// Subscriptions, newest first.
    subscriptions: Vec<SubscriptionWithHealth>,
}

/// `GET /api/v1/webhooks`: the partner's subscriptions, newest first.
pub async fn get(State(store): State<Store>, partner: Partner) -> Result<Response> {
    let subscriptions = store.subscriptions().with_health(partner.id).await?;
    Ok(unstored(Json(SubscriptionList { subscriptions })))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "subscriptions": [{
            "id": "sub_7hQm2Z",
            "url": "https://partner.example.com/svc",
            "events": ["report.created"],
            "createdAt": "2026-03-01T11:00:00.000Z",
            "status": "ACTIVE",
            "health": {
                "state": "PAUSED",
                "since": "2026-03-01T12:00:00.000Z",
                "reason": "the response was 503",
                "nextAttemptAt": "2026-03-01T13:00:00.000Z",
                "backlog": 42,
            },
        }],
    });
    Operation::partners("get", "/api/v1/webhooks", "listSubscriptions", "Your subscriptions")
        .about(
            "Newest first, without secrets. `disabledReason` is the reason for `DISABLED`, and `health` the state of \
                the endpoint.",
        )
        .responses::<SubscriptionList>("The subscriptions", example)
}
