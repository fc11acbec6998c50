//! The parameters of operations. Which values each takes is decided by
//! [`Parameters`](crate::api::Parameters).

use serde_json::{Value, json};

use crate::answers::view::MAX_VIEWS;

fn query(name: &str, description: &str, schema: Value, example: Value) -> Value {
    json!({
        "name": name,
        "in": "query",
        "description": description,
        "schema": schema,
        "example": example,
    })
}

fn date(name: &str, description: &str, example: &str) -> Value {
    query(name, description, json!({ "type": "string", "format": "date" }), example.into())
}

fn place(name: &str, description: &str, example: &str) -> Value {
    query(name, description, json!({ "type": "string", "maxLength": 256 }), example.into())
}

/// Both ends of a period on the event date, each of which may be left open.
pub(in super::super) fn period() -> [Value; 2] {
    [
        date("from", "First event date that counts. Left out: from the beginning.", "2024-01-01"),
        date("to", "Last event date that counts. Left out: until today and later.", "2026-12-31"),
    ]
}

/// Both ends of a period, which have to be given.
pub(in super::super) fn required_period() -> [Value; 2] {
    let required = |mut parameter: Value| {
        parameter["required"] = true.into();
        parameter
    };
    [
        required(date("from", "First event date that counts.", "2024-01-01")),
        required(date("to", "Last event date that counts.", "2026-12-31")),
    ]
}

/// Case and accents do not matter, and blank is no filter.
pub(in super::super) fn places() -> [Value; 3] {
    [
        place(
            "country",
            "A country by name, in many languages, or by ISO 3166 alpha-2 or alpha-3 code.",
            "BR",
        ),
        place("region", "A region. Case and accents do not matter.", "São Paulo"),
        place("city", "A city. Case and accents do not matter.", "Campinas"),
    ]
}

/// What a stream carries beside other views.
pub(in super::super) fn views() -> Value {
    json!({
        "name": "view",
        "in": "query",
        "description": "What one place shows, as a query of its own: any of `country`, `region`, \
                        `city`, `from`, `to`, `types` (some of `spirit,water,both`: which reports \
                        are listed), `limit` and `lang` (in which language places have their \
                        names). Empty is everything. Give it once for each, up to 16 times, and no \
                        place beside it.",
        "schema": { "type": "array", "items": { "type": "string" }, "maxItems": MAX_VIEWS },
        "style": "form",
        "explode": true,
        "example": ["country=BR&limit=5", "lang=de"],
    })
}

/// How many reports.
pub(in super::super) fn limit() -> Value {
    let schema = json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 20 });
    query("limit", "How many reports at the most.", schema, 20.into())
}

/// From which publication on.
pub(in super::super) fn since() -> Value {
    query(
        "since",
        "Reports published at or after this instant. Without an offset it is UTC.",
        json!({ "type": "string", "format": "date-time" }),
        "2026-03-01T12:00:00.000Z".into(),
    )
}

/// Which subscription.
pub(in super::super) fn subscription() -> Value {
    let schema = json!({ "type": "string", "pattern": "^sub_" });
    let mut id = query("id", "The subscription\u{2019}s id.", schema, "sub_7hQm2Z".into());
    id["required"] = true.into();
    id
}

/// For reads with an entity tag.
pub(super) fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of an answer that is there already: 304 if it is still right.",
        "schema": { "type": "string" },
    })
}
