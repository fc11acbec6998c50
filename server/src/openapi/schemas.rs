//! The objects of the API as JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). Version 1 may add
//! members and values, so nothing is closed; the tests check that nothing is missing.

use domain::{
    event::EventName,
    subscription::{DeliveryStatus, EndpointState, MAX_SUBSCRIPTIONS, SubscriptionStatus},
};
use model::{Interval, ReportType};
use serde_json::{Map, Value, json};

use super::{open_enum, reference};
use crate::problem::Code;

/// The schemas, by name.
pub fn all() -> Value {
    json!({
        "Metrics": metrics(),
        "Series": series(),
        "SeriesPoint": series_point(),
        "Report": report(None),
        "ReportList": object(&[("reports", list("Report"))]),
        "Location": location(),
        "GeoFacets": object(&[("period", reference("Period")), ("locations", list("Location"))]),
        "Period": object(&[("from", date()), ("to", date())]),
        "StreamEvent": stream_event(),
        "MetricsEvent": event("metrics", reference("Metrics")),
        "ReportsEvent": event("reports", reference("ReportList")),
        "ViewEvent": event("view", reference("View")),
        "TickEvent": event("tick", reference("Tick")),
        "ErrorEvent": event("error", reference("TickError")),
        "OtherEvent": other_event(),
        "View": object(&[
            ("view", text("The value of the `view` parameter")),
            ("metrics", reference("Metrics")),
            ("reports", list("ViewReport")),
        ]),
        "ViewReport": view_report(),
        "Tick": json!({ "type": "object", "description": "Empty so far." }),
        "TickError": object(&[("message", text("Why this tick has no data"))]),
        "NewSubscription": new_subscription(),
        "SubscriptionChange": subscription_change(),
        "ChangedSubscription": with_warnings(&[("subscription", reference("Subscription"))]),
        "CreatedSubscription": with_warnings(&[("subscription", reference("SubscriptionWithSecret"))]),
        "Warning": warning(),
        "ReplayRequest": replay_request(),
        "Replay": object(&[("events", json!({
            "type": "integer",
            "minimum": 0,
            "description": "How many are sent again",
        }))]),
        "RotatedSubscription": object(&[("subscription", reference("SubscriptionWithNewSecret"))]),
        "SubscriptionWithNewSecret": with_new_secret(),
        "SubscriptionWithSecret": subscription(true),
        "Subscription": subscription(false),
        "EventFilter": event_filter(&open_enum(&type_names(), "The kind of event")),
        "SubscriptionList": object(&[("subscriptions", list("SubscriptionWithHealth"))]),
        "SubscriptionWithHealth": with_health(),
        "EndpointHealth": endpoint_health(),
        "PublishedReport": report(Some("APPROVED")),
        "WithdrawnReport": report(Some("WITHDRAWN")),
        "DeliveryList": delivery_list(),
        "Delivery": delivery(),
        "Attempt": attempt(),
        "EventLog": event_log(),
        "LoggedEvent": logged_event(),
        "TestResult": test_result(),
        "WebhookTest": object(&[
            ("message", text("Says that this is a test")),
            ("subscription", text("The id of the tested subscription")),
        ]),
        "Problem": problem(),
    })
}

/// Some of the schemas, for another document.
pub(crate) fn shared(names: &[&str]) -> Map<String, Value> {
    let mut all = all();
    names.iter().map(|name| ((*name).to_owned(), all[*name].take())).collect()
}

/// An object whose members are all required.
pub(crate) fn object(members: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "required": names, "properties": properties })
}

pub(crate) fn list(schema: &str) -> Value {
    json!({ "type": "array", "items": reference(schema) })
}

pub(crate) fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

