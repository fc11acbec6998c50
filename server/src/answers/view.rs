//! Views: what one widget shows, as the stream carries it beside others.

use app::{
    embed::{Dates, EmbedOptions},
    lang::Lang,
};
use base::time::parse_date;
use model::ReportType;
use store::{Filter, Period, PlaceFilter, ReportsQuery};

/// Counters and newest reports under one filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub filter: Filter,
    /// Which types are listed, in the order of [`ReportType::ALL`]. Counters always count all types.
    pub types: [bool; 3],
    /// Maximum number of reports.
    pub limit: u32,
    /// Which time of a report is shown.
    pub dates: Dates,
    /// The language of places' names. `None`: as reported.
    pub lang: Option<Lang>,
}

impl View {
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
            dates: options.dates,
            lang,
        }
    }

    /// The reports that it lists.
    pub fn reports(&self) -> ReportsQuery {
        let Self { filter, types, limit, .. } = self;
        ReportsQuery {
            filter: filter.clone(),
            types: *types,
            since: None,
            after: None,
            limit: *limit,
        }
    }
}

/// A view, and the text that it was requested by.
pub type RequestedView = (Box<str>, View);
