//! The objects that travel, as JSON Schema (draft 2020-12, as OpenAPI 3.1 has it). Members may be
//! added in version 1, so nothing is closed; the tests see to it that nothing is missing.

use serde_json::{Value, json};

use super::operation::reference;
use crate::{
    http::problem::Code,
    webhooks::{event::EventName, subscription::MAX_SUBSCRIPTIONS},
};

/// All of them, by name.
pub(super) fn all() -> Value {
    json!({
        "Metrics": metrics(),
        "Report": report(false),
        "ReportList": object(&[("reports", list("Report"))]),
        "Location": location(),
        "GeoFacets": geo_facets(),
        "StreamEvent": stream_event(),
        "View": object(&[
            ("view", text("The value of the parameter that asked for it")),
            ("metrics", reference("Metrics")),
            ("reports", list("Report")),
        ]),
        "NewSubscription": new_subscription(),
        "CreatedSubscription": object(&[("subscription", subscription(true))]),
        "Subscription": subscription(false),
        "SubscriptionList": object(&[("subscriptions", list("Subscription"))]),
        "PublishedReport": report(true),
        "Problem": problem(),
    })
}

/// An object whose members are all required.
fn object(members: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "required": names, "properties": properties })
}

fn list(schema: &str) -> Value {
    json!({ "type": "array", "items": reference(schema) })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn instant(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

fn date() -> Value {
    json!({ "type": "string", "format": "date" })
}

fn events() -> Value {
    json!({
        "type": "array",
        "items": { "enum": EventName::ALL.map(EventName::as_str) },
        "minItems": 1,
    })
}

fn metrics() -> Value {
    let count =
        |description: &str| json!({ "type": "integer", "minimum": 0, "description": description });
    object(&[
        ("spirit", count("Reports of spirit events")),
        ("water", count("Reports of water events")),
        ("both", count("Reports of events that are both; they count here only")),
        ("total", count("spirit + water + both")),
        ("spiritToday", count("Of those, the ones of the current UTC date, whatever the period")),
        ("waterToday", count("The same for water")),
        ("bothToday", count("The same for both")),
        ("totalToday", count("The same for all")),
        ("countries", count("Distinct countries among the counted reports")),
        ("cities", count("Distinct cities (country, region, city) among the counted reports")),
        ("updatedAt", instant("When the counters were computed")),
    ])
}

fn report(with_status: bool) -> Value {
    let mut members = vec![
        ("id", text("What names the report")),
        ("city", text("As it was given")),
        ("country", text("As it was given")),
        ("peopleCount", json!({ "type": "integer", "minimum": 0 })),
        ("type", json!({ "enum": app::model::ReportType::ALL.map(|kind| kind.as_str()) })),
        ("createdAt", instant("When it was reported")),
    ];
    if with_status {
        members.push(("status", json!({ "const": "APPROVED" })));
    }
    object(&members)
}

fn location() -> Value {
    let region = text("Empty where none was given");
    object(&[
        ("country", text("In the spelling first published")),
        ("region", region),
        ("city", text("In the spelling first published")),
    ])
}

fn geo_facets() -> Value {
    let period = object(&[("from", date()), ("to", date())]);
    object(&[("period", period), ("locations", list("Location"))])
}

fn stream_event() -> Value {
    let event =
        |name: &str, data: Value| object(&[("event", json!({ "const": name })), ("data", data)]);
    json!({
        "description": "An event of the stream, with the JSON in its `data` lines.",
        "oneOf": [
            event("metrics", reference("Metrics")),
            event("reports", reference("ReportList")),
            event("view", reference("View")),
            event("tick", object(&[])),
            event("error", object(&[("message", text("Why this tick has no data"))])),
        ],
    })
}

fn new_subscription() -> Value {
    let url = json!({
        "type": "string",
        "format": "uri",
        "maxLength": 2048,
        "description": "An `https` URL without user info and fragment, whose host has public addresses only",
    });
    object(&[("url", url), ("events", events())])
}

fn subscription(is_new: bool) -> Value {
    let mut members = vec![
        ("id", json!({ "type": "string", "pattern": "^sub_" })),
        ("url", text("Where events are sent")),
        ("events", events()),
    ];
    if is_new {
        let secret = json!({
            "type": "string",
            "pattern": "^whsec_",
            "description": "What deliveries are signed with; shown in this answer only",
        });
        members.extend([("secret", secret), ("createdAt", instant("When it was made"))]);
        return object(&members);
    }
    members.extend([
        ("createdAt", instant("When it was made")),
        ("status", json!({ "enum": ["ACTIVE", "DISABLED"] })),
    ]);
    let mut schema = object(&members);
    schema["properties"]["disabledReason"] = text("Why, where it is disabled");
    schema["description"] =
        format!("A partner has {MAX_SUBSCRIPTIONS} of them at the most.").into();
    schema
}

fn problem() -> Value {
    let said =
        |code: Code| format!("- `{}` ({}): {}", code.as_str(), code.status().as_u16(), code.when());
    let code = json!({
        "type": "string",
        "enum": Code::ALL.map(Code::as_str),
        "description": format!("Which kind of problem it is.\n\n{}", Code::ALL.map(said).join("\n")),
    });
    let mut schema = object(&[
        (
            "type",
            json!({
                "type": "string",
                "format": "uri-reference",
                "description": "Where the code is explained, relative to the service",
            }),
        ),
        ("title", text("The same for every problem of the code")),
        ("status", json!({ "type": "integer", "minimum": 400, "maximum": 599 })),
        ("detail", text("What is wrong with this request, and what to change")),
        ("code", code),
    ]);
    schema["properties"]["requestId"] =
        text("What the log names the request by, where the reason is inside the service");
    schema["description"] = "RFC 9457, in `application/problem+json`.".into();
    schema["example"] = json!({
        "type": "/docs/errors#INVALID_PERIOD",
        "title": Code::InvalidPeriod.title(),
        "status": Code::InvalidPeriod.status().as_u16(),
        "detail": "\"from\" is missing: give a date as YYYY-MM-DD.",
        "code": Code::InvalidPeriod.as_str(),
    });
    schema
}
