//! Rows, common to all formats.

use domain::report::NewReport;

use super::{Error, Refusal, field::Field, names::Column, notes::Note, reasons::Wrong};

/// Row of the file.
#[derive(Debug)]
pub(super) struct Row {
    /// Line on which the row begins, from 1.
    pub line: u64,
    pub report: Result<NewReport, Vec<Problem>>,
    /// Row as a line of CSV, if refused rows are to be written.
    pub original: Option<Vec<u8>>,
}

/// Problem of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub field: Option<Field>,
    pub wrong: Wrong,
}

impl Problem {
    /// Converts the problem to a refusal of the row on this line.
    pub(super) fn on(self, line: u64) -> Refusal {
        let Wrong { reason, remedies } = self.wrong;
        Refusal { line, field: self.field.map(Field::as_str), reason, remedies }
    }

    pub(super) fn of_row(reason: impl Into<Wrong>) -> Self {
        Self { field: None, wrong: reason.into() }
    }
}

/// Shape of the file with refused rows: that of the input, as far as CSV allows.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Header as a line of CSV.
    pub header: Vec<u8>,
    pub separator: u8,
    /// Whether the text began with a byte order mark, which makes Excel read UTF-8.
    pub marked: bool,
}

/// Rows of an input, one at a time.
pub(super) trait Rows {
    /// Returns the next row; `None` at the end.
    fn next_row(&mut self) -> Result<Option<Row>, Error>;

    /// Takes the notes for the operator about the file, found since the last call.
    fn take_notes(&mut self) -> Vec<Note>;

    fn shape(&self) -> Shape;

    /// Columns or keys of the file so far.
    fn columns(&self) -> &[Column];
}
