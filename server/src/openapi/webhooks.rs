//! What a partner's endpoint gets: the `webhooks` of the document.

use serde_json::{Map, Value, json};

use super::operation::reference;
use crate::webhooks::event::EventName;

/// By the event's name.
pub(super) fn described() -> Value {
    let event = |event: EventName| (event.as_str().to_owned(), json!({ "post": post(event) }));
    Value::Object(EventName::ALL.map(event).into_iter().collect::<Map<_, _>>())
}

fn post(event: EventName) -> Value {
    let (summary, data, example) = match event {
        EventName::ReportCreated => (
            "A report is published",
            "PublishedReport",
            json!({
                "id": "r-1",
                "city": "São Paulo",
                "country": "Brazil",
                "peopleCount": 3,
                "type": "spirit",
                "createdAt": "2026-03-01T11:59:00.000Z",
                "status": "APPROVED",
            }),
        ),
        EventName::MetricsUpdated => {
            ("The counters, right after an approval", "Metrics", super::metrics::example())
        }
    };
    let body = json!({
        "type": "object",
        "required": ["event", "timestamp", "data"],
        "properties": {
            "event": { "const": event.as_str() },
            "timestamp": { "type": "string", "format": "date-time" },
            "data": reference(data),
        },
    });
    let example = json!({
        "event": event.as_str(),
        "timestamp": "2026-03-01T12:00:00.000Z",
        "data": example,
    });
    json!({
        "operationId": match event {
            EventName::ReportCreated => "onReportCreated",
            EventName::MetricsUpdated => "onMetricsUpdated",
        },
        "summary": summary,
        "description": "Sent at least once, unordered, with the same bytes on every try. Verify a \
                        signature over those bytes, answer 2xx within 15 seconds, and work once \
                        for each `webhook-id`.",
        // The signatures are headers of each request; the sender presents no credentials.
        "security": [],
        "parameters": [
            header("webhook-id", "^evt_", "The event\u{2019}s id, the same on every try."),
            header("webhook-timestamp", "^[0-9]+$", "When this try was made, in seconds since 1970."),
            header(
                "webhook-signature",
                "^v1,",
                "`v1,` and the base64 HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` \
                 and the body, keyed with the bytes that the base64 after `whsec_` stands for \
                 (Standard Webhooks).",
            ),
            header(
                "X-SVC-Signature",
                "^sha256=[0-9a-f]{64}$",
                "`sha256=` and the lowercase hexadecimal HMAC-SHA256 of the body, keyed with the \
                 secret as it is written.",
            ),
        ],
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": body, "example": example } },
        },
        "responses": {
            "2XX": { "description": "Received" },
            "410": { "description": "Never send anything again: the subscription is disabled" },
            "default": { "description": "Failed: it is sent again, ever less often" },
        },
    })
}

fn header(name: &str, pattern: &str, description: &str) -> Value {
    json!({
        "name": name,
        "in": "header",
        "required": true,
        "description": description,
        "schema": { "type": "string", "pattern": pattern },
    })
}
