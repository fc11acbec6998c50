use app::contract::Place;
use base::spelling::nearest;
use geo::{
    cities::{City, cities},
    gazetteer::Gazetteer,
    places::{country_key, country_name, country_spellings, fold},
};

/// Maximum number of similar places.
const MAX_PLACES: usize = 3;

/// Places with names similar to those of `place`, the likeliest first. `None` if the gazetteer has the place, or if
/// no part of it is given.
pub fn similar_places(place: &Place) -> Option<Vec<Place>> {
    let Place { country, region, city } = place;
    let knows = |country: &Option<String>, region: &Option<String>, city: &Option<String>| {
        Gazetteer::get().knows(country.as_deref(), region.as_deref(), city.as_deref())
    };
    if place.is_everywhere() || knows(country, region, city) {
        return None;
    }
    // A country in other words is fine; one that does not exist is corrected first.
    let named = country.as_deref().filter(|_| !knows(country, &None, &None));
    let meant = named.map(|name| nearest_country(name).map(str::to_owned));
    let country = match meant {
        None => country.clone(),
        Some(Some(meant)) => Some(meant),
        Some(None) if region.is_none() && city.is_none() => return Some(Vec::new()),
        Some(None) => None,
    };
    let corrected = Place { country, ..place.clone() };
    if corrected != *place && knows(&corrected.country, region, city) {
        return Some(vec![corrected]);
    }
    Some(match (region, city) {
        (_, Some(city)) => similar_cities(corrected.country.as_deref(), city),
        (Some(region), None) => similar_region(&corrected, region).into_iter().collect(),
        (None, None) => Vec::new(),
    })
}

/// Returns the usual English name of the country closest to a misspelt name.
pub fn nearest_country(text: &str) -> Option<&'static str> {
    let meant = nearest(&fold(text), country_spellings())?;
    country_name(&country_key(meant))
}

/// Cities with this name in other countries, or with a similar one in the country; else anywhere.
fn similar_cities(country: Option<&str>, name: &str) -> Vec<Place> {
    let name = fold(name);
    let similar = |country| -> Vec<Place> {
        let cities: Vec<_> = cities_of(country).collect();
        let Some(near) = nearest(&name, cities.iter().map(|city| city.name)) else {
            return Vec::new();
        };
        let found = cities.into_iter().filter(|city| city.name == near);
        found.map(place_of).take(MAX_PLACES).collect()
    };
    let found = similar(country);
    if found.is_empty() { similar(None) } else { found }
}

/// The cities of a country, or all.
fn cities_of(country: Option<&str>) -> impl Iterator<Item = &'static City> {
    let code = country.map(country_key);
    cities().iter().filter(move |city| code.as_deref().is_none_or(|code| code == city.code))
}

fn similar_region(place: &Place, name: &str) -> Option<Place> {
    let here = cities_of(place.country.as_deref());
    let regions = here.map(|city| city.region).filter(|region| !region.is_empty());
    let region = nearest(&fold(name), regions)?;
    Some(Place { region: Some(region.to_owned()), ..place.clone() })
}

fn place_of(city: &City) -> Place {
    Place { country: Some(city.country.to_owned()), region: None, city: Some(city.name.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(country: &str, region: &str, city: &str) -> Place {
        let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Place { country: part(country), region: part(region), city: part(city) }
    }

    fn similar(country: &str, region: &str, city: &str) -> Option<Vec<String>> {
        let shown = |Place { country, region, city }: Place| {
            [city, region, country].into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let places = similar_places(&place(country, region, city))?;
        Some(places.into_iter().map(shown).collect())
    }

    #[test]
    fn a_place_that_exists_needs_no_other() {
        for (country, region, city) in [
            ("", "", ""),
            ("Brasil", "", ""),
            ("BR", "São Paulo", "campinas"),
            ("", "", "Lyon"),
            ("Germany", "Bavaria", ""),
        ] {
            assert_eq!(similar(country, region, city), None, "{city} {region} {country}");
        }
    }

    #[test]
    fn a_slip_in_any_part_is_corrected() {
        for (country, region, city, meant) in [
            ("Brazl", "", "", "Brazil"),
            ("Grmany", "", "Berlin", "Berlin, Grmany"),
            ("France", "", "Marseile", "Marseille, France"),
            ("", "", "Marseile", "Marseille, France"),
            ("Germany", "Bavarria", "", "Bavaria, Germany"),
            // In another country.
            ("France", "", "Johannesburg", "Johannesburg, South Africa"),
        ] {
            let meant = meant.replace("Grmany", "Germany");
            assert_eq!(similar(country, region, city).unwrap()[0], meant, "{city} {country}");
        }
    }

    #[test]
    fn a_name_unlike_any_other_has_no_similar_place() {
        for (country, city) in [("Qwertyland", ""), ("Brazil", "Qwxyzstadt")] {
            assert_eq!(similar(country, "", city), Some(Vec::new()), "{country}");
        }
    }
}
