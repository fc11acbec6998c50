//! First row of a CSV file: its separator, and the meaning of its columns.

use super::{frames::Frames, record::Record};
use crate::{
    Error, FileError, HeaderError, Thing, field::Field, input::encoding, names::Names,
    reading::Reading, refused::REASONS,
};

/// Supported separators by frequency: if several fit equally well, the first is used.
pub(super) const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
const REQUIRED: [Field; 3] = [Field::Type, Field::City, Field::Country];

#[derive(Debug)]
pub(super) struct Header {
    pub separator: u8,
    /// Field of each column; `None` if the column is ignored.
    pub columns: Vec<Option<Field>>,
    /// Bytes of the header.
    line: Vec<u8>,
    /// Whether the first column is the one that an import adds to refused rows.
    is_amended: bool,
    pub names: Names,
}

impl Header {
    /// Reads the header. The text must not be empty.
    pub(super) fn read(frames: &mut Frames<'_>, reading: &Reading) -> Result<Self, Error> {
        let mut named = None;
        let mut row = row(frames)?;
        // Excel's own syntax for naming the separator.
        if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] = *row.as_slice()
            && separator != b'"'
        {
            named = Some(separator);
            frames.set_separator(separator);
            row = self::row(frames)?;
        }
        let separator = named.unwrap_or_else(|| guess(&row, reading));
        frames.set_separator(separator);
        let mut record = Record::new(separator);
        record.read(&row);
        let mut names = Names::of(Thing::Column, reading);
        let columns = columns(&record, &mut names)?;
        let is_amended = record.fields().next() == Some(REASONS.as_bytes());
        Ok(Self { separator, columns, line: row, is_amended, names })
    }

    /// Number of columns, without the one that an import adds to refused rows.
    pub(super) fn own_columns(&self) -> usize {
        self.columns.len() - usize::from(self.is_amended)
    }

    /// Number of own columns in a row with this many fields.
    pub(super) fn own_fields(&self, fields: usize) -> usize {
        fields.saturating_sub(usize::from(self.is_amended))
    }

    pub(super) fn own_line(&self) -> &[u8] {
        self.own_part(&self.line)
    }

    /// Part of the row without the column that an import adds to refused rows.
    pub(super) fn own_part<'r>(&self, row: &'r [u8]) -> &'r [u8] {
        if self.is_amended { behind_first_field(row, self.separator) } else { row }
    }
}

fn behind_first_field(row: &[u8], separator: u8) -> &[u8] {
    let mut quoted = false;
    let end = row.iter().position(|byte| {
        quoted ^= *byte == b'"';
        !quoted && *byte == separator
    });
    end.map_or(&[], |end| &row[end + 1..])
}

fn row(frames: &mut Frames<'_>) -> Result<Vec<u8>, Error> {
    let row = frames.next()?.map(|(row, _)| row.to_vec());
    row.ok_or_else(|| Error::Source(FileError::NoHeader))
}

/// Returns the separator with which the header has the most known fields, or if none has any, the most columns.
fn guess(row: &[u8], reading: &Reading) -> u8 {
    let fit = |separator: u8| {
        let mut record = Record::new(separator);
        record.read(row);
        let name = |name| {
            let name = std::str::from_utf8(name).ok()?;
            reading.column(name).unwrap_or_else(|| Field::named(name))
        };
        (record.fields().filter_map(name).count(), record.len())
    };
    // `max_by_key` returns the last of several maximums.
    let best = SEPARATORS.into_iter().rev().max_by_key(|separator| fit(*separator));
    best.unwrap_or(b',')
}

/// Maps columns to fields. The error lists all problems of the header.
fn columns(record: &Record, names: &mut Names) -> Result<Vec<Option<Field>>, Error> {
    let mut columns = Vec::with_capacity(record.len());
    let (mut problems, mut remedies) = (Vec::new(), Vec::new());
    // A header can have half a million columns, so each problem is listed once.
    let mut named = [0; Field::NAMES.len()];
    for bytes in record.fields() {
        let field = match std::str::from_utf8(bytes) {
            Ok(name) => names.field(name),
            Err(error) => {
                if problems.is_empty() {
                    let wrong = encoding::not_utf8(bytes, error);
                    problems.push(HeaderError::NotUtf8(wrong.reason));
                    remedies = wrong.remedies;
                }
                names.add_unreadable(&String::from_utf8_lossy(bytes));
                None
            }
        };
        if let Some(field) = field {
            named[field as usize] += 1;
        }
        columns.push(field);
    }
    let twice = Field::ALL.into_iter().zip(named).filter(|(_, times)| *times > 1);
    problems.extend(twice.map(|(field, _)| HeaderError::Twice(field)));
    let missing = REQUIRED.into_iter().filter(|field| !columns.contains(&Some(*field)));
    let missing: Vec<Field> = missing.collect();
    if !missing.is_empty() {
        problems.push(HeaderError::Lacks(missing));
    }
    if problems.is_empty() {
        return Ok(columns);
    }
    // The notes may contain the name that was meant.
    problems.extend(names.take_notes().into_iter().map(HeaderError::Note));
    let (reason, columns) = (FileError::Header(problems), names.columns().to_vec());
    Err(Error::Header { reason, columns, remedies })
}
