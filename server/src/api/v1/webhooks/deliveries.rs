use axum::{
    Json,
    extract::{RawQuery, State},
    response::Response,
};
use domain::{cursor::Cursor, subscription::DeliveryStatus};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::{History, HistoryQuery, PastDelivery, Store};

use super::{SUBSCRIPTION, SubscriptionId, unknown};
use crate::{
    api::{Parameters, Partner, cursor_after, unstored},
    openapi::{
        Operation, Parameter,
        parameter::{DELIVERY_LIMIT, DELIVERY_STATUS, OLDER},
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[SUBSCRIPTION, DELIVERY_STATUS, OLDER, DELIVERY_LIMIT];

const DEFAULT_LIMIT: u32 = 20;

/// A part of the deliveries to a subscription.
#[derive(Serialize, JsonSchema)]
struct DeliveryList {
    /// Deliveries, the newest event first.
    deliveries: Vec<PastDelivery>,
    /// The `after` of the next request. Its content may change.
    #[schemars(extend("pattern" = "^c_"))]
    next: String,
    /// Whether there is more to read after this.
    more: bool,
}

/// `GET /api/v1/webhooks/deliveries?id=sub_…`: the delivery history of a subscription.
pub async fn get(
    State(store): State<Store>,
    partner: Partner,
    SubscriptionId(subscription): SubscriptionId,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let parameters = Parameters::of(query.as_deref(), PARAMETERS)?;
    let query = HistoryQuery {
        partner_id: partner.id,
        subscription,
        status: parameters.delivery_status()?,
        before: parameters.cursor(&OLDER)?.map(Cursor::seq),
        limit: parameters.limit(DEFAULT_LIMIT)? as usize,
    };
    let Some(History { deliveries, next, more }) = store.deliveries().history(&query).await? else {
        return Err(unknown(&query.subscription));
    };
    let next = cursor_after(next)?;
    Ok(unstored(Json(DeliveryList { deliveries, next, more })))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "deliveries": [{
            "id": "dlv_3_1042",
            "event": "report.created",
            "eventId": "evt_2N9SyZbZ8yHkVwUe3rQ1Tg",
            "status": DeliveryStatus::Delivered,
            "createdAt": "2026-03-01T12:00:00.000Z",
            "attempts": [
                {
                    "startedAt": "2026-03-01T12:00:00.020Z",
                    "durationMs": 15_000,
                    "error": "no response within 15 s",
                },
                {
                    "startedAt": "2026-03-01T12:00:20.100Z",
                    "durationMs": 28,
                    "status": 503,
                    "response": "the queue is full",
                },
                { "startedAt": "2026-03-01T12:01:21.300Z", "durationMs": 34, "status": 204 },
            ],
        }],
        "next": "c_4ce61",
        "more": false,
    });
    let path = "/api/v1/webhooks/deliveries";
    Operation::partners("get", path, "listDeliveries", "Deliveries of a subscription, with their attempts")
        .about(
            "The newest event first. An attempt has the `status` of the response, or an `error` if there was none. \
                `response` is the beginning of a response that did not accept the event. While `more` is true, older deliveries follow `next`; a response may have fewer than `limit`, or none, \
                although there are more.",
        )
        .parameters(PARAMETERS)
        .responses::<DeliveryList>("Deliveries", example)
        .problems(&[Code::InvalidLimit, Code::InvalidParameter, Code::NotFound])
}
