use axum::extract::State;
use http::StatusCode;

use crate::{
    api::{Parameters, Partner},
    error::{Problem, Result},
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
