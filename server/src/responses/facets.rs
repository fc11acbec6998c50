//! Places with reports in a period.

use std::{borrow::Cow, sync::Arc};

use chrono::NaiveDate;
use edge::{gzipped::Gzipped, representation::to_json};
use kit::lang::Lang;
use limits::Permit;
use schemars::JsonSchema;
use serde::Serialize;
use store::{CityName, Period, PlaceId};

use super::{
    ResponseCache,
    cache::Cached,
    names::{city_name, country_code, country_name},
};

/// Query of the places of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FacetsQuery {
    pub from: NaiveDate,
    pub to: NaiveDate,
    /// Whether reports of each type count, in the order of [`model::ReportType::ALL`].
    pub types: [bool; 3],
    /// Language of the names. `None`: cities as reported, countries in English.
    pub lang: Option<Lang>,
}

/// The distinct places with published reports in a period.
#[derive(Serialize, JsonSchema)]
pub struct GeoFacets<'n> {
    period: FacetPeriod,
    /// Places, ordered by country, region and city.
    locations: Vec<Location<'n>>,
}

/// A period of event dates.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Period")]
struct FacetPeriod {
    /// First day.
    #[schemars(with = "String", extend("format" = "date"))]
    from: NaiveDate,
    /// Last day.
    #[schemars(with = "String", extend("format" = "date"))]
    to: NaiveDate,
}

/// A city and the country and region that it is in.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Location<'n> {
    /// Country: its English name, or its name in the requested language. An unknown country has the spelling first
    /// published.
    country: &'n str,
    /// Region in the spelling first published; empty if none was reported.
    region: &'n str,
    /// City in the spelling first published, or in the requested language.
    city: Cow<'n, str>,
    /// ISO 3166-1 alpha-2 code of the country, if the country is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = "^[A-Z]{2}$"))]
    country_code: Option<&'static str>,
    /// Id of the place; it does not change.
    #[schemars(with = "String", extend("pattern" = "^pl_"))]
    id: PlaceId,
}

impl Location<'_> {
    fn names(&self) -> [&str; 3] {
        [self.country, self.region, &self.city]
    }
}

impl FacetsQuery {
    /// Returns the locations of the cities, which are in the order of their own names.
    fn locations<'n>(&self, cities: &'n [Arc<CityName>]) -> Vec<Location<'n>> {
        let mut locations = Vec::with_capacity(cities.len());
        for same in cities.chunk_by(|one, other| one.country == other.country) {
            let Some(first) = same.first() else { continue };
            let country = country_name(&first.country, self.lang.unwrap_or_default());
            let country = country.unwrap_or(&first.country);
            let code = country_code(&first.country);
            locations.extend(same.iter().map(|name| {
                let CityName { country: given, region, city, .. } = &**name;
                let city_in = |lang| city_name(given, region, city, lang);
                let named = self.lang.and_then(city_in).unwrap_or(city);
                Location {
                    country,
                    region,
                    city: Cow::Borrowed(named),
                    country_code: code,
                    id: name.id(),
                }
            }));
        }
        // Fast, because most are in order already.
        locations.sort_by(|one, other| one.names().cmp(&other.names()));
        locations.dedup_by(|one, other| one.names() == other.names());
        locations
    }
}

impl ResponseCache {
    /// Returns the places of a period if they are cached.
    pub async fn known_geo_facets(&self, query: FacetsQuery) -> Option<Arc<Gzipped>> {
        self.places.known(&self.snapshot(), query).await
    }

    /// Returns the places of a period; there may be some hundred thousand.
    pub async fn geo_facets(&self, query: FacetsQuery, place: &Permit) -> Cached<Gzipped> {
        let FacetsQuery { from, to, types, .. } = query;
        let compute = || async {
            let period = Period { from: Some(from), to: Some(to) };
            let cities = self.store.counters().geo_facets(period, types).await?;
            let pack = move || {
                let (period, locations) = (FacetPeriod { from, to }, query.locations(&cities));
                Gzipped::json(&to_json(&GeoFacets { period, locations }))
            };
            Ok(place.run(pack).await)
        };
        self.places.get(&self.snapshot(), query, compute).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: FacetsQuery =
        FacetsQuery { from: NaiveDate::MIN, to: NaiveDate::MAX, types: [true; 3], lang: None };

    fn cities(names: &[[&str; 3]]) -> Vec<Arc<CityName>> {
        let mut cities: Vec<_> = names.iter().map(|names| Arc::new(CityName::of(*names))).collect();
        cities.sort();
        cities
    }

    #[test]
    fn a_country_has_one_name_and_places_that_differ_only_by_it_are_one() {
        let cities = cities(&[
            ["\u{4e2d}\u{56fd}", "", "Wuhan"],
            ["CN", "", "Wuhan"],
            ["\u{092d}\u{093e}\u{0930}\u{0924}", "", "Pune"],
            ["Atlantis", "", "Deep"],
        ]);
        let names: Vec<[&str; 3]> =
            [["Atlantis", "", "Deep"], ["China", "", "Wuhan"], ["India", "", "Pune"]].into();
        let shown = QUERY.locations(&cities);
        assert_eq!(shown.iter().map(Location::names).collect::<Vec<_>>(), names);
        let french = FacetsQuery { lang: Some(Lang::Fr), ..QUERY }.locations(&cities);
        let countries: Vec<&str> = french.iter().map(|location| location.country).collect();
        assert_eq!(countries, ["Atlantis", "Chine", "Inde"]);
    }

    #[test]
    fn places_with_the_same_names_in_a_language_are_one() {
        let cities = cities(&[["Germany", "", "Cologne"], ["Germany", "", "K\u{f6}ln"]]);
        assert_eq!(QUERY.locations(&cities).len(), 2);
        let german = FacetsQuery { lang: Some(Lang::De), ..QUERY }.locations(&cities);
        assert_eq!(
            german.iter().map(Location::names).collect::<Vec<_>>(),
            [["Deutschland", "", "K\u{f6}ln"]]
        );
    }

    #[test]
    fn places_have_codes_of_known_countries_and_ids() {
        let cities = cities(&[["Brasil", "SP", "Campinas"], ["Atlantis", "", "Deep"]]);
        let found: Vec<_> = QUERY
            .locations(&cities)
            .into_iter()
            .map(|location| (location.country_code, location.id))
            .collect();
        let id = |names| CityName::of(names).id();
        assert_eq!(
            found,
            [(None, id(["ATLANTIS", "", "deep"])), (Some("BR"), id(["BR", "sp", "CAMPINAS"])),]
        );
    }
}
