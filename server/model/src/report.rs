use super::PlacePosition;
use serde::{Deserialize, Serialize};

/// Kind of event. Kinds are disjoint: a `both` report counts in `both` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum ReportType {
    Spirit,
    Water,
    Both,
}

impl ReportType {
    /// All types, in display order.
    pub const ALL: [ReportType; 3] = [ReportType::Spirit, ReportType::Water, ReportType::Both];

    /// Name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReportType::Spirit => "spirit",
            ReportType::Water => "water",
            ReportType::Both => "both",
        }
    }

    /// Returns the type with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A published report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Id of the report.
    pub id: String,
    /// City as reported.
    pub city: String,
    /// Country as reported.
    pub country: String,
    /// Number of people.
    pub people_count: u32,
    /// Kind of event: `spirit`, `water` or `both`.
    #[serde(rename = "type")]
    pub kind: ReportType,
    /// Time of the report.
    pub created_at: String,
    /// Date of the event. Only on request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_date: Option<String>,
    /// Further members that a request can name.
    #[serde(flatten, skip_deserializing)]
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub included: Option<Further>,
}

/// Members of a report that only requests with `include` get.
#[cfg(not(target_family = "wasm"))]
pub type Further = Box<Included>;

/// The browser has no use for these members. A type without values keeps them out of its wasm.
#[cfg(target_family = "wasm")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Further {}

/// Members of a report that only requests with `include` get.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Included {
    /// ISO 3166-1 alpha-2 code of the country. Only on request, and only if the country is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = "^[A-Z]{2}$")))]
    pub country_code: Option<&'static str>,
    /// Region as reported. Only on request, and only if one was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Position of the city, or else of its region or country. Only on request, and only if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<PlacePosition>,
    /// Label of the type. Only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_label: Option<String>,
}

impl Report {
    /// Time to display: the event date if present, else the submission time.
    pub fn time(&self) -> &str {
        self.event_date.as_deref().unwrap_or(&self.created_at)
    }
}

/// Published reports, newest publication first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportList {
    /// The reports.
    pub reports: Vec<Report>,
}
