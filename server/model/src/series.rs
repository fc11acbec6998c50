use super::{ReportType, Types};
use serde::{Deserialize, Serialize};

/// The stretch of time that one point of a series is for. Weeks are those of ISO 8601 and begin on
/// Monday.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    #[default]
    Day,
    Week,
    Month,
    Year,
}

impl Interval {
    /// All of them, the shortest first.
    pub const ALL: [Interval; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// The interval with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interval| interval.as_str() == name)
    }
}

/// The counters over time: the body of `GET /api/v1/metrics/series`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    pub interval: Interval,
    /// The first day of the first point.
    pub from: String,
    /// The last day of the last point.
    pub to: String,
    /// In the order of time and without gaps; at least one.
    pub points: Vec<SeriesPoint>,
    /// When the counters were computed.
    pub updated_at: String,
}

/// What is counted in one interval, or in the part of it that is within the period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesPoint {
    /// The first day that is counted, `YYYY-MM-DD`.
    pub from: String,
    /// The last one.
    pub to: String,
    pub spirit: u64,
    pub water: u64,
    pub both: u64,
    pub total: u64,
}

impl SeriesPoint {
    /// The count of one type.
    pub fn of(&self, kind: ReportType) -> u64 {
        match kind {
            ReportType::Spirit => self.spirit,
            ReportType::Water => self.water,
            ReportType::Both => self.both,
        }
    }

    /// The count of some types.
    pub fn sum(&self, types: Types) -> u64 {
        types.sum(|kind| self.of(kind))
    }
}
