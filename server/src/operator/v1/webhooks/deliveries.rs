use axum::{
    Json,
    extract::{Path, Request},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde_json::json;

use super::unknown;
use crate::{
    api::{Parameters, unstored},
    domain::subscription::DeliveryId,
    http::problem::{Problem, Result, quoted},
    openapi::{Parameter, parameter::DELIVERY_STATUS},
    operator::{
        access::{Administrator, Reader},
        parameters::{self, AFTER_DELIVERY, LIMIT, SUBSCRIPTION},
        v1::page,
    },
    store::{DeliveryQuery, Redelivered},
};

const PARAMETERS: &[Parameter] = &[SUBSCRIPTION, DELIVERY_STATUS, AFTER_DELIVERY, LIMIT];

/// `GET /operator/v1/webhooks/deliveries`: deliveries, the newest event first.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let given = Parameters::of(request.uri().query(), PARAMETERS);
    let subscription = match given.get(&SUBSCRIPTION)? {
        None => None,
        Some(id) => Some(store.find_subscription(&id).await?.ok_or_else(|| unknown(&id))?.seq),
    };
    let limit = parameters::limit(&given)?;
    let query = DeliveryQuery {
        subscription,
        status: given.delivery_status()?,
        after: parameters::after_delivery(&given)?,
        // One more tells whether there are more.
        limit: limit + 1,
    };
    let mut deliveries = store.list_deliveries(&query).await?;
    let more = deliveries.len() > limit as usize;
    deliveries.truncate(limit as usize);
    let next = deliveries.last().filter(|_| more).map(|last| last.id.clone());
    Ok(page(deliveries, next))
}

/// `POST /operator/v1/webhooks/deliveries/{id}/redeliver`: sends a delivery again, with a fresh set of retries.
pub async fn redeliver(
    Administrator(store): Administrator,
    Path(id): Path<String>,
) -> Result<Response> {
    let known = id.parse::<DeliveryId>().ok();
    let unknown = || {
        Problem::not_found(format!(
            "There is no delivery {:?}; old ones are forgotten in time.",
            quoted(&id)
        ))
    };
    match store.redeliver(known.ok_or_else(unknown)?).await? {
        Redelivered::Due => {
            let due = Json(json!({ "delivery": id, "due": true }));
            Ok(unstored((StatusCode::ACCEPTED, due).into_response()))
        }
        Redelivered::Disabled => Err(Problem::conflict(format!(
            "The subscription of {id} is disabled: enable it first."
        ))),
        Redelivered::Unknown => Err(unknown()),
    }
}
