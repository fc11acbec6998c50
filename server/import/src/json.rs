//! JSON rows: one object per row, with the keys of the API. The objects are on separate lines (NDJSON) or in an array.

mod array;
mod lines;
mod object;

use std::borrow::Cow;

use domain::report::NewReport;
use serde_json::Value;

pub(super) use self::{array::Array, lines::Lines};
use super::{
    Error,
    field::Field,
    input::encoding,
    names::{Column, Names},
    notes::{Note, Thing},
    reading::Reading,
    reasons::Wrong,
    refused::{ORIGINAL, csv_line},
    row::{Checks, Texts},
    row_error::RowError,
    rows::{Problem, Row, Rows, Shape},
};

/// Splits a text into objects.
pub(super) trait Objects {
    /// Returns the next object, and the line on which it begins.
    fn next(&mut self) -> Result<Option<(u64, &[u8])>, Error>;
}

/// Rows of a JSON input.
pub(super) struct JsonRows<O> {
    objects: O,
    reader: Reader,
    with_originals: bool,
    marked: bool,
}

impl<O: Objects> JsonRows<O> {
    pub(super) fn new(
        objects: O,
        checks: Checks,
        with_originals: bool,
        marked: bool,
        reading: &Reading,
    ) -> Self {
        let names = Names::of(Thing::Key, reading);
        let reader = Reader { checks, names, values: Values::default() };
        Self { objects, reader, with_originals, marked }
    }
}

impl<O: Objects> Rows for JsonRows<O> {
    fn next_row(&mut self) -> Result<Option<Row>, Error> {
        let Some((line, bytes)) = self.objects.next()? else { return Ok(None) };
        let report = self.reader.report(line, bytes);
        let original = self.with_originals.then(|| self.reader.original(bytes));
        Ok(Some(Row { line, report, original }))
    }

    fn take_notes(&mut self) -> Vec<Note> {
        self.reader.names.take_notes()
    }

    fn shape(&self) -> Shape {
        let header = csv_line(Field::NAMES.into_iter().chain([ORIGINAL]), b',');
        Shape { header, separator: b',', marked: self.marked }
    }

    fn columns(&self) -> &[Column] {
        self.reader.names.columns()
    }
}

/// Values of an object, by field.
#[derive(Default)]
struct Values {
    values: [Option<Value>; Field::ALL.len()],
    /// Whether these values represent everything that the object contains about the fields.
    are_all: bool,
}

struct Reader {
    checks: Checks,
    names: Names,
    /// Values of the last object.
    values: Values,
}

impl Reader {
    fn report(&mut self, line: u64, bytes: &[u8]) -> Result<NewReport, Vec<Problem>> {
        let mut problems = Vec::new();
        self.values = Values::default();
        let whole = |reason: RowError| vec![Problem::of_row(reason)];
        let text = std::str::from_utf8(bytes).map_err(|error| {
            vec![Problem { field: None, wrong: encoding::not_utf8(bytes, error) }]
        })?;
        self.values.are_all = true;
        for (key, value) in object::entries(text, line).map_err(|reason| {
            self.values.are_all = false;
            whole(reason)
        })? {
            let Some(field) = self.names.field(&key) else { continue };
            let place = &mut self.values.values[field as usize];
            if place.is_some() {
                self.values.are_all = false;
                problems.push(Wrong::from(RowError::Twice).in_field(field));
            }
            *place = Some(value);
        }
        let mut cells: [Option<Cow<'_, str>>; Field::ALL.len()] = Default::default();
        for (cell, value) in cells.iter_mut().zip(&self.values.values) {
            *cell = value.as_ref().and_then(text_of);
        }
        let mut texts = Texts::default();
        for (at, field) in Field::ALL.into_iter().enumerate() {
            match (&self.values.values[at], &cells[at]) {
                (Some(Value::Number(number)), _) if field == Field::Id && number.is_f64() => {
                    problems.push(Wrong::from(RowError::RoundedNumber).in_field(field));
                }
                (_, Some(text)) => texts.set(field, text),
                (None | Some(Value::Null), None) => {}
                (Some(_), None) => {
                    self.values.are_all = false;
                    problems.push(Wrong::from(RowError::NoText).in_field(field));
                }
            }
        }
        self.checks.report(&texts, problems)
    }

    /// Formats the row as CSV: a cell for each field, and the object itself if the cells do not represent all of it.
    fn original(&self, bytes: &[u8]) -> Vec<u8> {
        let cells = self.values.values.iter().map(|value| value.as_ref().and_then(text_of));
        let cells = cells.map(|cell| cell.unwrap_or_default().into_owned().into_bytes());
        let json = if self.values.are_all { Vec::new() } else { bytes.trim_ascii().to_vec() };
        csv_line(cells.chain([json]), b',')
    }
}

/// Formats the value like in CSV, so that both formats share the same checks.
fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text.as_str())),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}
