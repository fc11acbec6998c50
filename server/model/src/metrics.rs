use super::ReportType;
use serde::{Deserialize, Serialize};

/// The counters. They count reports, not people. The types are disjoint, so
/// `total = spirit + water + both`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// Reports of spirit events.
    pub spirit: u64,
    /// Reports of water events.
    pub water: u64,
    /// Reports of events that are both; they are counted only here.
    pub both: u64,
    /// spirit + water + both.
    pub total: u64,
    /// Spirit events on the current UTC date, regardless of the period.
    pub spirit_today: u64,
    /// Water events on the current UTC date.
    pub water_today: u64,
    /// Events on the current UTC date that are both.
    pub both_today: u64,
    /// All events on the current UTC date.
    pub total_today: u64,
    /// Distinct countries among the counted reports.
    pub countries: u64,
    /// Distinct cities (country, region, city) among the counted reports.
    pub cities: u64,
    /// Time of the last change of the published reports, or the last midnight UTC if that is later.
    /// Responses with the same time show the same state.
    pub updated_at: String,
}

impl Metrics {
    /// Count of one type.
    pub fn of(&self, kind: ReportType) -> u64 {
        match kind {
            ReportType::Spirit => self.spirit,
            ReportType::Water => self.water,
            ReportType::Both => self.both,
        }
    }

    /// Date of the counters, `YYYY-MM-DD` (UTC).
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

    /// Combines each count with the same count of `other`. The time is that of `other`.
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
