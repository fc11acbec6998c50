use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use base::time::parse_instant;
use domain::cursor::Cursor;
use http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::{LogPosition, LostPlace, Replayed, Store};

use super::{PARAMETERS, SubscriptionId, unknown};
use crate::{
    api::{
        Partner,
        body::{self, given},
        unstored,
    },
    openapi::Operation,
    problem::{Code, Problem, Result, quoted},
};

/// Selection of the events to send again.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ReplayRequest", extend("minProperties" = 1))]
pub(crate) struct Again {
    /// Instant from which all stored events are sent; not with `after`.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    from: Option<String>,
    /// Cursor after which all events are sent, a `next` of the log.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", extend("pattern" = "^c_"))]
    after: Option<String>,
    /// Only events that have failed for good.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Failed")]
    status: Option<Failed>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
enum Failed {
    #[serde(rename = "FAILED")]
    Failed,
}

/// Result of a replay.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Replay {
    /// Number of events that are sent again.
    events: u64,
}

/// `POST /api/v1/webhooks/replay?id=sub_…`: sends events again.
pub async fn post(
    State(store): State<Store>,
    partner: Partner,
    SubscriptionId(id): SubscriptionId,
    request: Request,
) -> Result<Response> {
    let again = Again::read(request).await?;
    let store = partner.acting(store);
    replayed(store.deliveries().replay(Some(partner.id), &id, again).await?, || unknown(&id))
}

impl Again {
    /// Reads the selection of events in a body.
    pub(crate) async fn read(request: Request) -> Result<store::Replay> {
        Self::parse(body::object(request).await?)
    }

    /// Parses the selection of events in the members of a body.
    pub(crate) fn parse(members: Map<String, Value>) -> Result<store::Replay> {
        let again: Self = body::parsed(members, |_| Code::InvalidParameter)?;
        match (&again.status, again.place()?) {
            (Some(Failed::Failed), place) => Ok(store::Replay::Failed(place)),
            (None, Some(place)) => Ok(store::Replay::Everything(place)),
            (None, None) => Err(Problem::invalid_parameter(
                "Select the events to send again: \"from\" an instant, \"after\" a cursor, or \"status\" FAILED for \
                    failed deliveries.",
            )),
        }
    }

    fn place(&self) -> Result<Option<LogPosition>> {
        let wrong = |name: &str, given: &str, what: &str| {
            let given = quoted(given);
            Problem::invalid_parameter(format!("\"{name}\" is {given:?}: give {what}."))
        };
        match (&self.from, &self.after) {
            (None, None) => Ok(None),
            (Some(_), Some(_)) => {
                Err(Problem::invalid_parameter("Give \"from\" or \"after\", not both."))
            }
            (Some(from), None) => {
                let what = "an instant such as 2026-03-01T12:00:00Z";
                let instant = parse_instant(from).ok_or_else(|| wrong("from", from, what))?;
                Ok(Some(LogPosition::From(instant)))
            }
            (None, Some(after)) => {
                let what = "the \"next\" of a response of GET /api/v1/events";
                let cursor: Cursor = after.parse().map_err(|_| wrong("after", after, what))?;
                Ok(Some(LogPosition::After(cursor.seq())))
            }
        }
    }
}

/// Returns the response; `unknown` makes the problem if there is no such subscription.
pub(crate) fn replayed(replayed: Replayed, unknown: impl FnOnce() -> Problem) -> Result<Response> {
    let events = events_of(replayed, unknown)?;
    Ok(unstored((StatusCode::ACCEPTED, Json(Replay { events }))))
}

/// Returns the number of events that are sent again.
pub(crate) fn events_of(replayed: Replayed, unknown: impl FnOnce() -> Problem) -> Result<u64> {
    match replayed {
        Replayed::Events(events) => Ok(events),
        Replayed::Lost(LostPlace::Pruned) => Err(Problem::cursor_expired(
            "Events after this cursor are no longer kept. Give \"from\" an instant to begin with the oldest available \
                event.",
        )),
        Replayed::Lost(LostPlace::Ahead) => Err(Problem::cursor_expired(
            "This cursor is ahead of the log: the service was restored from a backup. Give \"from\" an \
             instant.",
        )),
        Replayed::Unknown => Err(unknown()),
    }
}

pub(super) fn described() -> Operation {
    let path = "/api/v1/webhooks/replay";
    Operation::partners("post", path, "replayEvents", "Send events again")
        .about(
            "Sends all events `from` an instant or `after` a cursor, in the order of the log and before new events, \
                with the same ids as before. With `status` `FAILED`, only events whose last retry failed, with a new \
                set of retries; `from` and `after` are then optional. At most 100,000 events are counted. A disabled \
                subscription receives them when it is enabled.",
        )
        .parameters(PARAMETERS)
        .takes::<Again>(json!({ "from": "2026-03-01T12:00:00Z" }))
        .responses::<Replay>("How many are sent again", json!({ "events": 42 }))
        .accepts()
        .problems(&[
            Code::InvalidParameter,
            Code::NotFound,
            Code::CursorExpired,
        ])
}
