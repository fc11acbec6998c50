use axum::extract::State;
use http::StatusCode;
use store::Store;

use super::{PARAMETERS, SubscriptionId, unknown};
use crate::{
    api::{IfMatch, Partner},
    openapi::Operation,
    problem::{Code, Result},
};

/// `DELETE /api/v1/webhooks?id=sub_…`: ends a subscription.
pub async fn delete(
    State(store): State<Store>,
    partner: Partner,
    SubscriptionId(id): SubscriptionId,
    IfMatch(condition): IfMatch,
) -> Result<StatusCode> {
    if partner
        .acting(store)
        .provided(condition)
        .subscriptions()
        .unsubscribe(partner.id, &id)
        .await?
    {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(unknown(&id))
}

pub(super) fn described() -> Operation {
    Operation::partners("delete", "/api/v1/webhooks", "unsubscribe", "End a subscription")
        .about(
            "Its deliveries stop. The response for another partner\u{2019}s subscription is 404.",
        )
        .parameters(PARAMETERS)
        .answers_nothing("The subscription has ended")
        .conditional()
        .problems(&[Code::InvalidParameter, Code::NotFound])
}
