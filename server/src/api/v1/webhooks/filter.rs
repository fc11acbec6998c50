//! The filter of a subscription, in the form that partners write.

use domain::{event_filter::EventFilter, place_filter::PlaceFilter};
use geo::{gazetteer::Gazetteer, places::tidy};
use model::ReportType;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::Store;

use crate::{
    api::{
        Partner, Warning,
        body::{self, given},
        parameters::check_text,
    },
    problem::{Code, Problem, Result},
    responses::similar_places::nearest_country,
};

/// Selection of events about reports; without it, all are sent. Other events are always sent.
#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub(super) struct FilterInput {
    /// Only reports from this country: a name, in many languages, or an ISO 3166 code.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", length(min = 1, max = 256))]
    country: Option<String>,
    /// Only reports from this region. Case and accents do not matter.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", length(min = 1, max = 256))]
    region: Option<String>,
    /// Only reports from this city. Case and accents do not matter.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", length(min = 1, max = 256))]
    city: Option<String>,
    /// Only reports of these types.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Vec<ReportType>", length(min = 1))]
    types: Option<Vec<ReportType>>,
}

/// Parses the members of a filter.
pub(crate) fn parsed(members: Map<String, Value>) -> Result<Option<EventFilter>> {
    body::parsed::<FilterInput>(members, |_| Code::InvalidFilter)?.checked()
}

impl FilterInput {
    /// Returns the filter, or `None` if it selects everything.
    pub(super) fn checked(&self) -> Result<Option<EventFilter>> {
        let Self { country, region, city, types } = self;
        for (name, part) in [("country", country), ("region", region), ("city", city)] {
            let Some(text) = part else { continue };
            let fault = match check_text(text) {
                Err(fault) => fault,
                Ok(()) if tidy(text).is_empty() => "is blank".to_owned(),
                Ok(()) => continue,
            };
            return Err(Problem::invalid_filter(format!(
                "\"filter.{name}\" {fault}: give the name of a {name}, or leave it out."
            )));
        }
        if types.as_ref().is_some_and(Vec::is_empty) {
            let known = ReportType::ALL.map(ReportType::as_str).join(", ");
            return Err(Problem::invalid_filter(format!(
                "\"filter.types\" is empty: give a list with one or more of {known}."
            )));
        }
        let [country, region, city] = [country, region, city].map(Option::as_deref);
        Ok(EventFilter::new(country, region, city, types.as_deref().unwrap_or_default()))
    }
}

/// Returns a warning about the first part of a filter that names an unknown place: one that is neither in the gazetteer
/// nor in a published report. Its subscription would get nothing. A sandbox does not see reports, so only the gazetteer
/// counts there.
pub(crate) async fn warnings(
    store: &Store,
    partner: &Partner,
    filter: Option<&EventFilter>,
) -> Result<Vec<Warning>> {
    let Some(filter) = filter else { return Ok(Vec::new()) };
    let (country, region, city) = (filter.country(), filter.region(), filter.city());
    for (part, name, pointer, [country, region, city]) in [
        (country, "country", "/filter/country", [country, None, None]),
        (region, "region", "/filter/region", [country, region, None]),
        (city, "city", "/filter/city", [country, region, city]),
    ] {
        let Some(part) = part else { continue };
        if Gazetteer::get().knows(country, region, city) {
            continue;
        }
        let there = if pointer == "/filter/country" { "" } else { " there" };
        let mut detail = format!("{part:?} is not a known {name}{there}");
        if !partner.is_sandbox {
            if store.has_published(&PlaceFilter::new(country, region, city)).await? {
                continue;
            }
            detail += ", and no published report is from there so far";
        }
        detail.push('.');
        if name == "country"
            && let Some(meant) = nearest_country(part)
        {
            detail = format!("{detail} Did you mean {meant:?}?");
        }
        return Ok(vec![Warning { pointer: Some(pointer), detail }]);
    }
    Ok(Vec::new())
}
