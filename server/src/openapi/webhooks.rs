//! Requests that a partner's endpoint receives: the `webhooks` of the document.

use domain::event::{EventName, TEST};
use model::{Metrics, Report, ReportType};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::{Schemas, WEBHOOKS, examples};

/// An event in the document.
struct Described {
    name: &'static str,
    id: &'static str,
    summary: &'static str,
    about: &'static str,
    data: fn(&mut Schemas) -> Value,
    example: Value,
}

const REPEATED: &str = "Sent at least once, in no particular order. Every attempt has the same bytes: \
                        verify a signature over them, respond with 2xx within 15 seconds, and act \
                        only once for each `webhook-id`.";

const STOPPED: &str = "Sent to the other subscriptions of the same partner that list this event, within some seconds. It \
                       is not in the log.";

/// Data of `report.created` and `report.updated`.
#[derive(Debug, JsonSchema)]
pub struct PublishedReport {
    #[schemars(flatten)]
    pub report: Report,
    /// Status of the report.
    #[schemars(extend("enum" = ["APPROVED"]))]
    pub status: String,
    /// `true` in a made-up event, which a test sends. Real events do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<bool>,
}

/// Data of `report.withdrawn`.
#[derive(Debug, JsonSchema)]
pub struct WithdrawnReport {
    #[schemars(flatten)]
    pub report: Report,
    /// Status of the report.
    #[schemars(extend("enum" = ["WITHDRAWN"]))]
    pub status: String,
    /// `true` in a made-up event, which a test sends. Real events do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<bool>,
}

/// Data of `metrics.updated`.
#[derive(Debug, JsonSchema)]
pub struct UpdatedMetrics {
    #[schemars(flatten)]
    pub metrics: Metrics,
    /// `true` in a made-up event, which a test sends. Real events do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<bool>,
}

/// Data of `report.pending`.
#[derive(Debug, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct PendingReport {
    /// Id of the report.
    pub id: String,
    /// City as reported.
    pub city: String,
    /// Region as reported; empty if none was given.
    pub region: String,
    /// Country as reported.
    pub country: String,
    /// Number of people.
    pub people_count: u32,
    /// Kind of event: `spirit`, `water` or `both`.
    #[schemars(rename = "type")]
    pub kind: ReportType,
    /// Date of the event.
    pub event_date: String,
    /// Time of the report.
    pub created_at: String,
    /// Status of the report.
    #[schemars(extend("enum" = ["PENDING"]))]
    pub status: String,
}

/// Data of `reports.imported`.
#[derive(Debug, JsonSchema)]
pub struct ImportedReports {
    /// Number of imported reports.
    pub reports: u64,
    /// First time of publication of these reports.
    #[schemars(extend("format" = "date-time"))]
    pub since: String,
    /// Last time of publication of these reports.
    #[schemars(extend("format" = "date-time"))]
    pub until: String,
    /// `true` in a made-up event, which a test sends. Real events do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<bool>,
}

/// Data of `subscription.paused` and `subscription.disabled`.
#[derive(Debug, JsonSchema)]
pub struct StoppedSubscription {
    /// Id of the subscription.
    #[schemars(extend("pattern" = "^sub_"))]
    pub subscription: String,
    /// URL of its endpoint.
    pub url: String,
    /// Reason, such as the last failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Start of the first of the current failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    pub since: Option<String>,
    /// `true` in a made-up event, which a test sends. Real events do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<bool>,
}

/// Data of `webhook.test`.
#[derive(Debug, JsonSchema)]
pub struct WebhookTest {
    /// Notice that this is a test.
    pub message: String,
    /// Id of the tested subscription.
    pub subscription: String,
}

/// Returns partners' webhooks by the name of the event.
pub fn described(schemas: &mut Schemas) -> Value {
    let subscribed = EventName::PUBLIC.map(subscribed);
    by_name(subscribed.into_iter().chain([test()]), schemas)
}

/// Returns the webhooks that only the operator's subscriptions receive.
pub fn described_for_operators(schemas: &mut Schemas) -> Value {
    by_name([subscribed(EventName::ReportPending)], schemas)
}

fn by_name(events: impl IntoIterator<Item = Described>, schemas: &mut Schemas) -> Value {
    let mut entry =
        |event: Described| (event.name.to_owned(), json!({ "post": post(event, schemas) }));
    Value::Object(events.into_iter().map(&mut entry).collect::<Map<_, _>>())
}

