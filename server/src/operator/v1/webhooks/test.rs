use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use domain::scope::Scope;
use serde_json::json;

use super::{ID, unknown};
use crate::{
    api::{
        Segment, unstored,
        v1::webhooks::{
            Tested, Testing,
            test_event::{self, TestEvent},
        },
    },
    openapi::Operation,
    operator::{access::Administrator, v1::tags::WEBHOOKS},
    problem::Result,
};

/// `POST /operator/v1/webhooks/{id}/test`: sends a test event, also to a disabled subscription, and returns the
/// response of its endpoint.
pub async fn test(
    State(testing): State<Testing>,
    Administrator(store): Administrator,
    Segment(id): Segment,
    request: Request,
) -> Result<Response> {
    let sample = test_event::read(request, &testing.clock).await?;
    let known = store.subscriptions().find(&id).await?;
    let seq = known.ok_or_else(|| unknown(&id))?.seq;
    Ok(unstored(Json(testing.run(seq, &id, sample, || unknown(&id)).await?)))
}

pub(super) fn described() -> Operation {
    let path = "/operator/v1/webhooks/{id}/test";
    Operation::operators(Scope::Admin, "post", path, "testWebhook", "Test an endpoint")
        .about(
            "Sends a `webhook.test` event, or another with made-up data, once, as a partner\u{2019}s test does, and waits for the endpoint\u{2019}s response, up to 15 seconds. \
             The response is 200 whatever the endpoint responded. A subscription can be tested once every 5 \
             seconds, also while it is disabled.",
        )
        .tag(WEBHOOKS)
        .segments(ID)
        .takes::<TestEvent>(test_event::example())
        .if_any()
        .responses::<Tested>(
            "How the endpoint responded",
            json!({ "status": 204, "durationMs": 87 }),
        )
}
