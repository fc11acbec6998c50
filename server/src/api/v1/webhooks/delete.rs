use axum::extract::State;
use http::StatusCode;

use crate::{
    api::{
        Parameters, Partner,
        v1::openapi::{Operation, parameter},
    },
    http::problem::{Code, Problem, Result},
    state::App,
};

/// `DELETE /api/v1/webhooks?id=sub_…`: ends a subscription.
pub async fn delete(
    State(app): State<App>,
    partner: Partner,
    parameters: Parameters,
) -> Result<StatusCode> {
    let id = parameters.required("id", "the id of the subscription, such as sub_…")?;
    if app.store.unsubscribe(partner.id, id).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    // Another partner's is as good as none: that there is one must not show.
    Err(Problem::not_found(format!("There is no subscription {id:?}.")))
}

pub(super) fn described() -> Operation {
    Operation::partners("delete", "/api/v1/webhooks", "unsubscribe", "End a subscription")
        .about("Its deliveries stop. Another partner\u{2019}s subscription is as good as none.")
        .parameters([parameter::subscription()])
        .answers_nothing("It is gone")
        .status(StatusCode::NO_CONTENT)
        .problems(&[Code::InvalidParameter, Code::NotFound])
}
