use axum::{
    Json,
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use geo::{
    cities::{City, beginning_with},
    places::{country_key, fold},
};
use serde::Serialize;

use crate::{
    api::Parameters,
    intake::Intake,
    openapi::parameter::{CITY, COUNTRY},
    problem::Result,
    site::visitors::{Visitor, cost},
};

/// Maximum number of suggestions.
const MAX_PLACES: usize = 8;
/// Minimum number of characters of a name with suggestions.
const MIN_CHARACTERS: usize = 2;

/// City whose name begins as typed.
#[derive(Serialize)]
struct Suggestion {
    city: &'static str,
    country: &'static str,
    /// Region and country.
    label: String,
}

/// `GET /embed/report/places`: the largest cities whose names begin like `city`, in `country` if it is given. Only for
/// this service's form.
pub(crate) async fn get(
    State(intake): State<Intake>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    intake.check_on()?;
    let typed = Parameters::of(query.as_deref(), &[CITY, COUNTRY])?;
    let (city, country) = (typed.get(&CITY)?, typed.get(&COUNTRY)?);
    visitor.pay(cost::ANSWER)?;
    Ok(Json(suggested(&city.unwrap_or_default(), &country.unwrap_or_default())).into_response())
}

fn suggested(city: &str, country: &str) -> Vec<Suggestion> {
    let begun = fold(city);
    if begun.chars().count() < MIN_CHARACTERS {
        return Vec::new();
    }
    let code = Some(country_key(country)).filter(|code| !code.is_empty());
    let found =
        beginning_with(&begun).filter(|city| code.as_deref().is_none_or(|code| code == city.code));
    let suggestion = |city: &'static City| Suggestion {
        city: city.name,
        country: city.country,
        label: match city.region {
            "" => city.country.to_owned(),
            region => format!("{region}, {}", city.country),
        },
    };
    found.take(MAX_PLACES).map(suggestion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(city: &str, country: &str) -> Vec<String> {
        let suggested = suggested(city, country).into_iter();
        suggested.map(|one| format!("{}, {}", one.city, one.country)).collect()
    }

    #[test]
    fn the_largest_cities_that_begin_as_typed_come_first() {
        assert_eq!(names("sao pau", "")[0], "São Paulo, Brazil");
        assert_eq!(names("LYO", "FR"), ["Lyon, France"]);
        assert_eq!(names("a", ""), Vec::<String>::new());
        assert_eq!(names("zzzz", ""), Vec::<String>::new());
        assert_eq!(names("lyon", "Qwertyland"), Vec::<String>::new());
        assert_eq!(names("sa", "").len(), MAX_PLACES);
    }
}
