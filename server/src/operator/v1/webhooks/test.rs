use axum::{
    extract::{Path, State},
    response::Response,
};

use super::unknown;
use crate::{api::v1::webhooks::Testing, http::problem::Result, operator::access::Administrator};

/// `POST /operator/v1/webhooks/{id}/test`: sends a test event, also to a subscription that is disabled, and answers
/// how its endpoint responded.
pub async fn test(
    State(testing): State<Testing>,
    Administrator(store): Administrator,
    Path(id): Path<String>,
) -> Result<Response> {
    let known = store.find_subscription(&id).await?;
    let seq = known.ok_or_else(|| unknown(&id))?.seq;
    testing.run(seq, &id, || unknown(&id)).await
}
