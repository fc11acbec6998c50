use chrono::NaiveDate;

use super::counters::grain::Span;
use crate::geo::places::{country_key, fold};

/// A period of event dates, both ends inclusive; an end that is not given is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
}

impl Period {
    /// The first and the last day, open ends at the ends of the calendar.
    pub(super) fn ends(self) -> (NaiveDate, NaiveDate) {
        (self.from.unwrap_or(FIRST_DAY), self.to.unwrap_or(LAST_DAY))
    }

    pub(super) fn is_open(self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    pub(super) fn spans(self) -> Vec<Span> {
        if self.is_open() {
            return Span::all_time();
        }
        let (from, to) = self.ends();
        Span::cover(from, to)
    }
}

/// The range of dates that the API can name.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("a date of the calendar");
const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(9999, 12, 31).expect("a date of the calendar");

/// Where: each part that is set narrows. Parts are keys, so that spellings of one place are one
/// filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlaceFilter {
    pub(super) country: Option<String>,
    pub(super) region: Option<String>,
    pub(super) city: Option<String>,
}

impl PlaceFilter {
    /// Parts as they are spelled by whoever asks; blank ones do not narrow.
    pub fn new(country: Option<&str>, region: Option<&str>, city: Option<&str>) -> Self {
        let part = |text: Option<&str>, key: fn(&str) -> String| {
            text.map(str::trim).filter(|text| !text.is_empty()).map(key)
        };
        Self {
            country: part(country, country_key),
            region: part(region, fold),
            city: part(city, fold),
        }
    }

    /// Whether a report is from here, by the keys of its country, region and city, separated by line feeds.
    pub(super) fn selects(&self, place: &str) -> bool {
        let mut keys = place.split('\n');
        [&self.country, &self.region, &self.city].into_iter().all(|wanted| {
            let key = keys.next().unwrap_or_default();
            wanted.as_deref().is_none_or(|wanted| wanted == key)
        })
    }

    /// What its texts take in memory.
    pub fn bytes(&self) -> usize {
        [&self.country, &self.region, &self.city].into_iter().flatten().map(String::len).sum()
    }

    /// Whether it narrows nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Which reports are counted or listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub period: Period,
    pub place: PlaceFilter,
}
