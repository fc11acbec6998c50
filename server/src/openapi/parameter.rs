//! URL parameters. An endpoint lists its parameters in one constant: its handler reads the query by that list, and the
//! API document shows the same list. [`Parameters`](crate::api::Parameters) reads the values.

use domain::idempotency::MAX_KEY;
use model::Interval;
use serde::Serialize;
use serde_json::{Value, json};

use crate::problem::{Code, Problem};

/// A query parameter or a path [segment](Self::segment).
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// Code of the problem if the parameter is missing or wrong.
    code: Code,
    place: Location,
    required: bool,
    description: &'static str,
    schema: fn() -> Value,
    example: &'static str,
}

/// Place of a parameter in the URL.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Location {
    Query,
    Path,
}

impl Parameter {
    /// An optional parameter with the schema and an example of its values. Examples of values other than texts are
    /// JSON.
    pub const fn new(
        name: &'static str,
        description: &'static str,
        schema: fn() -> Value,
        example: &'static str,
    ) -> Self {
        let (code, place) = (Code::InvalidParameter, Location::Query);
        Self { name, code, place, required: false, description, schema, example }
    }

    /// Sets the code of the problem.
    pub const fn code(self, code: Code) -> Self {
        Self { code, ..self }
    }

    /// Makes the parameter required.
    pub const fn required(self, description: &'static str) -> Self {
        Self { required: true, description, ..self }
    }

    /// A path segment. If nothing matches it, the response is 404.
    pub const fn segment(
        name: &'static str,
        description: &'static str,
        schema: fn() -> Value,
        example: &'static str,
    ) -> Self {
        let parameter = Self::new(name, description, schema, example);
        Self { code: Code::NotFound, place: Location::Path, required: true, ..parameter }
    }

