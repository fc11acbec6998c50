use axum::{Json, extract::State, response::Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::{Store, SubscriptionWithHealth};

use super::{PARAMETERS, SubscriptionId, unknown};
use crate::{
    api::{Partner, tagged, unstored},
    openapi::Operation,
    problem::{Code, Result},
};

#[derive(Serialize, JsonSchema)]
struct OneSubscription {
    subscription: SubscriptionWithHealth,
}

/// `GET /api/v1/webhooks/subscription?id=sub_…`: one of the partner's subscriptions.
pub async fn get(
    State(store): State<Store>,
    partner: Partner,
    SubscriptionId(id): SubscriptionId,
) -> Result<Response> {
    let found = store.subscriptions().one_with_health(partner.id, &id).await?;
    let subscription = found.ok_or_else(|| unknown(&id))?;
    let tag = subscription.subscription.tag();
    Ok(tagged(unstored(Json(OneSubscription { subscription })), &tag))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "subscription": {
            "id": "sub_7hQm2Z",
            "url": "https://partner.example.com/svc",
            "events": ["report.created"],
            "createdAt": "2026-03-01T11:00:00.000Z",
            "status": "ACTIVE",
            "health": { "state": "HEALTHY", "backlog": 0 },
        },
    });
    let path = "/api/v1/webhooks/subscription";
    Operation::partners("get", path, "getSubscription", "One of your subscriptions")
        .about(
            "As in the list. Send its `ETag` as `If-Match` with a change, so that the change fails if someone else has \
                changed the subscription since. The tag covers `url`, `events`, `filter` and `status`, and not `health`.",
        )
        .parameters(PARAMETERS)
        .responses::<OneSubscription>("The subscription", example)
        .headers(&["ETag"])
        .problems(&[Code::InvalidParameter, Code::NotFound])
}