fn subscribed(event: EventName) -> Described {
    let name = event.as_str();
    let about = REPEATED;
    match event {
        EventName::ReportCreated => Described {
            name,
            id: "onReportCreated",
            summary: "A report was published",
            about,
            data: Schemas::response::<PublishedReport>,
            example: examples::told_report("APPROVED"),
        },
        EventName::MetricsUpdated => Described {
            name,
            id: "onMetricsUpdated",
            summary: "The counters, right after an approval",
            about,
            data: Schemas::response::<UpdatedMetrics>,
            example: examples::metrics(),
        },
        EventName::ReportWithdrawn => Described {
            name,
            id: "onReportWithdrawn",
            summary: "A published report was withdrawn",
            about,
            data: Schemas::response::<WithdrawnReport>,
            example: examples::told_report("WITHDRAWN"),
        },
        EventName::ReportUpdated => Described {
            name,
            id: "onReportUpdated",
            summary: "A published report was corrected",
            about,
            data: Schemas::response::<PublishedReport>,
            example: examples::told_report("APPROVED"),
        },
        EventName::ReportsImported => Described {
            name,
            id: "onReportsImported",
            summary: "History was imported",
            about: "Reports of the past were published without an event for each. To read them, follow `GET \
                    /api/v1/reports` with `since` and `until` of this event, page by page. Sent at least once, like all \
                    events.",
            data: Schemas::response::<ImportedReports>,
            example: examples::imported_reports(),
        },
        EventName::SubscriptionPaused => Described {
            name,
            id: "onSubscriptionPaused",
            summary: "Another endpoint of yours is paused",
            about: STOPPED,
            data: Schemas::response::<StoppedSubscription>,
            example: examples::stopped_subscription("the response was 500"),
        },
        EventName::SubscriptionDisabled => Described {
            name,
            id: "onSubscriptionDisabled",
            summary: "Another subscription of yours is disabled",
            about: STOPPED,
            data: Schemas::response::<StoppedSubscription>,
            example: examples::stopped_subscription("The operator has disabled it."),
        },
        EventName::ReportPending => Described {
            name,
            id: "onReportPending",
            summary: "A report waits for a decision",
            about,
            data: Schemas::response::<PendingReport>,
            example: examples::pending_report(),
        },
    }
}

/// The test event: it can't be subscribed to, but every endpoint may receive it.
fn test() -> Described {
    Described {
        name: TEST,
        id: "onWebhookTest",
        summary: "A test of the endpoint",
        about: "Sent to one subscription, regardless of its `events`, when its partner or the operator tests it. \
                Signed like every event, and not retried. Respond with 2xx and do nothing.",
        data: Schemas::response::<WebhookTest>,
        example: json!({
            "message": "This is a test. Nothing happened.",
            "subscription": "sub_7hQm2Z",
        }),
    }
}

fn post(event: Described, schemas: &mut Schemas) -> Value {
    let body = json!({
        "type": "object",
        "required": ["event", "timestamp", "data"],
        "properties": {
            "event": { "type": "string", "const": event.name },
            "timestamp": { "type": "string", "format": "date-time" },
            "data": (event.data)(schemas),
        },
    });
    let example = json!({
        "event": event.name,
        "timestamp": "2026-03-01T12:00:00.000Z",
        "data": event.example,
    });
    json!({
        "operationId": event.id,
        "tags": [WEBHOOKS],
        "summary": event.summary,
        "description": event.about,
        // Each request is authenticated by its signature headers; there are no credentials.
        "security": [],
        "parameters": headers(),
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": body, "example": example } },
        },
        "responses": {
            "2XX": { "description": "Received" },
            "410": { "description": "The subscription is disabled, and receives nothing more" },
            "default": { "description": "Failed. Except for a test, the service tries again later" },
        },
    })
}

fn headers() -> [Value; 5] {
    let header = |name: &str, pattern: &str, description: &str| {
        json!({
            "name": name,
            "in": "header",
            "required": true,
            "description": description,
            "schema": { "type": "string", "pattern": pattern },
        })
    };
    [
        header("webhook-id", "^evt_", "The event\u{2019}s id, the same for every attempt."),
        header("webhook-timestamp", "^[0-9]+$", "The time of this attempt, in seconds since 1970."),
        header(
            "webhook-signature",
            "^v1,",
            "`v1,` and the base64 HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body. The key is \
                the decoded base64 after `whsec_` (Standard Webhooks). For 24 hours after a rotation, a space and the \
                signature with the previous secret follow.",
        ),
        header(
            "X-SVC-Signature",
            "^sha256=[0-9a-f]{64}$",
            "`sha256=` and the lowercase hexadecimal HMAC-SHA256 of the body. The key is the whole secret as text; \
                after a rotation, the new secret.",
        ),
        header(
            "X-SVC-Sequence",
            "^[0-9]+$",
            "The event\u{2019}s number in the log: of two events, the one with the larger number is the \
             later one.",
        ),
    ]
}
