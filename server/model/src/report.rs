use serde::{Deserialize, Serialize};

/// The kind of event. Disjoint: a `both` report counts in `both` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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

/// An approved report in its public list form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub id: String,
    pub city: String,
    pub country: String,
    pub people_count: u32,
    #[serde(rename = "type")]
    pub kind: ReportType,
    pub created_at: String,
    /// The day of the event, `YYYY-MM-DD`, where a widget asked for it: lists of the API do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_date: Option<String>,
}

impl Report {
    /// The time to be shown: the day of the event where that was asked for, else when it was reported.
    pub fn time(&self) -> &str {
        self.event_date.as_deref().unwrap_or(&self.created_at)
    }
}

/// The body of `GET /api/v1/reports` and of the `reports` stream event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportList {
    pub reports: Vec<Report>,
}
