use axum::{Json, extract::State, response::Response};
use domain::signature::Secret;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::Subscription;

use super::{PARAMETERS, Subscribing, SubscriptionId, unknown};
use crate::{
    api::{IfMatch, Partner, confidential},
    openapi::Operation,
    problem::{Code, Result},
};

#[derive(Serialize, JsonSchema)]
struct RotatedSubscription<'a> {
    subscription: SubscriptionWithNewSecret<'a>,
}

/// A subscription with its new secret.
#[derive(Serialize, JsonSchema)]
struct SubscriptionWithNewSecret<'a> {
    #[serde(flatten)]
    subscription: Subscription,
    /// Key of the signatures. Only this response contains it.
    #[schemars(extend("pattern" = "^whsec_"))]
    secret: &'a str,
}

/// `POST /api/v1/webhooks/rotate?id=sub_…`: gives a subscription a new secret.
pub async fn post(
    State(mut subscribing): State<Subscribing>,
    partner: Partner,
    SubscriptionId(id): SubscriptionId,
    IfMatch(condition): IfMatch,
) -> Result<Response> {
    subscribing.store = subscribing.store.provided(condition);
    let (subscription, secret) = subscribing.rotate(&partner, &id).await?;
    let subscription = SubscriptionWithNewSecret { subscription, secret: secret.as_str() };
    Ok(confidential(Json(RotatedSubscription { subscription })))
}

impl Subscribing {
    /// Gives a subscription a new secret.
    pub(crate) async fn rotate(
        self,
        partner: &Partner,
        id: &str,
    ) -> Result<(Subscription, Secret)> {
        let (store, secret) = (partner.acting(self.store), Secret::generate(&self.random));
        let rotated = store.subscriptions().rotate_secret(partner.id, id, &secret).await?;
        rotated.map(|subscription| (subscription, secret)).ok_or_else(|| unknown(id))
    }
}

pub(super) fn described() -> Operation {
    let example = json!({
        "subscription": {
            "id": "sub_7hQm2Z",
            "url": "https://partner.example.com/svc",
            "events": ["report.created"],
            "createdAt": "2026-03-01T11:00:00.000Z",
            "status": "ACTIVE",
            "secret": "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
        },
    });
    let path = "/api/v1/webhooks/rotate";
    Operation::partners("post", path, "rotateSecret", "Replace the secret of a subscription")
        .about(
            "Only this response contains the new secret. For 24 hours, `webhook-signature` has a signature of the new \
                secret and one of the secret before it; `X-SVC-Signature` uses the new secret immediately. Only the \
                two newest secrets are used, so deploy the new secret to your endpoint before the next rotation.",
        )
        .parameters(PARAMETERS)
        .conditional()
        .responses::<RotatedSubscription>("The subscription", example)
        .problems(&[Code::InvalidParameter, Code::NotFound])
}