pub(crate) fn instant(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

pub(crate) fn date() -> Value {
    json!({ "type": "string", "format": "date" })
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

/// How many reports there are of each type.
fn counts() -> [(&'static str, Value); 4] {
    [
        ("spirit", count("Reports of spirit events")),
        ("water", count("Reports of water events")),
        ("both", count("Reports of events that are both; they are counted only here")),
        ("total", count("spirit + water + both")),
    ]
}

fn series() -> Value {
    let intervals = Interval::ALL.map(Interval::as_str);
    object(&[
        ("interval", open_enum(&intervals, "What each point is for")),
        ("from", day("The first day of the first point")),
        ("to", day("The last day of the last point")),
        ("points", list("SeriesPoint")),
        ("updatedAt", updated_at()),
    ])
}

fn series_point() -> Value {
    let [spirit, water, both, total] = counts();
    let (from, to) = (day("The first day that is counted"), day("The last one"));
    object(&[("from", from), ("to", to), spirit, water, both, total])
}

fn day(description: &str) -> Value {
    json!({ "type": "string", "format": "date", "description": description })
}

fn updated_at() -> Value {
    instant(
        "When the published reports last changed, or the last midnight UTC if that is later: answers with the same time are of the same state",
    )
}

fn metrics() -> Value {
    let [spirit, water, both, total] = counts();
    object(&[
        spirit,
        water,
        both,
        total,
        ("spiritToday", count("Spirit events on the current UTC date, whatever the period")),
        ("waterToday", count("Water events on the current UTC date")),
        ("bothToday", count("Events on the current UTC date that are both")),
        ("totalToday", count("All events on the current UTC date")),
        ("countries", count("Distinct countries among the counted reports")),
        ("cities", count("Distinct cities (country, region, city) among the counted reports")),
        ("updatedAt", updated_at()),
    ])
}

fn delivery_list() -> Value {
    page("deliveries", list("Delivery"))
}

fn delivery() -> Value {
    let statuses = DeliveryStatus::ALL.map(DeliveryStatus::as_str);
    object(&[
        ("id", json!({ "type": "string", "pattern": "^dlv_" })),
        ("event", text("The name of the event")),
        ("eventId", json!({ "type": "string", "pattern": "^evt_" })),
        ("status", open_enum(&statuses, "What became of it so far")),
        ("createdAt", instant("When the event happened")),
        ("attempts", list("Attempt")),
    ])
}

fn attempt() -> Value {
    let started = ("startedAt", instant("When the request was begun"));
    with_outcome(object(&[started, ("durationMs", duration())]))
}

fn test_result() -> Value {
    with_outcome(object(&[("durationMs", duration())]))
}

fn duration() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

/// Adds how an attempt ended.
fn with_outcome(mut attempt: Value) -> Value {
    attempt["properties"]["status"] =
        json!({ "type": "integer", "description": "The status of the response" });
    attempt["properties"]["error"] = text("Why there was no response");
    attempt
}

/// A part of something long.
fn page(name: &str, items: Value) -> Value {
    let next = json!({
        "type": "string",
        "pattern": "^c_",
        "description": "Where to read on: the `after` of the next request. What is in it may change",
    });
    let more =
        json!({ "type": "boolean", "description": "Whether there is more to read after this" });
    object(&[(name, items), ("next", next), ("more", more)])
}

fn event_log() -> Value {
    page("events", list("LoggedEvent"))
}

fn logged_event() -> Value {
    let names = EventName::ALL.map(EventName::as_str);
    let variants = ["PublishedReport", "WithdrawnReport", "Metrics"];
    let data = json!({
        "anyOf": variants.map(reference),
        "description": "As a webhook has it",
    });
    let sequence = json!({
        "type": "integer",
        "minimum": 1,
        "description": "Grows from event to event, with gaps; a webhook has it as X-SVC-Sequence",
    });
    object(&[
        ("id", json!({ "type": "string", "pattern": "^evt_" })),
        ("sequence", sequence),
        ("event", open_enum(&names, "The name of an event")),
        ("timestamp", instant("When it happened")),
        ("data", data),
    ])
}

fn report(status: Option<&str>) -> Value {
    let types = type_names();
    let mut members = vec![
        ("id", text("Identifies the report")),
        ("city", text("As reported")),
        ("country", text("As reported")),
        ("peopleCount", json!({ "type": "integer", "minimum": 0 })),
        ("type", open_enum(&types, "The kind of event: `spirit`, `water` or `both`")),
        ("createdAt", instant("When it was reported")),
    ];
    if let Some(status) = status {
        members.push(("status", open_enum(&[status], "The report\u{2019}s status")));
    }
    object(&members)
}

/// A report of a view, which may have asked for more than lists have.
fn view_report() -> Value {
    let mut report = report(None);
    let description = "The day of the event, if the view has `dates=event`";
    report["properties"]["eventDate"] =
        json!({ "type": "string", "format": "date", "description": description });
    report
}

fn location() -> Value {
    object(&[
        ("country", text("In the spelling first published")),
        ("region", text("Empty if none was reported")),
        ("city", text("In the spelling first published")),
    ])
}

fn stream_event() -> Value {
    let variants =
        ["MetricsEvent", "ReportsEvent", "ViewEvent", "TickEvent", "ErrorEvent", "OtherEvent"];
    json!({
        "description": "An event of the stream: its name, and the JSON of its `data` line.",
        "anyOf": variants.map(reference),
    })
}

fn event(name: &str, data: Value) -> Value {
    object(&[("event", json!({ "type": "string", "const": name })), ("data", data)])
}

fn other_event() -> Value {
    let name = json!({ "type": "string" });
    let data = json!({ "type": "object" });
    let mut schema = object(&[("event", name), ("data", data)]);
    schema["description"] = "An event that a later release adds: ignore it.".into();
    schema
}

/// A new subscription's members, all optional, and the status.
fn subscription_change() -> Value {
    let mut change = new_subscription();
    if let Some(members) = change.as_object_mut() {
        members.remove("required");
    }
    change["minProperties"] = 1.into();
    let filter = change["properties"]["filter"].take();
    change["properties"]["filter"] = json!({
        "anyOf": [filter, { "type": "null" }],
        "description": "Replaces the filter as a whole; `null` removes it",
    });
    change["properties"]["status"] = json!({
        "type": "string",
        "enum": SubscriptionStatus::ALL,
        "description": "Whether events are sent",
    });
    change
}

fn replay_request() -> Value {
    json!({
        "type": "object",
        "minProperties": 1,
        "properties": {
            "from": {
                "type": "string",
                "format": "date-time",
                "description": "Everything of this time or later, of what is kept; not with `after`",
            },
            "after": text("Everything after this cursor, a `next` of the log"),
            "status": {
                "type": "string",
                "enum": ["FAILED"],
                "description": "Only what has failed for good",
            },
        },
    })
}

fn new_subscription() -> Value {
    let url = json!({
        "type": "string",
        "format": "uri",
        "maxLength": 2048,
        "description": "An `https` URL without user info or fragment. Its host must have only \
                        public addresses",
    });
    let events = json!({
        "type": "array",
        "items": { "type": "string", "enum": EventName::ALL.map(EventName::as_str) },
        "minItems": 1,
        "description": "The events to send",
    });
    let mut new = object(&[("url", url), ("events", events)]);
    new["properties"]["filter"] = event_filter(&json!({ "type": "string", "enum": type_names() }));
    new
}

pub(crate) fn type_names() -> [&'static str; 3] {
    ReportType::ALL.map(ReportType::as_str)
}

/// A subscription's filter, with the schema of a type.
fn event_filter(kind: &Value) -> Value {
    let part = |description: &str| json!({ "type": "string", "maxLength": 256, "description": description });
    json!({
        "type": "object",
        "description": "Which events about reports are sent; without it, all. Other events are always sent",
        "properties": {
            "country": part("Only reports from there: a name, in many languages, or an ISO 3166 code"),
            "region": part("Only reports from this region. Case and accents do not matter"),
            "city": part("Only reports from this city. Case and accents do not matter"),
            "types": {
                "type": "array",
                "items": kind,
                "minItems": 1,
                "description": "Only reports of these types",
            },
        },
    })
}

/// An object with these members, and `warnings` if there are any.
pub(crate) fn with_warnings(members: &[(&str, Value)]) -> Value {
    let mut schema = object(members);
    schema["properties"]["warnings"] = list("Warning");
    schema
}

fn warning() -> Value {
    let mut schema = object(&[("detail", text("What may not be meant, and what it does"))]);
    schema["properties"]["pointer"] =
        text("JSON pointer (RFC 6901) to the member of the request that it is about");
    schema["description"] = "The request was accepted all the same.".into();
    schema
}

fn with_health() -> Value {
    json!({
        "allOf": [reference("Subscription"), object(&[("health", reference("EndpointHealth"))])],
    })
}

fn endpoint_health() -> Value {
    let backlog = json!({
        "type": "integer",
        "minimum": 0,
        "description": "Events that are still to be sent, or wait for another attempt. Of the log, only the next 100,000 \
                        are counted",
    });
    let states = "`HEALTHY`; `FAILING`: the last attempts failed; `PAUSED`: nothing is sent but a probe now and then; \
                  `DISABLED`: nothing is sent";
    let mut schema =
        object(&[("state", open_enum(&EndpointState::ALL, states)), ("backlog", backlog)]);
    schema["properties"]["since"] = instant("When the first of the current failures began");
    schema["properties"]["reason"] =
        text("Why the last attempt failed, or why the subscription is disabled");
    schema["properties"]["nextAttemptAt"] =
        instant("When the next attempt is due. Of a paused endpoint, that is the next probe");
    schema
}

fn with_new_secret() -> Value {
    json!({ "allOf": [reference("Subscription"), object(&[("secret", secret())])] })
}

fn secret() -> Value {
    json!({
        "type": "string",
        "pattern": "^whsec_",
        "description": "The key of the signatures. Only this response contains it",
    })
}

fn subscription(is_new: bool) -> Value {
    let names = EventName::ALL.map(EventName::as_str);
    let events = json!({
        "type": "array",
        "items": open_enum(&names, "The name of an event"),
        "minItems": 1,
        "description": "The events that are sent",
    });
    let created_at = instant("When the subscription was created");
    let mut members = vec![
        ("id", json!({ "type": "string", "pattern": "^sub_" })),
        ("url", text("Where events are sent")),
        ("events", events),
    ];
    if is_new {
        members.extend([("secret", secret()), ("createdAt", created_at)]);
        let mut schema = object(&members);
        schema["properties"]["filter"] = reference("EventFilter");
        return schema;
    }
    let statuses = SubscriptionStatus::ALL.map(SubscriptionStatus::as_str);
    let status = open_enum(&statuses, "`ACTIVE` or `DISABLED`");
    members.extend([("createdAt", created_at), ("status", status)]);
    let mut schema = object(&members);
    schema["properties"]["filter"] = reference("EventFilter");
    schema["properties"]["disabledReason"] = text("Why the subscription is disabled");
    schema["description"] =
        format!("A partner has at most {MAX_SUBSCRIPTIONS} subscriptions.").into();
    schema
}

pub(crate) fn problem() -> Value {
    let described =
        |code: Code| format!("- `{}` ({}): {}", code.as_str(), code.status().as_u16(), code.when());
    let about =
        format!("Identifies the kind of problem.\n\n{}", Code::ALL.map(described).join("\n"));
    let mut schema = object(&[
        (
            "type",
            json!({
                "type": "string",
                "format": "uri-reference",
                "description": "Where the code is explained, relative to the service",
            }),
        ),
        ("title", text("The same for every problem with this code")),
        ("status", json!({ "type": "integer", "minimum": 400, "maximum": 599 })),
        ("detail", text("What is wrong with this request, and how to fix it")),
        ("code", open_enum(&Code::ALL.map(Code::as_str), &about)),
    ]);
    schema["properties"]["pointer"] = text(
        "JSON pointer (RFC 6901) to the member of the body that is to blame. Only if there is one",
    );
    schema["properties"]["requestId"] =
        text("Identifies the request in the service\u{2019}s log. Only if the service is at fault");
    schema["description"] = "RFC 9457, sent as `application/problem+json`.".into();
    schema["example"] = json!({
        "type": "/docs/errors#INVALID_PERIOD",
        "title": Code::InvalidPeriod.title(),
        "status": Code::InvalidPeriod.status().as_u16(),
        "detail": "\"from\" is missing: give a date as YYYY-MM-DD.",
        "code": Code::InvalidPeriod.as_str(),
    });
    schema
}