    /// Sets the description.
    pub const fn about(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// Sets the example.
    pub const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// Problem of a request with a wrong value.
    pub fn problem(&self, detail: String) -> Problem {
        Problem::new(self.code, detail)
    }

    /// Converts the parameter to JSON for the document.
    pub(super) fn described(&self) -> Value {
        let schema = (self.schema)();
        let example: Value = match schema["type"] == "string" {
            true => self.example.into(),
            false => serde_json::from_str(self.example).unwrap_or_default(),
        };
        let mut value = json!({
            "name": self.name,
            "in": self.place,
            "description": self.description,
            "schema": schema,
            "example": example,
        });
        if self.required {
            value["required"] = true.into();
        }
        if value["schema"]["type"] == "array" {
            // The defaults, written out because not every generator assumes them.
            value["style"] = "form".into();
            value["explode"] = true.into();
        }
        value
    }
}

/// First event date of a period.
pub const FROM: Parameter = Parameter::new(
    "from",
    "First event date, inclusive. Without it, the period has no start.",
    date,
    "2024-01-01",
)
.code(Code::InvalidPeriod);

/// Last event date of a period.
pub const TO: Parameter = Parameter::new(
    "to",
    "Last event date, inclusive, not before `from`. Without it, the period has no end.",
    date,
    "2026-12-31",
)
.code(Code::InvalidPeriod);

/// Interval of the points of a series.
pub const INTERVAL: Parameter = Parameter::new(
    "interval",
    "What each point is for: a `day`, a `week` (ISO 8601, from Monday), a `month` or a `year`.",
    || {
        let names = Interval::ALL.map(Interval::as_str);
        json!({ "type": "string", "enum": names, "default": Interval::Month.as_str() })
    },
    "month",
);

pub const COUNTRY: Parameter = Parameter::new(
    "country",
    "A country by name, in many languages, or by ISO 3166 alpha-2 or alpha-3 code.",
    text,
    "BR",
);

pub const REGION: Parameter =
    Parameter::new("region", "A region. Case and accents do not matter.", text, "São Paulo");

pub const CITY: Parameter =
    Parameter::new("city", "A city. Case and accents do not matter.", text, "Campinas");

/// Number of reports.
pub const LIMIT: Parameter =
    Parameter::new("limit", "Maximum number of reports.", || up_to_100(20), "20")
        .code(Code::InvalidLimit);

/// Number of events.
pub const EVENT_LIMIT: Parameter =
    Parameter::new("limit", "Maximum number of events.", || up_to_100(100), "100")
        .code(Code::InvalidLimit);

/// Position in the event log.
pub const AFTER: Parameter = Parameter::new(
    "after",
    "The `next` of an earlier response. Without it, the log is read from the oldest event that is kept. \
     `latest`: no events, only the `next` for those still to come.",
    || json!({ "type": "string", "maxLength": 256, "pattern": "^(latest|c_[0-9A-Za-z]+)$" }),
    "latest",
);

/// Number of deliveries.
pub const DELIVERY_LIMIT: Parameter = LIMIT.about("Maximum number of deliveries.");

/// Position in a list of deliveries.
pub const OLDER: Parameter = Parameter::new(
    "after",
    "The `next` of an earlier response. Without it, the newest deliveries are listed.",
    || json!({ "type": "string", "maxLength": 256, "pattern": "^c_[0-9A-Za-z]+$" }),
    "c_4ce61",
);

/// Status of deliveries.
pub const DELIVERY_STATUS: Parameter = Parameter::new(
    "status",
    "Only deliveries with this status: `PENDING`, `DELIVERED` or `FAILED`.",
    text,
    "FAILED",
);

/// Names of events.
pub const EVENTS: Parameter = Parameter::new(
    "events",
    "Names of events, separated by commas. Without it, all events are listed. A place narrows only those about \
        reports.",
    text,
    "report.created,report.withdrawn",
)
.code(Code::InvalidEvents);

/// Earliest publication.
pub const SINCE: Parameter = Parameter::new(
    "since",
    "Only reports published at or after this instant: an ISO 8601 date and time, in the extended or the basic format, \
        with or without seconds. Without an offset it is UTC. Week dates and ordinal dates are not supported.",
    || json!({ "type": "string", "format": "date-time" }),
    "2026-03-01T12:00:00.000Z",
)
.code(Code::InvalidSince);

/// Latest publication.
pub const UNTIL: Parameter = Parameter::new(
    "until",
    "Only reports published at or before this instant, in the same forms as `since`.",
    || json!({ "type": "string", "format": "date-time" }),
    "2026-03-31T12:00:00.000Z",
)
.code(Code::InvalidSince);

/// Position of a page.
pub const PAGE: Parameter = Parameter::new(
    "page",
    "Start of the page, from the `next` link of the previous page. Follow links unchanged; their format may change.",
    || json!({ "type": "string", "maxLength": 1024, "pattern": "^[0-9A-Za-z_-]+$" }),
    "AAABnKlFCgByZXBfMWYwYyOrtcs",
);

/// Types of reports.
pub const TYPES: Parameter = Parameter::new(
    "types",
    "Only reports of these types: some of `spirit`, `water` and `both`, separated by commas. Without it, reports of all \
        types.",
    text,
    "spirit,water",
);

/// Kind of date shown in a view.
pub const DATES: Parameter = Parameter::new(
    "dates",
    "`event`: reports have the day of their event, as `eventDate`. `reported`, the default: they do not.",
    text,
    "event",
);

/// Language of place names.
pub const LANG: Parameter = Parameter::new(
    "lang",
    "Language of the places\u{2019} names: `en`, `pt`, `es`, `fr`, `de` or `ar`. All countries and some hundred cities \
        have names in these languages; others keep theirs.",
    text,
    "de",
);

/// Additional members of reports.
pub const INCLUDE: Parameter = Parameter::new(
    "include",
    "Additional members of reports, separated by commas: `countryCode`, `region`, `eventDate`, `position` (of the city, \
        or else of its region or country), and `typeLabel` (in `lang`, else in English). A member that is not known is \
        left out.",
    text,
    "countryCode,region",
);

/// Id of a report, in a path.
pub const REPORT_ID: Parameter =
    Parameter::segment("id", "The report\u{2019}s id.", text, "rep_1f0c");

/// Id of a subscription.
pub const ID: Parameter = Parameter::new(
    "id",
    "The subscription\u{2019}s id.",
    || json!({ "type": "string", "pattern": "^sub_[0-9A-Za-z]+$" }),
    "sub_7hQm2Z",
);

/// Schema of a limit of at most 100.
pub fn up_to_100(default: u32) -> Value {
    up_to(100, default)
}

/// Schema of a limit.
pub fn up_to(max: u32, default: u32) -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default })
}

fn date() -> Value {
    json!({ "type": "string", "format": "date" })
}

/// Schema of a text without control characters.
pub fn text() -> Value {
    let pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$";
    json!({ "type": "string", "maxLength": 256, "pattern": pattern })
}

/// Request header of reads that have an entity tag.
pub(super) fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of an earlier response: if it is still current, the response is \
                        304.",
        "schema": { "type": "string" },
    })
}

/// Request header of changes.
pub(super) fn if_match() -> Value {
    json!({
        "name": "If-Match",
        "in": "header",
        "description": "The `ETag` of an earlier response: if the state is another by now, nothing is changed, and the \
                        response is 412. Several tags, separated by commas, and `*` are accepted, too.",
        "schema": { "type": "string", "minLength": 1 },
        "example": "\"5f1d0c2b9a8e7d6c5b4a3f2e\"",
    })
}

/// Request header of operations that may be repeated.
pub(super) fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Names this request, for example with a UUID. Repeated with the same key, parameters and body \
                        within 24 hours, it does nothing more and has the same response.",
        "schema": { "type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+$" },
        "example": "8e03978e-40d5-43e8-bc93-6894a57f9324",
    })
}
