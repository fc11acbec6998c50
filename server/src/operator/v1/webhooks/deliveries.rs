use axum::{
    Json,
    extract::Request,
    response::{IntoResponse, Response},
};
use domain::{scope::Scope, subscription::DeliveryId};
use http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::{DeliveryQuery, ListedDelivery, Redelivered};

use super::unknown;
use crate::{
    api::{Parameters, Segment, unstored},
    openapi::{Operation, Parameter, parameter::DELIVERY_STATUS},
    operator::{
        access::{Administrator, Reader},
        parameters::{self, AFTER_DELIVERY, LIMIT, SUBSCRIPTION},
        v1::{Items, page, tags::WEBHOOKS},
    },
    problem::{Code, Problem, Result, quoted},
};

const ID: &[Parameter] = &[parameters::DELIVERY];
const PARAMETERS: &[Parameter] = &[SUBSCRIPTION, DELIVERY_STATUS, AFTER_DELIVERY, LIMIT];

/// A delivery that is due now.
#[derive(Serialize, JsonSchema)]
struct DueDelivery {
    /// Id of the delivery.
    delivery: String,
    #[schemars(extend("const" = true))]
    due: bool,
}

/// `GET /operator/v1/webhooks/deliveries`: deliveries, the newest event first.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let given = Parameters::of(request.uri().query(), PARAMETERS)?;
    let subscription = match given.get(&SUBSCRIPTION)? {
        None => None,
        Some(id) => Some(store.subscriptions().find(&id).await?.ok_or_else(|| unknown(&id))?.seq),
    };
    let limit = parameters::limit(&given)?;
    let query = DeliveryQuery {
        subscription,
        status: given.delivery_status()?,
        after: parameters::after_delivery(&given)?,
        // One more shows whether there are more.
        limit: limit + 1,
    };
    let mut deliveries = store.deliveries().list(&query).await?;
    let more = deliveries.len() > limit as usize;
    deliveries.truncate(limit as usize);
    let next = deliveries.last().filter(|_| more).map(|last| last.id.clone());
    Ok(page(deliveries, next))
}

/// `POST /operator/v1/webhooks/deliveries/{id}/redeliver`: sends a delivery again, with a fresh set of retries.
pub async fn redeliver(
    Administrator(store): Administrator,
    Segment(id): Segment,
) -> Result<Response> {
    let known = id.parse::<DeliveryId>().ok();
    let unknown = || {
        Problem::not_found(format!("There is no delivery {:?}; old ones are removed.", quoted(&id)))
    };
    match store.deliveries().redeliver(known.ok_or_else(unknown)?).await? {
        Redelivered::Due => {
            let due = Json(DueDelivery { delivery: id, due: true });
            Ok(unstored((StatusCode::ACCEPTED, due).into_response()))
        }
        Redelivered::Disabled => Err(Problem::conflict(format!(
            "The subscription of {id} is disabled: enable it first."
        ))),
        Redelivered::Unknown => Err(unknown()),
    }
}

pub(super) fn described() -> [Operation; 2] {
    let id = "dlv_3_1042";
    let listed = json!({
        "items": [{
            "id": id,
            "subscription": "sub_7hQm2Z",
            "event": "report.created",
            "eventId": "evt_4Qm1zR",
            "createdAt": "2026-03-01T12:00:00.000Z",
            "status": "PENDING",
            "attempts": 1,
            "lastAttempt": {
                "startedAt": "2026-03-01T12:00:00.020Z",
                "durationMs": 15_000,
                "statusCode": null,
                "error": "no response within 15 s",
            },
            "nextAttemptAt": "2026-03-01T12:00:20.000Z",
        }],
        "more": false,
    });
    let path = "/operator/v1/webhooks/deliveries";
    let one = "/operator/v1/webhooks/deliveries/{id}/redeliver";
    [
        Operation::operators(Scope::Read, "get", path, "listAllDeliveries", "All deliveries")
            .about("The newest event first.")
            .tag(WEBHOOKS)
            .parameters(PARAMETERS)
            .responses::<Items<ListedDelivery>>("Deliveries", listed)
            .problems(&[Code::InvalidLimit, Code::InvalidParameter, Code::NotFound]),
        Operation::operators(Scope::Admin, "post", one, "redeliver", "Send a delivery again")
            .about("With a new set of retries. The subscription must be enabled.")
            .tag(WEBHOOKS)
            .segments(ID)
            .responses::<DueDelivery>(
                "It is sent as soon as possible",
                json!({ "delivery": id, "due": true }),
            )
            .accepts()
            .problems(&[Code::Conflict]),
    ]
}
