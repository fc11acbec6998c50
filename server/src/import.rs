//! Importing reports from CSV or NDJSON.
//!
//! How it works. One thread reads and checks rows ([`source`]) and hands them over in batches; the
//! store takes a batch in one transaction; one batch waits in between, so memory does not
//! grow with the file. A bad row is refused by line, field and reason, and the good ones go in. A
//! row is known by its id, so a rerun after a crash skips what is there and completes the rest; a
//! row without an id gets one that follows from its content (see [`identity`]).

mod csv;
mod identity;
mod ndjson;
mod row;
mod run;
mod source;

use std::fmt;

pub use self::{
    run::{Job, Progress, Summary, run},
    source::Format,
};

/// The columns of an import, by the names of the API.
pub(crate) const FIELDS: [&str; 10] = [
    "id",
    "type",
    "city",
    "region",
    "country",
    "peopleCount",
    "eventDate",
    "createdAt",
    "lat",
    "lng",
];

/// Why a row did not go in.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Refusal {
    /// Line of the file where the row begins, from 1.
    pub line: u64,
    /// The column, where one is to blame.
    pub field: Option<&'static str>,
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(field) = self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// Why an import could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Source(String),
    #[error("the file could not be read: {0}")]
    Read(#[from] std::io::Error),
    #[error(transparent)]
    Store(#[from] crate::store::Error),
}
