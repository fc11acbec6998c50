use axum::{extract::Request, response::Response};
use domain::scope::Scope;
use serde_json::json;

use super::{ID, unknown};
use crate::{
    api::Segment,
    api::v1::webhooks::{Again, Replay, replayed},
    openapi::Operation,
    operator::{access::Administrator, v1::tags::WEBHOOKS},
    problem::{Code, Result},
};

/// `POST /operator/v1/webhooks/{id}/replay`: sends events to a subscription again, as its partner can.
pub async fn replay(
    Administrator(store): Administrator,
    Segment(id): Segment,
    request: Request,
) -> Result<Response> {
    let again = Again::read(request).await?;
    replayed(store.deliveries().replay(None, &id, again).await?, || unknown(&id))
}

pub(super) fn described() -> Operation {
    let path = "/operator/v1/webhooks/{id}/replay";
    Operation::operators(Scope::Admin, "post", path, "replayWebhook", "Send events again")
        .about("The same as the partner\u{2019}s replay: all events `from` an instant or `after` a cursor, or the \
            failed ones.")
        .tag(WEBHOOKS)
        .segments(ID)
        .takes::<Again>(json!({ "from": "2026-03-01T12:00:00Z" }))
        .responses::<Replay>("How many are sent again", json!({ "events": 42 }))
        .accepts()
        .problems(&[Code::InvalidParameter, Code::CursorExpired])
}
