//! The objects of the operators' API as JSON Schema, besides those that it shares with the public one.

use domain::{
    action::Action, report::Status, scope::Scope, subscription::DeliveryStatus, tier::Tier,
};
use model::ReportType;
use serde_json::{Map, Value, json};
use store::Mode;

use crate::openapi::{
    open_enum, reference,
    schemas::{date, instant, list, object, shared, text, type_names, with_warnings},
};

/// The schemas, by name.
pub(super) fn all() -> Value {
    let mut schemas = json!({
        "Report": report(),
        "ReportWithHistory": report_with_history(),
        "ReportPage": items("Report"),
        "NewReport": row(&["type", "city", "country"]),
        "Correction": row(&[]),
        "CorrectionRefused": object(&[("reasons", list("Reason"))]),
        "Reason": object(&[
            ("field", or_null(text("The member to blame, if it is one"))),
            ("reason", text("What is wrong with it")),
        ]),
        "Added": added(),
        "RefusedRow": object(&[
            ("line", count("The line of the body where the row begins, from 1")),
            ("field", or_null(text("The column to blame, if it is one"))),
            ("reason", text("What is wrong with it")),
        ]),
        "Decision": decision(),
        "ReportFilter": report_filter(),
        "Decided": object(&[
            ("changed", count("How many reports were decided on")),
            ("refused", list("Refused")),
        ]),
        "Refused": object(&[
            ("id", text("The report\u{2019}s id")),
            ("reason", text("Why it was not changed, and who changed it first")),
        ]),
        "Import": import(),
        "StatusCounts": object(&[
            ("pending", count("Reports that wait for a decision")),
            ("approved", count("Published reports")),
            ("rejected", count("Rejected reports")),
            ("withdrawn", count("Withdrawn reports")),
        ]),
        "ImportPage": items("Import"),
        "AuditEntry": audit_entry(),
        "AuditPage": items("AuditEntry"),
        "Key": key(),
        "KeyPage": items("Key"),
        "NewKey": new_key(),
        "IssuedKey": issued_key(),
        "RevokedKey": object(&[
            ("prefix", text("Identifies the key")),
            ("revoked", flag()),
            ("disabledSubscriptions", texts("Subscriptions of a partner that has no other key")),
        ]),
        "WebhookPage": items("Webhook"),
        "Webhook": webhook(),
        "EnabledWebhook": object(&[
            ("subscription", text("Its id")),
            ("enabled", flag()),
            ("missed", count("Number of events that it gets now")),
        ]),
        "NewState": json!({
            "type": "object",
            "properties": { "reason": text("Shown to the partner, at most 500 characters") },
        }),
        "DisabledWebhook": object(&[("subscription", text("Its id")), ("disabled", flag())]),
        "DeletedWebhook": object(&[("subscription", text("Its id")), ("deleted", flag())]),
        "DeliveryPage": items("Delivery"),
        "Delivery": delivery(),
        "DueDelivery": object(&[("delivery", text("Its id")), ("due", flag())]),
        "Status": status(),
    });
    if let Value::Object(schemas) = &mut schemas {
        schemas.extend(shared(&[
            "EventFilter",
            "ReplayRequest",
            "Replay",
            "TestResult",
            "Problem",
            "Warning",
        ]));
    }
    schemas
}

