//! The views in a request.

use app::contract::options::Dates;
use serde_json::json;

use super::Parameters;
use crate::{
    openapi::{
        Parameter,
        parameter::{CITY, COUNTRY, DATES, FROM, LANG, LIMIT, REGION, TO, TYPES},
    },
    problem::{Problem, Result, quoted},
    responses::{
        snapshot::RECENT,
        view::{RequestedView, View},
    },
};

/// The parameter whose values are views. It may be repeated.
pub const VIEW: Parameter = Parameter::new(
    "view",
    "One place, as a query of its own: any of `country`, `region`, `city`, `from`, `to`, `types` (some \
     of `spirit,water,both`: which reports are listed), `limit`, `dates` (`event` adds the day of the event \
     to each report, as `eventDate`) and `lang` (the language of \
     places\u{2019} names). Empty means everything. Repeat it for up to 16 places. It cannot be \
     combined with `country`, `region` and `city`.",
    || json!({ "type": "array", "items": { "type": "string" }, "maxItems": MAX_VIEWS }),
    r#"["country=BR&limit=5", "lang=de"]"#,
);
/// The parameters of a view.
const PARAMETERS: &[Parameter] = &[COUNTRY, REGION, CITY, FROM, TO, TYPES, LIMIT, DATES, LANG];
/// Maximum number of views of a request.
const MAX_VIEWS: usize = 16;
/// Maximum number of characters of a view: three names of 256, percent-encoded.
const MAX_CHARACTERS: usize = 8_192;

/// Returns the views of a request, each once.
///
/// # Errors
/// A view is invalid, or there are too many.
pub fn requested(parameters: &Parameters<'_>) -> Result<Box<[RequestedView]>> {
    let mut views: Vec<RequestedView> = Vec::new();
    for text in parameters.list(&VIEW, MAX_CHARACTERS) {
        let text = text?;
        if views.iter().any(|(known, _)| **known == *text) {
            continue;
        }
        if views.len() == MAX_VIEWS {
            return Err(Problem::invalid_parameter(format!(
                "More than {MAX_VIEWS} views are requested: open another stream for the others."
            )));
        }
        let view = parse(&text).map_err(|Problem(mut problem)| {
            problem.detail = format!("In the view {:?}: {}", quoted(&text), problem.detail).into();
            Problem(problem)
        })?;
        views.push((text.into(), view));
    }
    Ok(views.into())
}

/// Parses `country=…&region=…&city=…&from=…&to=…&types=…&limit=…&lang=…`, all optional.
fn parse(query: &str) -> Result<View> {
    let parameters = Parameters::only(query, PARAMETERS)?;
    Ok(View {
        filter: parameters.filter()?,
        types: parameters.types()?,
        limit: parameters.limit(RECENT)?,
        dates: parameters.choice(&DATES, Dates::from_name, Dates::NAMES)?.unwrap_or_default(),
        lang: parameters.lang()?,
    })
}
