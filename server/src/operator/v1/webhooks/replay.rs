use axum::{extract::Request, response::Response};
use domain::scope::Scope;
use serde_json::json;

use super::{ID, unknown};
use crate::{
    api::{body, v1::webhooks},
    openapi::{Operation, reference},
    operator::{access::Administrator, segment::Segment, v1::openapi::WEBHOOKS},
    problem::{Code, Result},
};

/// `POST /operator/v1/webhooks/{id}/replay`: sends events to a subscription again, like its partner may.
pub async fn replay(
    Administrator(store): Administrator,
    Segment(id): Segment,
    request: Request,
) -> Result<Response> {
    let again = webhooks::wanted_again(&body::json_object(request, webhooks::AGAIN).await?)?;
    let replayed = store.replay(None, &id, again).await?;
    webhooks::replayed(replayed, || unknown(&id))
}

pub(super) fn described() -> Operation {
    let path = "/operator/v1/webhooks/{id}/replay";
    Operation::operators(Scope::Admin, "post", path, "replayWebhook", "Send events again")
        .about("Like the partner can: everything `from` an instant or `after` a cursor, or what has failed for good.")
        .tag(WEBHOOKS)
        .segments(ID)
        .takes("ReplayRequest", json!({ "from": "2026-03-01T12:00:00Z" }))
        .answers("How many are sent again", reference("Replay"), Some(json!({ "events": 42 })))
        .accepts()
        .problems(&[Code::InvalidParameter, Code::CursorExpired])
}
