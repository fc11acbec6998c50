use serde::{Deserialize, Serialize};

/// The kind of event. Disjoint: a `both` report counts in `both` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum ReportType {
    Spirit,
    Water,
    Both,
}

impl ReportType {
    /// All types, in the order in which they are shown.
    pub const ALL: [ReportType; 3] = [ReportType::Spirit, ReportType::Water, ReportType::Both];

    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReportType::Spirit => "spirit",
            ReportType::Water => "water",
            ReportType::Both => "both",
        }
    }

    /// The type with this exact name.
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
    /// The day of the event, `YYYY-MM-DD`, where a widget asked for it: lists of the API do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub event_date: Option<String>,
}

impl Report {
    /// The time to be shown: the day of the event where that was asked for, else when it was reported.
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
