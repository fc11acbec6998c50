//! Parameters of URLs. An endpoint lists the ones it knows in one constant: its handler reads the query
//! by that list, and its description shows the same list. How values are read is in
//! [`Parameters`](crate::api::Parameters).

use domain::idempotency::MAX_KEY;
use model::Interval;
use serde_json::{Value, json};

use crate::problem::{Code, Problem};

/// A parameter, of the query unless it is a [segment](Self::segment).
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// The code of a request in which it is missing or wrong.
    code: Code,
    place: Place,
    required: bool,
    description: &'static str,
    schema: fn() -> Value,
    example: fn() -> Value,
}

/// Where in the URL a parameter is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Query,
    Path,
}

impl Place {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Path => "path",
        }
    }
}

impl Parameter {
    /// An optional parameter with the schema and an example of its values.
    pub const fn new(
        name: &'static str,
        code: Code,
        description: &'static str,
        schema: fn() -> Value,
        example: fn() -> Value,
    ) -> Self {
        Self { name, code, place: Place::Query, required: false, description, schema, example }
    }

    /// The same parameter where a request must have it.
    pub const fn required(self, description: &'static str) -> Self {
        Self { required: true, description, ..self }
    }

    /// A segment of a path. What is not found by it is 404.
    pub const fn segment(
        name: &'static str,
        description: &'static str,
        schema: fn() -> Value,
        example: fn() -> Value,
    ) -> Self {
        let (code, place) = (Code::NotFound, Place::Path);
        Self { name, code, place, required: true, description, schema, example }
    }

    /// The same parameter where its absence means something else.
    pub const fn about(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// The problem of a request that gives it wrongly.
    pub fn problem(&self, detail: String) -> Problem {
        Problem::new(self.code, detail)
    }

    /// As the document has it.
    pub(super) fn described(&self) -> Value {
        let mut value = json!({
            "name": self.name,
            "in": self.place.as_str(),
            "description": self.description,
            "schema": (self.schema)(),
            "example": (self.example)(),
        });
        if self.required {
            value["required"] = true.into();
        }
        if value["schema"]["type"] == "array" {
            // The defaults, but not every generator knows them.
            value["style"] = "form".into();
            value["explode"] = true.into();
        }
        value
    }
}

/// The first event date of a period.
pub const FROM: Parameter = Parameter::new(
    "from",
    Code::InvalidPeriod,
    "First event date, inclusive. Without it, the period has no start.",
    date,
    || "2024-01-01".into(),
);

/// The last event date of a period.
pub const TO: Parameter = Parameter::new(
    "to",
    Code::InvalidPeriod,
    "Last event date, inclusive, not before `from`. Without it, the period has no end.",
    date,
    || "2026-12-31".into(),
);

/// What the points of a series are for.
pub const INTERVAL: Parameter = Parameter::new(
    "interval",
    Code::InvalidParameter,
    "What each point is for: a `day`, a `week` (ISO 8601, from Monday), a `month` or a `year`.",
    || {
        let names = Interval::ALL.map(Interval::as_str);
        json!({ "type": "string", "enum": names, "default": Interval::Month.as_str() })
    },
    || "month".into(),
);

pub const COUNTRY: Parameter = Parameter::new(
    "country",
    Code::InvalidParameter,
    "A country by name, in many languages, or by ISO 3166 alpha-2 or alpha-3 code.",
    text,
    || "BR".into(),
);

pub const REGION: Parameter = Parameter::new(
    "region",
    Code::InvalidParameter,
    "A region. Case and accents do not matter.",
    text,
    || "São Paulo".into(),
);

pub const CITY: Parameter = Parameter::new(
    "city",
    Code::InvalidParameter,
    "A city. Case and accents do not matter.",
    text,
    || "Campinas".into(),
);

/// The number of reports.
pub const LIMIT: Parameter = Parameter::new(
    "limit",
    Code::InvalidLimit,
    "Maximum number of reports.",
    || json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }),
    || 20.into(),
);

/// The number of events.
pub const EVENT_LIMIT: Parameter = Parameter::new(
    "limit",
    Code::InvalidLimit,
    "Maximum number of events.",
    || json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 100 }),
    || 100.into(),
);

