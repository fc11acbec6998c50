//! CSV (RFC 4180): a header and rows, quotes where needed; with commas, semicolons, tabs or bars; lines
//! end with LF, CRLF or CR.

mod frames;
mod header;
mod record;

use csv::ByteRecord;

use self::{
    frames::Frames,
    header::{Header, SEPARATORS},
    record::Record,
};
use super::{
    Error,
    input::encoding,
    row::{Checks, Texts},
    rows::{Problem, Row, Rows, Shape},
    text::Text,
};
use crate::store::NewReport;

/// The rows of a CSV input.
pub(super) struct CsvRows<'i> {
    frames: Frames<'i>,
    header: Header,
    record: Record,
    checks: Checks,
    with_originals: bool,
    marked: bool,
}

impl<'i> CsvRows<'i> {
    /// Reads the header. `marked` says whether the file began with a byte order mark.
    pub(super) fn open(
        text: Text<'i>,
        checks: Checks,
        with_originals: bool,
        marked: bool,
    ) -> Result<Self, Error> {
        let mut frames = Frames::new(text, SEPARATORS.to_vec());
        let header = Header::read(&mut frames)?;
        let record = Record::new(header.separator);
        Ok(Self { frames, header, record, checks, with_originals, marked })
    }

    /// The record as a report. `ends_of_lines` are those within the row.
    fn report(&mut self, ends_of_lines: u64) -> Result<NewReport, Vec<Problem>> {
        let (fields, expected) = (self.record.len(), self.header.columns.len());
        let surplus_is_blank = || {
            let mut surplus = self.record.fields().skip(expected);
            surplus.all(|field| field.trim_ascii().is_empty())
        };
        if fields < expected || !surplus_is_blank() {
            let mut reason = format!("has {fields} fields where the header has {expected}");
            if ends_of_lines > 0 {
                let lines = ends_of_lines + 1;
                reason += &format!(", and goes over {lines} lines: is a quote not closed?");
            }
            return Err(vec![Problem::of_row(reason)]);
        }
        let mut texts = Texts::default();
        let mut problems = Vec::new();
        let bytes = self.record.whole();
        let whole = std::str::from_utf8(bytes).ok();
        for (column, field) in self.header.columns.iter().enumerate() {
            let Some(field) = *field else { continue };
            let range = self.record.range(column);
            // Read as text at once, which is faster; alone where that fails.
            let text = match whole.and_then(|whole| whole.get(range.clone())) {
                Some(text) => Ok(text),
                None => std::str::from_utf8(&bytes[range.clone()]),
            };
            match text {
                Ok(text) => texts.set(field, text),
                Err(error) => {
                    problems.push(Problem::of(field, encoding::not_utf8(&bytes[range], error)));
                }
            }
        }
        self.checks.report(&texts, problems)
    }

    /// The row without the columns that an earlier import added to it.
    fn original(&self) -> ByteRecord {
        let own = self.record.fields().enumerate();
        own.filter(|(column, _)| !self.header.is_ours(*column)).map(|(_, field)| field).collect()
    }
}

impl Rows for CsvRows<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, Error> {
        while let Some((line, row)) = self.frames.next()? {
            self.record.read(row);
            // What spreadsheets leave below a table.
            if is_blank(self.record.whole()) {
                continue;
            }
            let ends_of_lines = self.frames.inner_lines();
            let report = self.report(ends_of_lines);
            let original = self.with_originals.then(|| self.original());
            return Ok(Some(Row { line, report, original }));
        }
        Ok(None)
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.header.notes)
    }

    fn shape(&self) -> Shape {
        let names = self.header.names.iter().enumerate();
        let columns = names.filter(|(column, _)| !self.header.is_ours(*column));
        Shape {
            columns: columns.map(|(_, name)| name).collect(),
            separator: self.header.separator,
            marked: self.marked,
        }
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    match bytes.first() {
        // The usual row is told by its first byte.
        Some(first) if first.is_ascii_graphic() => false,
        _ => std::str::from_utf8(bytes).is_ok_and(|text| text.trim().is_empty()),
    }
}
