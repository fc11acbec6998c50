//! Import of reports from CSV, JSON and workbooks of Excel.
//!
//! A separate thread reads the file: it unpacks and decodes the file if necessary ([`input`]), splits it into rows
//! ([`csv`], [`json`]) and checks each row ([`row`]). The rows are collected in [`batches`] until there are enough or a
//! second has passed. The store then imports each batch in one or a few transactions, while the next batch is collected
//! ([`run`](mod@run)), so memory use does not grow with the size of the file. A large file of history is sorted first
//! ([`by_time`]).
//!
//! [`Reading`] has the choices of a person: the meaning of columns, the order of dates, separators in numbers, the
//! encoding. A [`preview`](mod@preview) shows the effects of an import without writing anything.
//!
//! A bad row is refused with its line, field and reason; the good rows are imported. Rows are identified by id, so a
//! rerun after a crash skips existing reports and adds the rest. A row without an id gets one derived from its content
//! ([`identity`]).

mod batches;
mod by_time;
mod countries;
mod csv;
mod dry;
mod field;
mod file_error;
pub mod formula;
#[cfg(test)]
mod fuzz;
mod identity;
mod input;
mod json;
mod names;
mod notes;
mod one;
mod preview;
mod reading;
mod reasons;
mod refused;
mod row;
mod row_error;
mod rows;
mod run;
mod source;
mod text;

use std::{fmt, path::PathBuf};

use serde::Serializer;

pub use self::{
    by_time::Section,
    field::Field,
    file_error::{FileError, HeaderError},
    names::Column,
    notes::{Note, Thing},
    one::one,
    preview::{Preview, Understood, columns, preview},
    reading::{Dates, Encoding, Numbers, Reading, Remedy},
    reasons::{Fault, Reason, Reasons},
    refused::{Kept, RefusedRows},
    row_error::RowError,
    run::{FILE_WINDOW, HTTP_WINDOW, Job, Progress, Summary, run},
    source::Format,
};

/// Names of the fields, as in the API.
pub const FIELDS: &[&str] = &field::Field::NAMES;

/// Reason for refusing a row.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "RefusedRow")]
pub struct Refusal {
    /// Line of the file or body where the row begins, from 1.
    pub line: u64,
    /// Field with the fault, if it is in one field.
    pub field: Option<&'static str>,
    /// Fault of the row.
    #[serde(serialize_with = "in_english")]
    #[schemars(with = "String")]
    pub reason: RowError,
    /// Choices with which the field would be readable.
    #[serde(skip)]
    pub remedies: Vec<Remedy>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(field) = self.field {
            write!(f, "{field}: ")?;
        }
        self.reason.fmt(f)
    }
}

/// Serializes a reason as its English text, for the API and the command line.
fn in_english<S: Serializer>(reason: &RowError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(reason)
}

/// Error that ends an import.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Source(FileError),
    /// The header does not name the required fields.
    #[error("{reason}")]
    Header { reason: FileError, columns: Vec<Column>, remedies: Vec<Remedy> },
    #[error("the file could not be read")]
    Read(#[from] std::io::Error),
    #[error("the rows could not be sorted in a temporary file in {}", folder.display())]
    Sort { folder: PathBuf, source: std::io::Error },
    #[error("a refused row could not be written to {file}")]
    Refused { file: String, source: std::io::Error },
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    /// Reason why the file cannot be read, or can be read only in part.
    pub fn reason(&self) -> FileError {
        match self {
            Error::Source(reason) | Error::Header { reason, .. } => reason.clone(),
            Error::Read(error) => match error.get_ref().and_then(|error| error.downcast_ref()) {
                Some(reason) => FileError::clone(reason),
                None => FileError::Other(self.in_full()),
            },
            Error::Sort { .. } | Error::Refused { .. } | Error::Store(_) => {
                FileError::Other(self.in_full())
            }
        }
    }

    /// The error with its causes.
    pub fn in_full(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text += &format!(": {error}");
            cause = error.source();
        }
        text
    }
}
