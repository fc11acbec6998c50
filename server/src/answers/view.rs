//! Views: what one widget shows, as the stream carries it beside others.

use app::{embed::EmbedOptions, lang::Lang, model::ReportType};
use serde_json::json;

use crate::{
    answers::snapshot::RECENT,
    api::Parameters,
    http::problem::{Code, Problem, Result, quoted},
    openapi::{
        Parameter,
        parameter::{CITY, COUNTRY, FROM, LANG, LIMIT, REGION, TO, TYPES},
    },
    store::{Filter, Period, PlaceFilter, ReportsQuery},
    time::parse_date,
};

/// The parameter whose values are views. It may be repeated.
pub const VIEW: Parameter = Parameter::new(
    "view",
    Code::InvalidParameter,
    "One place, as a query of its own: any of `country`, `region`, `city`, `from`, `to`, `types` (some \
     of `spirit,water,both`: which reports are listed), `limit` and `lang` (the language of \
     places\u{2019} names). Empty means everything. Repeat it for up to 16 places. It cannot be \
     combined with `country`, `region` and `city`.",
    || json!({ "type": "array", "items": { "type": "string" }, "maxItems": MAX_VIEWS }),
    || json!(["country=BR&limit=5", "lang=de"]),
);
/// The parameters of a view.
const PARAMETERS: &[Parameter] = &[COUNTRY, REGION, CITY, FROM, TO, TYPES, LIMIT, LANG];
/// Maximum number of views of a request.
const MAX_VIEWS: usize = 16;
/// Maximum number of characters of a view: three names of 256, percent-encoded.
const MAX_CHARACTERS: usize = 8_192;

/// Counters and newest reports under one filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub filter: Filter,
    /// Which types are listed, in the order of [`ReportType::ALL`]. Counters always count all types.
    pub types: [bool; 3],
    /// Maximum number of reports.
    pub limit: u32,
    /// The language of places' names. `None`: as reported.
    pub lang: Option<Lang>,
}

impl View {
    /// Parses `country=…&region=…&city=…&from=…&to=…&types=…&limit=…&lang=…`, all optional.
    ///
    /// # Errors
    /// As for the same parameters of a request.
    pub fn parse(query: &str) -> Result<Self> {
        let parameters = Parameters::of(Some(query), PARAMETERS);
        Ok(Self {
            filter: Filter { period: parameters.period()?, place: parameters.place()? },
            types: parameters.types()?,
            limit: parameters.limit(RECENT)?,
            lang: parameters.lang()?,
        })
    }

    /// What a widget with these options shows on a page in `lang`.
    pub fn of(options: &EmbedOptions, lang: Option<Lang>) -> Self {
        let place = &options.place;
        let (country, region, city) = (&place.country, &place.region, &place.city);
        // The options have checked the dates.
        let date = |text: &Option<String>| text.as_deref().and_then(parse_date);
        let (from, to) = (date(&options.period.from), date(&options.period.to));
        Self {
            filter: Filter {
                period: Period { from, to },
                place: PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref()),
            },
            types: ReportType::ALL.map(|kind| options.types.has(kind)),
            limit: options.limit.get(),
            lang,
        }
    }

    /// The reports that it lists.
    pub fn reports(&self) -> ReportsQuery {
        let Self { filter, types, limit, .. } = self;
        ReportsQuery { filter: filter.clone(), types: *types, since: None, limit: *limit }
    }
}

/// A view, and the text that asked for it.
pub type AskedView = (Box<str>, View);

/// The views that a request asks for, each once.
///
/// # Errors
/// If one of them is invalid, or there are too many.
pub fn asked(parameters: &Parameters<'_>) -> Result<Box<[AskedView]>> {
    let mut views: Vec<AskedView> = Vec::new();
    for text in parameters.list(&VIEW, MAX_CHARACTERS) {
        let text = text?;
        if views.iter().any(|(known, _)| **known == *text) {
            continue;
        }
        if views.len() == MAX_VIEWS {
            return Err(Problem::invalid_parameter(format!(
                "More than {MAX_VIEWS} views are asked for: open another stream for the others."
            )));
        }
        let view = View::parse(&text).map_err(|problem| Problem {
            detail: format!("In the view {:?}: {}", quoted(&text), problem.detail).into(),
            ..problem
        })?;
        views.push((text.into(), view));
    }
    Ok(views.into())
}
