use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use geo::{
    cities::cities,
    places::{country_key, fold},
};
use serde::{Deserialize, Serialize};

use crate::{
    intake::Intake,
    problem::Result,
    site::visitors::{Visitor, cost},
};

/// Maximum number of suggestions.
const MAX_PLACES: usize = 8;
/// Minimum number of characters of a name with suggestions.
const MIN_CHARACTERS: usize = 2;

/// Beginning of a place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Typed {
    city: String,
    country: String,
}

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
    Query(typed): Query<Typed>,
) -> Result<Response> {
    intake.check_on()?;
    visitor.pay(cost::ANSWER)?;
    Ok(Json(suggested(&typed)).into_response())
}

fn suggested(typed: &Typed) -> Vec<Suggestion> {
    let begun = fold(&typed.city);
    if begun.chars().count() < MIN_CHARACTERS {
        return Vec::new();
    }
    let code = Some(country_key(&typed.country)).filter(|code| !code.is_empty());
    let found = cities().iter().filter(|city| {
        code.as_deref().is_none_or(|code| code == city.code) && fold(city.name).starts_with(&begun)
    });
    let suggestion = |city: &'static geo::cities::City| Suggestion {
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
        let typed = Typed { city: city.to_owned(), country: country.to_owned() };
        suggested(&typed).into_iter().map(|one| format!("{}, {}", one.city, one.country)).collect()
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
