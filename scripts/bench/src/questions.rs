//! Queries that are not in the caches: random places and periods, the same in every run.

use anyhow::{Context as _, Result};
use chrono::{Days, NaiveDate};
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use serde::Deserialize;

use crate::service::Service;

/// Range of dates of the made-up reports.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(2016, 1, 1).expect("a day of the calendar");
const DAYS: u64 = 3_653;

/// Kinds of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Metrics,
    Country,
    Region,
    City,
    List,
    Facets,
    Counts,
    Markers,
}

impl Subject {
    pub(crate) const ALL: [Self; 8] = [
        Self::Metrics,
        Self::Country,
        Self::Region,
        Self::City,
        Self::List,
        Self::Facets,
        Self::Counts,
        Self::Markers,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Metrics => "metrics of a period",
            Self::Country => "metrics of a country and period",
            Self::Region => "metrics of a region and period",
            Self::City => "metrics of a city and period",
            Self::List => "list of 100 reports of a place and period",
            Self::Facets => "facets of a period",
            Self::Counts => "counts of the cities of a country, in a period",
            Self::Markers => "markers of a country and period",
        }
    }

    /// Name in a chart.
    pub(crate) fn short_name(self) -> &'static str {
        match self {
            Self::Metrics => "metrics",
            Self::Country => "metrics, country",
            Self::Region => "metrics, region",
            Self::City => "metrics, city",
            Self::List => "list",
            Self::Facets => "facets",
            Self::Counts => "counts by city",
            Self::Markers => "markers",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Metrics | Self::Country | Self::Region | Self::City => "/api/v1/metrics",
            Self::List => "/api/v1/reports",
            Self::Facets => "/api/v1/geo-facets",
            Self::Counts => "/api/v1/metrics/by",
            Self::Markers => "/embed/globe/markers",
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Place {
    country: String,
    region: Option<String>,
    city: String,
}

impl Place {
    /// Parameters for a place with `parts` parts: country, then region, then city.
    fn parameters(&self, parts: usize) -> Vec<(&'static str, &str)> {
        let region = self.region.as_deref().filter(|region| !region.is_empty());
        let all = [
            Some(("country", self.country.as_str())),
            region.map(|region| ("region", region)),
            Some(("city", self.city.as_str())),
        ];
        all.into_iter().take(parts).flatten().collect()
    }
}

/// An endless source of queries.
pub(crate) struct Questions {
    places: Vec<Place>,
}

impl Questions {
    /// Queries about places with reports in the service.
    pub(crate) async fn about(service: &Service) -> Result<Self> {
        #[derive(Deserialize)]
        struct Facets {
            locations: Vec<Place>,
        }
        let all = "/api/v1/geo-facets?from=2016-01-01&to=2025-12-31";
        let facets: Facets = serde_json::from_slice(&service.bytes(all, &[]).await?.body)?;
        Ok(Self { places: facets.locations })
    }

    /// Path of a random query.
    pub(crate) fn next(&self, rng: &mut StdRng, subject: Subject) -> Result<String> {
        let place = self.places.choose(rng).context("the service knows no place")?;
        let parts = match subject {
            Subject::Metrics | Subject::Facets => 0,
            Subject::Country | Subject::Counts | Subject::Markers => 1,
            Subject::Region => 2,
            Subject::City => 3,
            // Lists have filters of all kinds.
            Subject::List => rng.random_range(0..=3),
        };
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(place.parameters(parts));
        let [from, to] = period(rng);
        query.append_pair("from", &from.to_string()).append_pair("to", &to.to_string());
        match subject {
            Subject::List => _ = query.append_pair("limit", "100"),
            Subject::Counts => _ = query.append_pair("group", "city"),
            _ => {}
        }
        Ok(format!("{}?{}", subject.path(), query.finish()))
    }
}

fn period(rng: &mut StdRng) -> [NaiveDate; 2] {
    let mut day = || FIRST_DAY + Days::new(rng.random_range(0..DAYS));
    let mut days = [day(), day()];
    days.sort_unstable();
    days
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn questions() -> Questions {
        let place = Place {
            country: "Brazil".to_owned(),
            region: Some("São Paulo".to_owned()),
            city: "Campinas".to_owned(),
        };
        Questions { places: vec![place] }
    }

    #[test]
    fn a_question_names_what_its_subject_is() {
        let (questions, mut rng) = (questions(), StdRng::seed_from_u64(1));
        let mut next = |subject| questions.next(&mut rng, subject).unwrap();
        let country = next(Subject::Country);
        assert!(country.starts_with("/api/v1/metrics?country=Brazil&from=20"), "{country}");
        let city = next(Subject::City);
        assert!(
            city.starts_with(
                "/api/v1/metrics?country=Brazil&region=S%C3%A3o+Paulo&city=Campinas&from="
            ),
            "{city}"
        );
        assert!(next(Subject::List).ends_with("&limit=100"));
        assert!(next(Subject::Facets).starts_with("/api/v1/geo-facets?from="));
    }

    #[test]
    fn every_run_asks_the_same_and_no_run_asks_it_twice() {
        let ask = || {
            let (questions, mut rng) = (questions(), StdRng::seed_from_u64(1));
            (0..100)
                .map(|_| questions.next(&mut rng, Subject::Metrics).unwrap())
                .collect::<Vec<_>>()
        };
        let (first, second) = (ask(), ask());
        assert_eq!(first, second);
        let distinct: std::collections::HashSet<_> = first.iter().collect();
        assert_eq!(distinct.len(), first.len());
    }

    #[test]
    fn a_period_begins_before_it_ends() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..1_000 {
            let [from, to] = period(&mut rng);
            assert!(from <= to && from >= FIRST_DAY);
        }
    }
}
