//! CSV (RFC 4180): a header, commas, quotes where needed; LF or CRLF; a byte order mark is passed
//! over.

use std::{
    cell::RefCell,
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
    window: Rc<RefCell<Window>>,
    now: DateTime<Utc>,
    identities: Identities,
    notes: Vec<String>,
}

impl<R: Read> CsvRows<R> {
    pub(super) fn open(input: R, now: DateTime<Utc>) -> Result<Self, Error> {
        let window = Rc::<RefCell<Window>>::default();
        let limited = Limited { input, window: window.clone() };
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(limited);
        let header = reader.byte_headers().map_err(|error| broken(error, 1))?.clone();
        let mut notes = Vec::new();
        let columns = columns(&header, &mut notes)?;
        let identities = Identities::default();
        Ok(Self { reader, columns, record: ByteRecord::new(), window, now, identities, notes })
    }

    /// Whether the last byte that the reader has used is a line feed. It counts lines by them, and
    /// of a CRLF it uses only the carriage return until it goes on.
    fn ended_with_newline(&self) -> bool {
        let window = self.window.borrow();
        let last = self.reader.position().byte().checked_sub(window.start + 1);
        let last = last.and_then(|last| usize::try_from(last).ok());
        last.and_then(|last| window.piece.get(last)) == Some(&b'\n')
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
        self.window.borrow_mut().taken = 0;
        let next = self.reader.position().line() + u64::from(!self.ended_with_newline());
        let read = self.reader.read_byte_record(&mut self.record);
        if !read.map_err(|error| broken(error, next))? {
            return Ok(None);
        }
        // Counted back from the end, since blank lines may stand before the row.
        let inner = self.record.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
        let end = self.reader.position().line() - u64::from(self.ended_with_newline());
        Ok(Some(self.parse(end - inner)))
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
        Some(field) => {
            Err(Error::Source(format!("the header has a column {}: write it {field}", quote(name))))
        }
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

/// Watches what the reader is given: fails when one row has taken too much, and keeps the last
/// piece.
struct Limited<R> {
    input: R,
    window: Rc<RefCell<Window>>,
}

/// The piece of the file that the reader is in.
#[derive(Default)]
struct Window {
    piece: Vec<u8>,
    /// Offset of the piece in the file.
    start: u64,
    /// Bytes given since the row began.
    taken: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut window = self.window.borrow_mut();
        if window.taken > MAX_ROW_BYTES {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "the row is longer than 1 MiB: is there a quote that is not closed?",
            ));
        }
        let read = self.input.read(buffer)?;
        if read > 0 {
            window.start += window.piece.len() as u64;
            window.piece.clear();
            window.piece.extend_from_slice(&buffer[..read]);
            window.taken += read as u64;
        }
        Ok(read)
    }
}
