use super::ReportType;
use serde::{Deserialize, Serialize};

/// The counters. They count reports, not people; the types are disjoint, so
/// `total = spirit + water + both`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    pub spirit: u64,
    pub water: u64,
    pub both: u64,
    pub total: u64,
    /// Reports with today's event date (UTC), whatever the period asked for.
    pub spirit_today: u64,
    pub water_today: u64,
    pub both_today: u64,
    pub total_today: u64,
    /// Distinct countries among the counted reports.
    pub countries: u64,
    /// Distinct cities (country + region + city) among the counted reports.
    pub cities: u64,
    /// When the counters were computed.
    pub updated_at: String,
}

impl Metrics {
    /// The count of one type.
    pub fn of(&self, kind: ReportType) -> u64 {
        match kind {
            ReportType::Spirit => self.spirit,
            ReportType::Water => self.water,
            ReportType::Both => self.both,
        }
    }
}
