//! CSV (RFC 4180): a header and rows, with quotes if needed. Separators are commas, semicolons, tabs or bars; lines end
//! with LF, CRLF or CR.

mod frames;
mod header;
mod record;

use domain::report::NewReport;

use self::{
    frames::{Frame, Frames},
    header::{Header, SEPARATORS},
    record::Record,
};
use super::{
    Error, formula,
    input::encoding,
    names::Column,
    notes::Note,
    reading::Reading,
    row::{Checks, Texts},
    row_error::RowError,
    rows::{Problem, Row, Rows, Shape},
    text::Text,
};

/// Rows of a CSV input.
pub(super) struct CsvRows<'i> {
    frames: Frames<'i>,
    header: Header,
    record: Record,
    checks: Checks,
    with_originals: bool,
    marked: bool,
}

impl<'i> CsvRows<'i> {
    /// Reads the header. `marked` is whether the file began with a byte order mark.
    pub(super) fn open(
        text: Text<'i>,
        checks: Checks,
        with_originals: bool,
        marked: bool,
        reading: &Reading,
    ) -> Result<Self, Error> {
        let mut frames = Frames::new(text, SEPARATORS.to_vec());
        let header = Header::read(&mut frames, reading)?;
        let record = Record::new(header.separator);
        Ok(Self { frames, header, record, checks, with_originals, marked })
    }

    /// Adds notes about the file as a whole.
    pub(super) fn add_notes(&mut self, notes: Vec<Note>) {
        self.header.names.add_notes(notes);
    }

    /// Converts the record to a report. `frame` is its position in the text.
    fn report(&mut self, frame: Frame) -> Result<NewReport, Vec<Problem>> {
        let (fields, expected) = (self.record.len(), self.header.columns.len());
        let surplus_is_blank = || {
            let mut surplus = self.record.fields().skip(expected);
            surplus.all(|field| field.trim_ascii().is_empty())
        };
        let spans = || (frame.inner_lines > 0).then(|| frame.inner_lines + 1);
        if fields < expected || !surplus_is_blank() {
            let (fields, expected) = (self.header.own_fields(fields), self.header.own_columns());
            let reason = RowError::FieldCount { fields, expected, lines: spans() };
            return Err(vec![Problem::of_row(reason)]);
        }
        if frame.is_torn {
            return Err(vec![Problem::of_row(RowError::TornQuote { lines: spans() })]);
        }
        let mut texts = Texts::default();
        let mut problems = Vec::new();
        let bytes = self.record.text();
        let whole = std::str::from_utf8(bytes).ok();
        for (column, field) in self.header.columns.iter().enumerate() {
            let Some(field) = *field else { continue };
            let range = self.record.range(column);
            // Decoding the whole row at once is faster. If that fails, each field is decoded separately.
            let text = match whole.and_then(|whole| whole.get(range.clone())) {
                Some(text) => Ok(text),
                None => std::str::from_utf8(&bytes[range.clone()]),
            };
            match text {
                Ok(text) => texts.set(field, formula::plain(text)),
                Err(error) => {
                    problems.push(encoding::not_utf8(&bytes[range], error).in_field(field));
                }
            }
        }
        self.checks.report(&texts, problems)
    }
}

impl Rows for CsvRows<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, Error> {
        while let Some((row, frame)) = self.frames.next()? {
            self.record.read(row);
            // Spreadsheets leave blank rows below a table.
            if self.record.fields().all(is_blank) {
                continue;
            }
            let original = self.with_originals.then(|| self.header.own_part(row).to_vec());
            let report = self.report(frame);
            return Ok(Some(Row { line: frame.line, report, original }));
        }
        Ok(None)
    }

    fn take_notes(&mut self) -> Vec<Note> {
        self.header.names.take_notes()
    }

    fn shape(&self) -> Shape {
        let header = self.header.own_line().to_vec();
        Shape { header, separator: self.header.separator, marked: self.marked }
    }

    fn columns(&self) -> &[Column] {
        self.header.names.columns()
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    match bytes.first() {
        // Fast path: a usual row begins with a visible ASCII character.
        Some(first) if first.is_ascii_graphic() => false,
        _ => std::str::from_utf8(bytes).is_ok_and(|text| text.trim().is_empty()),
    }
}