/// Where the log is read on.
pub const AFTER: Parameter = Parameter::new(
    "after",
    Code::InvalidParameter,
    "The `next` of an earlier response. Without it, the log is read from the oldest event that is kept. \
     `latest`: no events, only the `next` for those still to come.",
    || json!({ "type": "string", "maxLength": 256, "pattern": "^(latest|c_[0-9A-Za-z]+)$" }),
    || "latest".into(),
);

/// The number of deliveries.
pub const DELIVERY_LIMIT: Parameter =
    Parameter { description: "Maximum number of deliveries.", ..LIMIT };

/// Where a list of deliveries goes on.
pub const OLDER: Parameter = Parameter::new(
    "after",
    Code::InvalidParameter,
    "The `next` of an earlier response. Without it, the newest deliveries are listed.",
    || json!({ "type": "string", "maxLength": 256, "pattern": "^c_[0-9A-Za-z]+$" }),
    || "c_4ce61".into(),
);

/// The status of deliveries.
pub const DELIVERY_STATUS: Parameter = Parameter::new(
    "status",
    Code::InvalidParameter,
    "Only deliveries with this status: `PENDING`, `DELIVERED` or `FAILED`.",
    text,
    || "FAILED".into(),
);

/// The names of events.
pub const EVENTS: Parameter = Parameter::new(
    "events",
    Code::InvalidEvents,
    "Names of events, separated by commas. Without it, all events are listed. A place narrows only those \
     about reports.",
    text,
    || "report.created,report.withdrawn".into(),
);

/// The earliest publication.
pub const SINCE: Parameter = Parameter::new(
    "since",
    Code::InvalidSince,
    "Only reports published at or after this instant: an ISO 8601 date and time, in the extended or \
     the basic format, with or without seconds. Without an offset it is UTC. Week dates and ordinal \
     dates are not supported.",
    || json!({ "type": "string", "format": "date-time" }),
    || "2026-03-01T12:00:00.000Z".into(),
);

/// Where a page begins.
pub const PAGE: Parameter = Parameter::new(
    "page",
    Code::InvalidParameter,
    "Where the page begins: from the `next` link of the page before. Follow links unchanged; what is \
     in them may change.",
    || json!({ "type": "string", "maxLength": 1024, "pattern": "^[0-9A-Za-z_-]+$" }),
    || "AAABnKlFCgByZXBfMWYwYyOrtcs".into(),
);

/// The types of reports that a view lists.
pub const TYPES: Parameter = Parameter::new(
    "types",
    Code::InvalidParameter,
    "Types of the listed reports, separated by commas.",
    text,
    || "spirit,water".into(),
);

/// Which time of a view's reports is shown.
pub const DATES: Parameter = Parameter::new(
    "dates",
    Code::InvalidParameter,
    "`event`: reports have the day of their event, as `eventDate`. `reported`, the default: they do not.",
    text,
    || "event".into(),
);

/// The language of a view's places.
pub const LANG: Parameter = Parameter::new(
    "lang",
    Code::InvalidParameter,
    "Language of the places\u{2019} names.",
    text,
    || "de".into(),
);

/// A subscription.
pub const ID: Parameter = Parameter::new(
    "id",
    Code::InvalidParameter,
    "The subscription\u{2019}s id.",
    || json!({ "type": "string", "pattern": "^sub_[0-9A-Za-z]+$" }),
    || "sub_7hQm2Z".into(),
);

fn date() -> Value {
    json!({ "type": "string", "format": "date" })
}

/// Without control characters.
fn text() -> Value {
    let pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$";
    json!({ "type": "string", "maxLength": 256, "pattern": pattern })
}

/// The request header of reads that have an entity tag.
pub(super) fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of an earlier response: if it is still current, the response is \
                        304.",
        "schema": { "type": "string" },
    })
}

/// The request header of operations that may be repeated.
pub(super) fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Names this request, for example with a UUID. Repeated with the same key and the same \
                        JSON within 24 hours, it does nothing more and has the same response.",
        "schema": { "type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+$" },
        "example": "8e03978e-40d5-43e8-bc93-6894a57f9324",
    })
}
