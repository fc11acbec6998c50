//! Data source of pages while they are rendered. The server implements it with its snapshot and its
//! store; tests implement it with made-up values.

use crate::{
    brand::Brand,
    contract::{EmbedOptions, Place},
    licence::Licence,
};
use kit::lang::Lang;
use model::{Metrics, Report, Series};
use serde_json::Value;
use std::{error, fmt, pin::Pin, sync::Arc};

pub use crate::widgets::globe::drawing::GlobeMarkers;

/// The data of pages. All of it is from the same state of the database.
pub trait PageData: Send + Sync {
    /// Counters of all types for the place and the period in the options.
    fn metrics<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Metrics>;

    /// The newest reports for the options, with place names in a language.
    fn reports<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Vec<Report>>;

    /// The globe's markers for the place, the period and the types in the options, with place names
    /// in a language.
    fn markers<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Arc<GlobeMarkers>>;

    /// The counters over time, for the place and the period in the options; without a period, of the
    /// last days. The number of points is limited so that bars can be distinguished.
    fn series<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Series>;

    /// The trend's counters over time: as [`series`](Self::series), but without a period in the
    /// options, the period is as long as it takes to have reports.
    fn trend<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Series>;

    /// The place with its names in a language, as far as they are known.
    fn named(&self, place: &Place, lang: Lang) -> Place;

    /// Places with similar names, if the gazetteer has no place with these; there may be none.
    fn similar_places(&self, place: &Place) -> Option<Vec<Place>>;

    /// The form for reports from the public; `None` if the service takes none.
    fn report_form(&self) -> Option<ReportForm>;

    /// The operator's name, site and labels.
    fn brand(&self) -> Arc<Brand>;

    /// Licence of the published data, if the operator states one.
    fn licence(&self) -> Option<Licence>;

    /// OpenAPI document of the API.
    fn openapi(&self) -> &Value;

    /// Problems in responses of the API.
    fn problems(&self) -> &[ProblemCode];
}

/// A source, as pages find it in their context.
pub type SharedPageData = Arc<dyn PageData>;

/// A future read of the data.
pub type Read<'a, T> = Pin<Box<dyn Future<Output = Result<T, Unavailable>> + Send + 'a>>;

/// Error: the data could not be read. Only the source has the reason. The caller that renders the
/// page gets it from there, and responds with a problem instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the data of the page could not be read")
    }
}

impl error::Error for Unavailable {}

/// The form for reports from the public: empty, or as it was sent without scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportForm {
    /// Token that makes the form valid for a while, once.
    pub token: String,
    /// Current date, the last one that events can have.
    pub today: String,
    /// Names and values of the fields that were sent.
    pub values: Vec<(String, String)>,
    /// Names of the fields with faults.
    pub faults: Vec<String>,
    /// Code of the problem with the form as a whole; empty if there is none.
    pub problem: String,
    /// Id of the report, if it was accepted.
    pub sent: String,
}

/// A kind of problem, for the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemCode {
    /// The `code` member of a problem, and its anchor in the documentation.
    pub code: &'static str,
    /// HTTP status of the response.
    pub status: u16,
    /// Conditions for this problem, with code in backquotes.
    pub when: &'static str,
}
