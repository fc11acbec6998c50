use axum::{
    Json,
    extract::{RawQuery, Request, State},
    response::Response,
};
use base::time::parse_instant;
use domain::{cursor::Cursor, subscription::DeliveryStatus};
use http::StatusCode;
use serde_json::{Map, Value, json};
use store::{LostPlace, Place, Replay, Replayed, Store};

use super::{SUBSCRIPTION, filter::shortened, subscription_id, unknown};
use crate::{
    api::{
        Parameters, Partner,
        body::{self, Member},
        unstored,
    },
    openapi::{Operation, Parameter, reference},
    problem::{Code, Problem, Result},
};

const PARAMETERS: &[Parameter] = &[SUBSCRIPTION];
/// The members of a body that [`wanted_again`] reads.
pub(crate) const AGAIN: &[Member] =
    &[Member::new("from"), Member::new("after"), Member::new("status")];

/// `POST /api/v1/webhooks/replay?id=sub_…`: sends events again.
pub async fn post(
    State(store): State<Store>,
    partner: Partner,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(query.as_deref(), PARAMETERS);
    let id = subscription_id(&parameters)?;
    let members = body::json_object(request, AGAIN).await?;
    let again = wanted_again(&members)?;
    replayed(store.replay(Some(partner.id), &id, again).await?, || unknown(&id))
}

/// What a body asks to send again.
pub(crate) fn wanted_again(members: &Map<String, Value>) -> Result<Replay> {
    match (is_failed(members)?, place(members)?) {
        (true, place) => Ok(Replay::Failed(place)),
        (false, Some(place)) => Ok(Replay::Everything(place)),
        (false, None) => Err(Problem::invalid_parameter(
            "Say what to send again: \"from\" an instant, \"after\" a cursor, or with \"status\" \
             FAILED what has failed.",
        )),
    }
}

/// The response; `unknown` is the one if there is no such subscription.
pub(crate) fn replayed(replayed: Replayed, unknown: impl FnOnce() -> Problem) -> Result<Response> {
    match replayed {
        Replayed::Events(events) => {
            Ok(unstored((StatusCode::ACCEPTED, Json(json!({ "events": events })))))
        }
        Replayed::Lost(LostPlace::Pruned) => Err(Problem::cursor_expired(
            "Events after this cursor are no longer kept. Give \"from\" an instant to begin with the oldest \
             event that is.",
        )),
        Replayed::Lost(LostPlace::Ahead) => Err(Problem::cursor_expired(
            "This cursor is ahead of the log: the service was restored from a backup. Give \"from\" an \
             instant.",
        )),
        Replayed::Unknown => Err(unknown()),
    }
}

fn place(members: &Map<String, Value>) -> Result<Option<Place>> {
    let wrong = |name: &str, given: &Value, what: &str| {
        let shown = shortened(&given.to_string());
        Problem::invalid_parameter(format!("\"{name}\" is {shown}: give {what}."))
    };
    match (members.get("from"), members.get("after")) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            Err(Problem::invalid_parameter("Give \"from\" or \"after\", not both."))
        }
        (Some(given), None) => {
            let instant = given.as_str().and_then(parse_instant);
            let what = "an instant such as 2026-03-01T12:00:00Z";
            Ok(Some(Place::From(instant.ok_or_else(|| wrong("from", given, what))?)))
        }
        (None, Some(given)) => {
            let cursor = given.as_str().and_then(|text| text.parse::<Cursor>().ok());
            let what = "the \"next\" of a response of GET /api/v1/events";
            Ok(Some(Place::After(cursor.ok_or_else(|| wrong("after", given, what))?.seq())))
        }
    }
}

fn is_failed(members: &Map<String, Value>) -> Result<bool> {
    match members.get("status") {
        None => Ok(false),
        Some(given) if given.as_str() == Some(DeliveryStatus::Failed.as_str()) => Ok(true),
        Some(given) => {
            let shown = shortened(&given.to_string());
            Err(Problem::invalid_parameter(format!(
                "\"status\" is {shown}: only FAILED is possible."
            )))
        }
    }
}

pub(super) fn described() -> Operation {
    let path = "/api/v1/webhooks/replay";
    Operation::partners("post", path, "replayEvents", "Send events again")
        .about(
            "Everything `from` an instant or `after` a cursor, in the order of the log and before what is new, \
             with the same ids as before. With `status` `FAILED` only what has failed for good, with all its \
             attempts; then a place is optional. Of events after the first 100,000 none is counted. A disabled \
             subscription gets them when it is enabled.",
        )
        .parameters(PARAMETERS)
        .takes("ReplayRequest", json!({ "from": "2026-03-01T12:00:00Z" }))
        .answers("How many are sent again", reference("Replay"), Some(json!({ "events": 42 })))
        .accepts()
        .problems(&[
            Code::InvalidParameter,
            Code::NotFound,
            Code::CursorExpired,
        ])
}
