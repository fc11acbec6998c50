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

    /// The day that the counters are from, `YYYY-MM-DD`, and the time of that day, `HH:MM`; UTC.
    pub fn day(&self) -> &str {
        self.updated_at.get(..10).unwrap_or_default()
    }

    pub fn clock(&self) -> &str {
        self.updated_at.get(11..16).unwrap_or_default()
    }

    /// Today's count of one type.
    pub fn today_of(&self, kind: ReportType) -> u64 {
        match kind {
            ReportType::Spirit => self.spirit_today,
            ReportType::Water => self.water_today,
            ReportType::Both => self.both_today,
        }
    }

    /// Each count of both, taken together by `with`; the time is that of `other`.
    pub fn zip(&self, other: &Self, with: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            spirit: with(self.spirit, other.spirit),
            water: with(self.water, other.water),
            both: with(self.both, other.both),
            total: with(self.total, other.total),
            spirit_today: with(self.spirit_today, other.spirit_today),
            water_today: with(self.water_today, other.water_today),
            both_today: with(self.both_today, other.both_today),
            total_today: with(self.total_today, other.total_today),
            countries: with(self.countries, other.countries),
            cities: with(self.cities, other.cities),
            updated_at: other.updated_at.clone(),
        }
    }
}
