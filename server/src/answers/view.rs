//! Views: what one widget shows, as the stream carries it beside others.

use app::{embed::EmbedOptions, lang::Lang, model::ReportType};

use crate::{
    answers::snapshot::RECENT,
    api::Parameters,
    http::problem::{Problem, Result},
    site::pages::shown,
    store::{Filter, Period, PlaceFilter, ReportsQuery},
    time::parse_date,
};

/// The parameter of which each value is a view.
pub const PARAMETER: &str = "view";
/// Maximum number of views of a request.
pub const MAX_VIEWS: usize = 16;
/// Maximum number of characters of a view: three names of 256, percent-encoded.
const MAX_CHARACTERS: usize = 8_192;

/// Counters and newest reports under one filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub filter: Filter,
    /// Which types are listed, in the order of [`ReportType::ALL`]. Counters are always of all.
    pub types: [bool; 3],
    /// Maximum number of reports.
    pub limit: u32,
    /// In which language places have their names; `None`: as they were given.
    pub lang: Option<Lang>,
}

impl View {
    /// Reads `country=…&region=…&city=…&from=…&to=…&types=…&limit=…&lang=…`, all of it optional.
    ///
    /// # Errors
    /// The problem that the parameter has in the API.
    pub fn parse(query: &str) -> Result<Self> {
        let parameters = Parameters::parse(query)?;
        Ok(Self {
            filter: Filter { period: parameters.period()?, place: parameters.place() },
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

/// The views that a query asks for, each once, and its other parameters.
///
/// # Errors
/// If one of them cannot be read, or there are too many.
pub fn asked(query: &str) -> Result<(Box<[AskedView]>, Parameters)> {
    let (texts, rest) = Parameters::parse_with_list(query, PARAMETER, MAX_CHARACTERS)?;
    let mut views: Vec<AskedView> = Vec::with_capacity(texts.len().min(MAX_VIEWS));
    for text in texts {
        if views.iter().any(|(known, _)| **known == *text) {
            continue;
        }
        if views.len() == MAX_VIEWS {
            return Err(Problem::invalid_parameter(format!(
                "More than {MAX_VIEWS} views are asked for: open another stream for the others."
            )));
        }
        let view = View::parse(&text).map_err(|problem| Problem {
            detail: format!("In the view {:?}: {}", shown(&text), problem.detail).into(),
            ..problem
        })?;
        views.push((text.into(), view));
    }
    Ok((views.into(), rest))
}
