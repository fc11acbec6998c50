//! The first row of a CSV file: what separates its columns, and what they are.

use super::{frames::Frames, record::Record};
use crate::{Error, field::Field, input::encoding, names::Names, refused::REASONS};

/// By frequency; of two that fit equally the first is taken.
pub(super) const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
const REQUIRED: [Field; 3] = [Field::Type, Field::City, Field::Country];

#[derive(Debug)]
pub(super) struct Header {
    pub separator: u8,
    /// What each column of the file holds.
    pub columns: Vec<Option<Field>>,
    /// The header itself.
    line: Vec<u8>,
    /// Whether the first column is the one that an import adds to refused rows.
    is_amended: bool,
    pub notes: Vec<String>,
}

impl Header {
    /// Reads the header of a text that has one.
    pub(super) fn read(frames: &mut Frames<'_>) -> Result<Self, Error> {
        let mut named = None;
        let mut row = row(frames)?;
        // Excel's own way to name the separator.
        if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] = *row.as_slice()
            && separator != b'"'
        {
            named = Some(separator);
            frames.set_separator(separator);
            row = self::row(frames)?;
        }
        let separator = named.unwrap_or_else(|| guess(&row));
        frames.set_separator(separator);
        let mut record = Record::new(separator);
        record.read(&row);
        let (columns, notes) = columns(&record)?;
        let is_amended = record.fields().next() == Some(REASONS.as_bytes());
        Ok(Self { separator, columns, line: row, is_amended, notes })
    }

    /// Columns of the file as it was before an import added one.
    pub(super) fn own_columns(&self) -> usize {
        self.columns.len() - usize::from(self.is_amended)
    }

    /// The same of a row that has so many fields.
    pub(super) fn own_fields(&self, fields: usize) -> usize {
        fields.saturating_sub(usize::from(self.is_amended))
    }

    pub(super) fn own_line(&self) -> &[u8] {
        self.own_part(&self.line)
    }

    /// The row as it was before an import added a column.
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
    row.ok_or_else(|| Error::Source("the file has no header".to_owned()))
}

/// The separator by which the header names most fields, or else has most columns.
fn guess(row: &[u8]) -> u8 {
    let fit = |separator: u8| {
        let mut record = Record::new(separator);
        record.read(row);
        let name = |name| std::str::from_utf8(name).ok().and_then(Field::named);
        (record.fields().filter_map(name).count(), record.len())
    };
    // `max_by_key` takes the last of equals.
    let best = SEPARATORS.into_iter().rev().max_by_key(|separator| fit(*separator));
    best.unwrap_or(b',')
}

/// Says all that is wrong with the header at once.
fn columns(record: &Record) -> Result<(Vec<Option<Field>>, Vec<String>), Error> {
    let mut names = Names::of("column");
    let mut columns = Vec::with_capacity(record.len());
    let mut problems = Vec::new();
    // A header can have half a million columns: each problem is said once.
    let mut named = [0; Field::NAMES.len()];
    for bytes in record.fields() {
        let field = match std::str::from_utf8(bytes) {
            Ok(name) => names.field(name),
            Err(error) => {
                if problems.is_empty() {
                    problems.push(format!("the header {}", encoding::not_utf8(bytes, error)));
                }
                None
            }
        };
        if let Some(field) = field {
            named[field as usize] += 1;
        }
        columns.push(field);
    }
    let twice = Field::NAMES.into_iter().zip(named).filter(|(_, times)| *times > 1);
    problems.extend(twice.map(|(name, _)| format!("the header names the column {name} twice")));
    let missing = REQUIRED.into_iter().filter(|field| !columns.contains(&Some(*field)));
    let missing: Vec<&str> = missing.map(Field::as_str).collect();
    if !missing.is_empty() {
        problems.push(format!(
            "the header lacks {}; it must name type, city and country, and may name id, region, \
             peopleCount, eventDate, createdAt, lat and lng",
            missing.join(" and ")
        ));
    }
    let notes = names.take_notes();
    if problems.is_empty() {
        return Ok((columns, notes));
    }
    // Among them may be the name that was meant.
    problems.extend(notes);
    Err(Error::Source(problems.join("; ")))
}
