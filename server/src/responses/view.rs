//! Views: the contents of one widget; a stream may carry several.

use app::contract::options::{Date, Dates, EmbedOptions};
use base::time::parse_date;
use kit::lang::Lang;
use model::ReportType;
use store::{Filter, Period, PlaceFilter, ReportsQuery};

/// Counters and newest reports under one filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub filter: Filter,
    /// Whether each type is listed, in the order of [`ReportType::ALL`]. Counters always count all types.
    pub types: [bool; 3],
    /// Maximum number of reports.
    pub limit: u32,
    /// Kind of date shown for a report.
    pub dates: Dates,
    /// Language of place names. `None`: as reported.
    pub lang: Option<Lang>,
}

impl View {
    /// Returns the view of a widget with these options on a page in `lang`.
    pub fn of(options: &EmbedOptions, lang: Option<Lang>) -> Self {
        let place = options.place();
        let (country, region, city) = (&place.country, &place.region, &place.city);
        // The dates were checked when the options were parsed.
        let date = |date: &Option<Date>| date.as_ref().and_then(|date| parse_date(date.as_ref()));
        let (from, to) = (date(&options.from), date(&options.to));
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

    /// Query for the reports in the list.
    pub fn reports(&self) -> ReportsQuery {
        let Self { filter, types, limit, .. } = self;
        ReportsQuery { filter: filter.clone(), types: *types, ..ReportsQuery::newest(*limit) }
    }
}

/// A view and the text that requested it.
pub type RequestedView = (Box<str>, View);
