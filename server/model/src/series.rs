use super::{ReportType, Types};
use serde::{Deserialize, Serialize};

/// Period covered by one point of a series. Weeks are ISO 8601 weeks, which begin on Monday.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    #[default]
    Day,
    Week,
    Month,
    Year,
}

impl Interval {
    /// All intervals, the shortest first.
    pub const ALL: [Interval; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// Name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// Returns the interval with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interval| interval.as_str() == name)
    }
}

/// The counters over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// Length of each point.
    pub interval: Interval,
    /// First day of the first point.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date")))]
    pub from: String,
    /// Last day of the last point.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date")))]
    pub to: String,
    /// Points in chronological order, without gaps; at least one.
    pub points: Vec<SeriesPoint>,
    /// Time of the last change of the published reports, or the last midnight UTC if that is later.
    /// Responses with the same time show the same state.
    pub updated_at: String,
}

/// Counters of one interval, or of the part of it that is within the period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesPoint {
    /// First day counted.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date")))]
    pub from: String,
    /// Last day counted.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date")))]
    pub to: String,
    /// Reports of spirit events.
    pub spirit: u64,
    /// Reports of water events.
    pub water: u64,
    /// Reports of events that are both; they are counted only here.
    pub both: u64,
    /// spirit + water + both.
    pub total: u64,
}

impl SeriesPoint {
    /// Count of one type.
    pub fn of(&self, kind: ReportType) -> u64 {
        match kind {
            ReportType::Spirit => self.spirit,
            ReportType::Water => self.water,
            ReportType::Both => self.both,
        }
    }

    /// Count of several types.
    pub fn sum(&self, types: Types) -> u64 {
        types.sum(|kind| self.of(kind))
    }
}
