use axum::{
    extract::{Path, Request},
    response::Response,
};

use super::unknown;
use crate::{
    api::{body, v1::webhooks},
    http::problem::Result,
    operator::access::Administrator,
};

/// `POST /operator/v1/webhooks/{id}/replay`: sends events to a subscription again, like its partner may.
pub async fn replay(
    Administrator(store): Administrator,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response> {
    let again = webhooks::wanted_again(&body::json_object(request).await?)?;
    let replayed = store.replay(None, &id, again).await?;
    webhooks::replayed(replayed, || unknown(&id))
}
