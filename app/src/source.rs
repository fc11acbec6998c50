//! Where pages get their data from while they are rendered. The server implements it over its
//! snapshot and its store; tests over values that they make up.

use crate::{
    brand::Brand,
    embed::{EmbedOptions, Place},
    lang::Lang,
};
use model::{Markers, Metrics, Report, Series};
use serde_json::Value;
use std::{error, fmt, pin::Pin, sync::Arc};

/// The data of pages. All of it is of one state of the database.
pub trait Source: Send + Sync {
    /// The counters of the place and the period of the options, of all types.
    fn metrics<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Metrics>;

    /// The newest reports that the options ask for, with the names of places in a language.
    fn reports<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Vec<Report>>;

    /// What the globe shows for the place, the period and the types of the options, with the names
    /// of places in a language.
    fn markers<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Markers>;

    /// The counters over time that the trend shows for the place and the period of the options: in a number of
    /// points that can be told apart.
    fn series<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Series>;

    /// The place with its names in a language, as far as they are known.
    fn named(&self, place: &Place, lang: Lang) -> Place;

    /// What the operator calls the service and what it counts.
    fn brand(&self) -> Arc<Brand>;

    /// The OpenAPI document of the API.
    fn openapi(&self) -> &Value;

    /// The problems that the API answers with.
    fn problems(&self) -> &[ProblemCode];
}

/// A source as pages find it in their context.
pub type SharedSource = Arc<dyn Source>;

/// Data on its way.
pub type Read<'a, T> = Pin<Box<dyn Future<Output = Result<T, Unavailable>> + Send + 'a>>;

/// The data could not be read. Why is known to the source alone; whoever renders the page asks it
/// and answers with a problem instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the data of the page could not be read")
    }
}

impl error::Error for Unavailable {}

/// A kind of problem, as the documentation explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemCode {
    /// The `code` member of a problem, and the anchor in the documentation.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// When it is answered; code stands between backquotes.
    pub when: &'static str,
}
