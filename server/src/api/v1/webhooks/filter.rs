//! The filter of a subscription, as partners write it.

use base::spelling::nearest;
use domain::{event_filter::EventFilter, place_filter::PlaceFilter};
use geo::{
    gazetteer::Gazetteer,
    places::{country_key, country_name, country_spellings, fold, tidy},
};
use model::ReportType;
use serde_json::{Map, Value};
use store::Store;

use crate::{
    api::{Warning, body::Member, parameters::check_text},
    problem::{Problem, Result},
};

/// The member of a body that [`filter`] reads.
pub(super) const FILTER: Member = Member::object(
    "filter",
    &[Member::new("country"), Member::new("region"), Member::new("city"), Member::new("types")],
);

/// The member `filter`. It may be left out; `null`, or one without members, is no filter.
pub(super) fn filter(members: &Map<String, Value>) -> Result<Option<EventFilter>> {
    let parts = match members.get("filter") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(parts)) => parts,
        Some(_) => {
            return Err(Problem::invalid_filter(
                "\"filter\" must be an object with one or more of country, region, city and types, or \
                 null for no filter.",
            ));
        }
    };
    let (country, region, city) =
        (text(parts, "country")?, text(parts, "region")?, text(parts, "city")?);
    Ok(EventFilter::new(country, region, city, &types(parts)?))
}

fn text<'a>(parts: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>> {
    let invalid = |what: &str| {
        Problem::invalid_filter(format!(
            "\"filter.{name}\" {what}: give the name of a {name}, or leave it out."
        ))
    };
    let text = match parts.get(name) {
        None => return Ok(None),
        Some(Value::String(text)) => text,
        Some(_) => return Err(invalid("is not a string")),
    };
    check_text(text).map_err(|wrong| invalid(&wrong))?;
    if tidy(text).is_empty() {
        return Err(invalid("is blank"));
    }
    Ok(Some(text))
}

fn types(parts: &Map<String, Value>) -> Result<Vec<ReportType>> {
    let known = ReportType::ALL.map(ReportType::as_str).join(", ");
    let invalid = |what: String| {
        Problem::invalid_filter(format!("{what}: give a list with one or more of {known}."))
    };
    let names = match parts.get("types") {
        None => return Ok(Vec::new()),
        Some(Value::Array(names)) if !names.is_empty() => names,
        Some(Value::Array(_)) => return Err(invalid("\"filter.types\" is empty".to_owned())),
        Some(_) => return Err(invalid("\"filter.types\" is not a list".to_owned())),
    };
    let kind = |name: &Value| {
        name.as_str().and_then(ReportType::from_name).ok_or_else(|| {
            invalid(format!("{} in \"filter.types\" is not a type", shortened(&name.to_string())))
        })
    };
    names.iter().map(kind).collect()
}

/// A warning about the first part of a filter that names a place which nobody knows: neither the gazetteer nor, by a
/// published report, the store. Its subscription would get nothing.
pub(super) async fn warnings(store: &Store, filter: Option<&EventFilter>) -> Result<Vec<Warning>> {
    let Some(filter) = filter else { return Ok(Vec::new()) };
    let (country, region, city) = (filter.country(), filter.region(), filter.city());
    for (part, name, pointer, [country, region, city]) in [
        (country, "country", "/filter/country", [country, None, None]),
        (region, "region", "/filter/region", [country, region, None]),
        (city, "city", "/filter/city", [country, region, city]),
    ] {
        let Some(part) = part else { continue };
        if Gazetteer::get().knows(country, region, city)
            || store.has_published(&PlaceFilter::new(country, region, city)).await?
        {
            continue;
        }
        let mut detail = format!(
            "{part:?} is not a known {name}{}, and no published report is from there so far.",
            if pointer == "/filter/country" { "" } else { " there" }
        );
        if name == "country"
            && let Some(meant) = nearest_country(part)
        {
            detail = format!("{detail} Did you mean {meant:?}?");
        }
        return Ok(vec![Warning { pointer: Some(pointer), detail }]);
    }
    Ok(Vec::new())
}

/// The usual English name of the country that a misspelt name is meant to be.
fn nearest_country(text: &str) -> Option<&'static str> {
    let meant = nearest(&fold(text), country_spellings())?;
    country_name(&country_key(meant))
}

/// A value as problems quote it.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
