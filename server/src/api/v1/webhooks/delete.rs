use axum::extract::{RawQuery, State};
use http::StatusCode;

use crate::{
    api::{Parameters, Partner},
    http::problem::{Code, Problem, Result},
    openapi::{Operation, Parameter, parameter::ID},
    store::Store,
};

const PARAMETERS: &[Parameter] = &[ID.required("The subscription\u{2019}s id.")];

/// `DELETE /api/v1/webhooks?id=sub_…`: ends a subscription.
pub async fn delete(
    State(store): State<Store>,
    partner: Partner,
    RawQuery(query): RawQuery,
) -> Result<StatusCode> {
    let parameters = Parameters::of(query.as_deref(), PARAMETERS);
    let id = parameters.text(&ID, "the id of the subscription, such as sub_…")?;
    if store.unsubscribe(partner.id, &id).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    // The same for another partner's: nobody may learn that it exists.
    Err(Problem::not_found(format!("There is no subscription {id:?}.")))
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
