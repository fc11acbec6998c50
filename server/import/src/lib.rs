//! Importing reports from CSV and JSON.
//!
//! How it works. A thread of its own reads: it unpacks and decodes the file where that is needed
//! ([`input`]), finds the rows in it ([`csv`], [`json`]) and checks each ([`row`]). The rows gather
//! ([`batches`]) until there are enough of them or a second has passed; the store then takes them in
//! one transaction or a few while the next ones gather ([`run`]), so memory does not grow with the file.
//! A large file of history is sorted before that ([`by_time`]). A bad row is refused by line, field and reason, and the good ones go in. A row is known by its id, so
//! a rerun after a crash skips what is there and completes the rest; a row without an id gets one
//! that follows from its content ([`identity`]).

mod batches;
mod by_time;
mod countries;
mod csv;
mod dry;
mod field;
pub mod formula;
#[cfg(test)]
mod fuzz;
mod identity;
mod input;
mod json;
mod names;
mod one;
mod refused;
mod row;
mod rows;
mod run;
mod source;
mod text;

use std::{fmt, path::PathBuf};

pub use self::{
    one::one,
    refused::{Kept, RefusedRows},
    run::{FILE_WINDOW, HTTP_WINDOW, Job, Progress, Summary, run},
    source::Format,
};

/// Names of the fields, as in the API.
pub const FIELDS: &[&str] = &field::Field::NAMES;

/// A reason why a row was refused.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "RefusedRow")]
pub struct Refusal {
    /// Line of the file or body where the row begins, from 1.
    pub line: u64,
    /// Column to blame, if it is one.
    pub field: Option<&'static str>,
    /// Fault of the row.
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
    #[error("the file could not be read")]
    Read(#[from] std::io::Error),
    #[error("the rows could not be sorted in a temporary file in {}", folder.display())]
    Sort { folder: PathBuf, source: std::io::Error },
    #[error("a refused row could not be written to {file}")]
    Refused { file: String, source: std::io::Error },
    #[error(transparent)]
    Store(#[from] store::Error),
}
