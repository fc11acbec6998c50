//! What all formats give: rows, checked one by one.

use domain::report::NewReport;

use super::{Error, Refusal, field::Field};

/// A row of the file.
#[derive(Debug)]
pub(super) struct Row {
    /// The line on which it begins, from 1.
    pub line: u64,
    pub report: Result<NewReport, Vec<Problem>>,
    /// The row as a line of CSV, if refused rows are to be written.
    pub original: Option<Vec<u8>>,
}

/// Something that is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub field: Option<Field>,
    pub reason: String,
}

impl Problem {
    pub(super) fn of(field: Field, reason: impl Into<String>) -> Self {
        Self { field: Some(field), reason: reason.into() }
    }

    /// As it is reported of the row on a line.
    pub(super) fn on(self, line: u64) -> Refusal {
        Refusal { line, field: self.field.map(Field::as_str), reason: self.reason }
    }

    pub(super) fn of_row(reason: impl Into<String>) -> Self {
        Self { field: None, reason: reason.into() }
    }
}

/// What refused rows are written like: as the file was, as far as CSV can.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// The header as a line of CSV.
    pub header: Vec<u8>,
    pub separator: u8,
    /// Whether the text began with a byte order mark, by which Excel knows UTF-8.
    pub marked: bool,
}

/// The rows of an input, one at a time.
pub(super) trait Rows {
    /// The next row; `None` at the end.
    fn next_row(&mut self) -> Result<Option<Row>, Error>;

    /// What the operator should know about the file, found since the last call.
    fn take_notes(&mut self) -> Vec<String>;

    fn shape(&self) -> Shape;
}
