//! CSV (RFC 4180): a header, commas, quotes where needed; LF or CRLF; a byte order mark is passed
//! over.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

use chrono::{DateTime, Utc};
use csv::{ByteRecord, Reader, ReaderBuilder};

use super::{
    Error, FIELDS, Refusal,
    identity::Identities,
    row::{self, RawRow, quote},
    source::{Row, Rows, not_utf8},
};

const REQUIRED: [&str; 3] = ["type", "city", "country"];
/// A quote that is never closed makes the rest of the file one row: reading stops before that fills
/// the memory.
const MAX_ROW_BYTES: u64 = 1 << 20;

/// The rows of a CSV input.
pub(super) struct CsvRows<R> {
    reader: Reader<Limited<R>>,
    /// For each column of the file the field it holds.
    columns: Vec<Option<&'static str>>,
    record: ByteRecord,
    budget: Rc<Cell<u64>>,
    now: DateTime<Utc>,
    identities: Identities,
    notes: Vec<String>,
}

impl<R: Read> CsvRows<R> {
    pub(super) fn open(input: R, now: DateTime<Utc>) -> Result<Self, Error> {
        let budget = Rc::new(Cell::new(MAX_ROW_BYTES));
        let limited = Limited { input, budget: budget.clone() };
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(limited);
        let header = reader.byte_headers().map_err(|error| broken(error, 1))?.clone();
        let mut notes = Vec::new();
        let columns = columns(&header, &mut notes)?;
        let identities = Identities::default();
        Ok(Self { reader, columns, record: ByteRecord::new(), budget, now, identities, notes })
    }

    fn parse(&mut self, line: u64) -> Row {
        if self.record.len() != self.columns.len() {
            let (fields, expected) = (self.record.len(), self.columns.len());
            let reason = format!("has {fields} fields where the header has {expected}");
            return Err(Refusal { line, field: None, reason });
        }
        let mut raw = RawRow::default();
        for (bytes, name) in self.record.iter().zip(&self.columns) {
            let Some(name) = *name else { continue };
            let text = std::str::from_utf8(bytes).map_err(|error| Refusal {
                line,
                field: Some(name),
                reason: not_utf8(bytes, error),
            })?;
            if let Some(field) = raw.field(name) {
                *field = Some(text).filter(|text| !text.trim().is_empty());
            }
        }
        row::parse(&raw, line, self.now, &mut self.identities).map(|report| (line, report))
    }
}

impl<R: Read> Rows for CsvRows<R> {
    fn next_row(&mut self) -> Result<Option<Row>, Error> {
        self.budget.set(MAX_ROW_BYTES);
        let begins = self.reader.position().line();
        let read = self.reader.read_byte_record(&mut self.record);
        if !read.map_err(|error| broken(error, begins))? {
            return Ok(None);
        }
        let line = self.record.position().map_or(begins, csv::Position::line);
        Ok(Some(self.parse(line)))
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

fn columns(
    header: &ByteRecord,
    notes: &mut Vec<String>,
) -> Result<Vec<Option<&'static str>>, Error> {
    let mut columns: Vec<Option<&'static str>> = Vec::with_capacity(header.len());
    for bytes in header {
        let name = std::str::from_utf8(bytes)
            .map_err(|error| Error::Source(format!("the header {}", not_utf8(bytes, error))))?
            .trim();
        let known = FIELDS.into_iter().find(|field| *field == name);
        if let Some(field) = known
            && columns.contains(&known)
        {
            return Err(Error::Source(format!("the header names the column {field} twice")));
        }
        if known.is_none() {
            notes.push(unknown_column(name)?);
        }
        columns.push(known);
    }
    let missing: Vec<&str> =
        REQUIRED.into_iter().filter(|name| !columns.contains(&Some(name))).collect();
    if missing.is_empty() {
        return Ok(columns);
    }
    let mut message = format!(
        "the header lacks {}; it must name type, city and country, and may name id, region, \
         peopleCount, eventDate, createdAt, lat and lng",
        missing.join(" and ")
    );
    if let Some(separator) = other_separator(header) {
        message += &format!(". Its columns seem to be separated by {separator}: use commas");
    }
    Err(Error::Source(message))
}

/// A name that is nearly a field's is a slip, and its column would be lost; any other is noted.
fn unknown_column(name: &str) -> Result<String, Error> {
    let plain = |text: &str| text.replace(['_', ' ', '-'], "").to_ascii_lowercase();
    match FIELDS.into_iter().find(|field| plain(field) == plain(name)) {
        Some(field) => Err(Error::Source(format!(
            "the header has a column {}: write it {field}",
            quote(name)
        ))),
        None => Ok(format!("the column {} is not used", quote(name))),
    }
}

fn other_separator(header: &ByteRecord) -> Option<&'static str> {
    let only = header.get(0).filter(|_| header.len() == 1)?;
    [(b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars")]
        .into_iter()
        .find(|(byte, _)| only.contains(byte))
        .map(|(_, name)| name)
}

fn broken(error: csv::Error, line: u64) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Error::Source(format!("line {line}: {error}"))
        }
        csv::ErrorKind::Io(error) => Error::Read(error),
        other => Error::Source(format!("line {line}: {other:?}")),
    }
}

/// Fails when one row has taken too much.
struct Limited<R> {
    input: R,
    budget: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.budget.get() == 0 {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "the row is longer than 1 MiB: is there a quote that is not closed?",
            ));
        }
        let read = self.input.read(buffer)?;
        self.budget.set(self.budget.get().saturating_sub(read as u64));
        Ok(read)
    }
}
