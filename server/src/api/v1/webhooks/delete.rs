use axum::extract::{RawQuery, State};
use http::StatusCode;
use store::Store;

use super::{SUBSCRIPTION, subscription_id, unknown};
use crate::{
    api::{Parameters, Partner},
    openapi::{Operation, Parameter},
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[SUBSCRIPTION];

/// `DELETE /api/v1/webhooks?id=sub_…`: ends a subscription.
pub async fn delete(
    State(store): State<Store>,
    partner: Partner,
    RawQuery(query): RawQuery,
) -> Result<StatusCode> {
    let parameters = Parameters::of(query.as_deref(), PARAMETERS);
    let id = subscription_id(&parameters)?;
    if store.subscriptions().unsubscribe(partner.id, &id).await? {
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
        .problems(&[Code::InvalidParameter, Code::NotFound])
}