/// A part of a list.
fn items(item: &str) -> Value {
    let more = json!({
        "type": "boolean",
        "description": "Whether there is more to read after this",
    });
    let mut page = object(&[("items", list(item)), ("more", more)]);
    page["properties"]["next"] =
        text("Where to read on: the `after` of the next request. Only if there is more");
    page
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

fn flag() -> Value {
    json!({ "type": "boolean", "const": true })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

/// The same, or `null`.
fn or_null(mut schema: Value) -> Value {
    let description = schema["description"].take();
    if let Value::Object(members) = &mut schema {
        members.remove("description");
    }
    json!({ "anyOf": [schema, { "type": "null" }], "description": description })
}

/// Adds members that may be missing.
fn with_optional(mut schema: Value, members: &[(&str, Value)]) -> Value {
    for (name, member) in members {
        schema["properties"][*name] = member.clone();
    }
    schema
}

fn report_members() -> Vec<(&'static str, Value)> {
    let statuses = Status::ALL.map(Status::as_str);
    vec![
        ("id", text("Identifies the report")),
        ("type", open_enum(&type_names(), "The kind of event")),
        ("status", open_enum(&statuses, "What was decided")),
        ("city", text("As reported")),
        ("region", text("As reported; empty if none was")),
        ("country", text("As reported")),
        ("peopleCount", count("Number of people")),
        ("eventDate", date()),
        ("createdAt", instant("When it was reported")),
        ("publishedAt", or_null(instant("When it was published, if it is"))),
    ]
}

fn position() -> (&'static str, Value) {
    let degrees = json!({ "type": "number", "description": "Degrees" });
    ("position", object(&[("lat", degrees.clone()), ("lng", degrees)]))
}

fn report() -> Value {
    with_optional(object(&report_members()), &[position()])
}

fn report_with_history() -> Value {
    let mut members = report_members();
    members.extend([
        ("import", or_null(text("The id of the import that added it, if there was one"))),
        ("history", list("AuditEntry")),
    ]);
    with_optional(object(&members), &[position()])
}

/// A report as files have it: see docs/import.md.
fn row(required: &[&str]) -> Value {
    let (text, number) = (|| json!({ "type": "string" }), || json!({ "type": "number" }));
    let mut row = json!({
        "type": "object",
        "required": required,
        "properties": {
            "type": { "type": "string", "enum": ReportType::ALL.map(ReportType::as_str) },
            "city": text(),
            "region": text(),
            "country": text(),
            "peopleCount": { "type": "integer", "minimum": 1, "maximum": 1_000_000, "default": 1 },
            "eventDate": date(),
            "lat": number(),
            "lng": number(),
        },
    });
    if required.is_empty() {
        if let Value::Object(members) = &mut row {
            members.remove("required");
        }
        return row;
    }
    let created = instant("When it was reported; without it, now");
    let id = json!({
        "type": "string",
        "maxLength": domain::report_id::MAX_CHARACTERS,
        "description": "Identifies the report; without it, an id follows from the content",
    });
    with_optional(row, &[("id", id), ("createdAt", created)])
}

fn added() -> Value {
    with_warnings(&[
        ("rows", count("Reports in the body")),
        ("imported", count("Those that were added")),
        ("skipped", count("Those that were there already")),
        ("refused", count("Those that are not valid")),
        ("import", or_null(text("The id of the import, if anything was added"))),
        ("reasons", list("RefusedRow")),
    ])
}

fn decision() -> Value {
    json!({
        "description": "Which reports: by their ids, by the import that added them, or by a filter.",
        "anyOf": [
            object(&[("ids", texts("Ids of reports"))]),
            object(&[("import", text("The id of an import"))]),
            object(&[("filter", reference("ReportFilter"))]),
        ],
    })
}

fn report_filter() -> Value {
    json!({
        "type": "object",
        "minProperties": 1,
        "description": "A report must match all of them. One that has nothing but a status is refused.",
        "properties": {
            "status": { "type": "string", "enum": Status::ALL.map(Status::as_str) },
            "import": text("The id of an import"),
            "type": { "type": "string", "enum": ReportType::ALL.map(ReportType::as_str) },
            "country": text("By name, in many languages, or by ISO 3166 code"),
            "region": text("Case and accents do not matter"),
            "city": text("Case and accents do not matter"),
            "from": date(),
            "to": date(),
            "q": text("In the id, or in the name of the city, region or country"),
        },
    })
}

fn import() -> Value {
    let modes = [Mode::Pending, Mode::Approve, Mode::Backfill].map(Mode::as_str);
    object(&[
        ("id", json!({ "type": "string", "pattern": "^imp_" })),
        ("createdAt", instant("When it began")),
        ("file", or_null(text("The name of the file, if it was one"))),
        ("mode", open_enum(&modes, "What its reports were imported as")),
        ("reports", reference("StatusCounts")),
    ])
}

fn audit_entry() -> Value {
    let members =
        |description: &str| or_null(json!({ "type": "object", "description": description }));
    object(&[
        ("at", instant("When it was done")),
        ("actor", text("Who did it, by name")),
        ("key", or_null(text("The prefix of the key that they used; none on the command line"))),
        ("origin", text("The address that they came from, or whose command line they used")),
        ("action", open_enum(&Action::ALL.map(Action::as_str), "What was done")),
        ("subject", text("What it was done to: an id, or how many reports")),
        ("before", members("What was changed, as it was")),
        ("after", members("The same, as it is since")),
    ])
}

fn holder() -> Vec<(&'static str, Value)> {
    vec![
        ("prefix", text("The first characters, which identify the key")),
        ("partner", text("Whose it is")),
        ("tier", open_enum(&Tier::ALL.map(Tier::as_str), "What it allows")),
        ("createdAt", instant("When it was created")),
        ("expiresAt", or_null(instant("Until when it is valid"))),
    ]
}

fn scope() -> (&'static str, Value) {
    ("scope", open_enum(&Scope::ALL.map(Scope::as_str), "What an operator\u{2019}s key allows"))
}

fn key() -> Value {
    let mut members = holder();
    members.extend([
        ("revokedAt", or_null(instant("When it was revoked, if it was"))),
        ("lastUsedAt", or_null(instant("When it was last used, to the minute or so"))),
    ]);
    with_optional(object(&members), &[scope()])
}

fn new_key() -> Value {
    let partner = text("The partner that it is for; of an operator\u{2019}s, the person or tool");
    let tier =
        json!({ "type": "string", "enum": Tier::ALL.map(Tier::as_str), "default": "partner" });
    let scope = json!({ "type": "string", "enum": Scope::ALL.map(Scope::as_str) });
    let mut expires = date();
    expires["description"] = "The last day on which it is valid (UTC)".into();
    let optional = [("tier", tier), ("scope", scope), ("expires", expires)];
    with_optional(object(&[("partner", partner)]), &optional)
}

fn issued_key() -> Value {
    let mut members = holder();
    members.push(("key", text("The key. Only this response contains it")));
    with_optional(object(&members), &[scope()])
}

fn webhook() -> Value {
    let properties = shared(&["Subscription"]).remove("Subscription").unwrap_or_default();
    let mut members: Map<String, Value> = match &properties["properties"] {
        Value::Object(members) => members.clone(),
        _ => Map::new(),
    };
    let own = [
        ("partner", text("Whose it is")),
        ("failingSince", or_null(instant("Since when all attempts have failed, if they have"))),
        ("pausedUntil", or_null(instant("When the next attempt is made after failures"))),
        ("pending", count("Pending events; at most 100,000 of the log are counted")),
        ("delivered", count("Deliveries that succeeded, of those that are kept")),
        ("failed", count("Deliveries that failed for good, of those that are kept")),
    ];
    members.extend(own.map(|(name, schema)| (name.to_owned(), schema)));
    let optional = ["filter", "disabledReason"];
    let required: Vec<&String> =
        members.keys().filter(|name| !optional.contains(&name.as_str())).collect();
    json!({ "type": "object", "required": required, "properties": members })
}

fn delivery() -> Value {
    let statuses = DeliveryStatus::ALL.map(DeliveryStatus::as_str);
    let status = json!({ "type": "integer", "description": "The status of the response" });
    let mut attempt = object(&[
        ("startedAt", instant("When the request was begun")),
        ("durationMs", count("How long it took")),
        ("statusCode", or_null(status)),
        ("error", or_null(text("Why there was no response"))),
    ]);
    attempt["description"] = "The newest attempt".into();
    object(&[
        ("id", json!({ "type": "string", "pattern": "^dlv_" })),
        ("subscription", text("The id of the subscription")),
        ("event", text("The name of the event")),
        ("eventId", json!({ "type": "string", "pattern": "^evt_" })),
        ("createdAt", instant("When the event happened")),
        ("status", open_enum(&statuses, "What became of it so far")),
        ("attempts", count("How often it was tried")),
        ("lastAttempt", or_null(attempt)),
        ("nextAttemptAt", or_null(instant("When the next attempt is due"))),
    ])
}

fn status() -> Value {
    let data = object(&[
        ("version", count("Grows with every change")),
        ("changedAt", instant("When the reports last changed")),
        ("ageMs", count("How long ago it was known to be current")),
    ]);
    let reports = object(&[
        ("approved", count("Published reports")),
        ("pending", count("Reports that wait for a decision; no more than 100,001 are counted")),
    ]);
    let webhooks = object(&[
        ("active", count("Subscriptions that are sent events")),
        ("disabled", count("Those that are not")),
        ("pending", count("Events that wait, of all subscriptions together")),
        ("oldestSeconds", count("The age of the oldest of them")),
    ]);
    let is_up = json!({ "type": "boolean", "description": "Whether the server can be reached" });
    let redis =
        object(&[("isUp", is_up), ("nodes", count("Nodes that share the limits, as last known"))]);
    let status = object(&[
        ("version", text("Of the program")),
        ("database", open_enum(&["sqlite", "postgres"], "Which database it uses")),
        ("problems", texts("What is wrong, in sentences; empty if nothing is")),
        ("data", data),
        ("reports", reports),
        ("webhooks", webhooks),
        ("openStreams", count("Streams that this node serves")),
    ]);
    with_optional(status, &[("redis", redis)])
}
