//! Mapping of CSV columns and JSON keys to fields, with the same rules for both.

use std::{collections::HashSet, mem};

use domain::text::quote;

use super::{
    field::Field,
    notes::{Note, Thing},
    reading::Reading,
    refused::OUR_COLUMNS,
};

/// Maximum number of notes. Protects the terminal and the memory from a file with many unknown keys.
const MAX_NOTED: usize = 50;

/// Maximum number of columns or keys to remember.
const MAX_COLUMNS: usize = 200;
/// Maximum length of a remembered name, in bytes.
const MAX_NAME: usize = 256;

/// Column or key of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in the file.
    pub name: String,
    /// Field that it is read as; `None` if it is not read.
    pub field: Option<Field>,
    /// Field that is probably meant, if the column is not read.
    pub suggested: Option<Field>,
}

/// Names in a file. Each unknown one is noted once.
#[derive(Debug)]
pub(super) struct Names {
    reading: Reading,
    columns: Vec<Column>,
    thing: Thing,
    unknown: HashSet<String>,
    notes: Vec<Note>,
}

impl Names {
    pub(super) fn of(thing: Thing, reading: &Reading) -> Self {
        let (reading, columns) = (reading.clone(), Vec::new());
        Self { reading, columns, thing, unknown: HashSet::new(), notes: Vec::new() }
    }

    /// Returns the field of the column or key with this `name`. The columns that an import adds to refused rows are
    /// ignored.
    pub(super) fn field(&mut self, name: &str) -> Option<Field> {
        if let Some(column) = self.columns.iter().find(|column| column.name == name) {
            return column.field;
        }
        if OUR_COLUMNS.contains(&name) {
            return None;
        }
        let chosen = self.reading.column(name);
        let field = chosen.unwrap_or_else(|| Field::named(name));
        let suggested = if field.is_none() { Field::nearest(name) } else { None };
        if field.is_none() && chosen.is_none() {
            self.note(name, suggested);
        }
        self.add(name, field, suggested);
        field
    }

    /// Adds a column whose name is not UTF-8.
    pub(super) fn add_unreadable(&mut self, name: &str) {
        self.add(name, None, None);
    }

    fn add(&mut self, name: &str, field: Option<Field>, suggested: Option<Field>) {
        if self.columns.len() < MAX_COLUMNS && name.len() <= MAX_NAME {
            self.columns.push(Column { name: name.to_owned(), field, suggested });
        }
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn note(&mut self, name: &str, suggested: Option<Field>) {
        let shown = quote(name.trim());
        if self.unknown.len() == MAX_NOTED || !self.unknown.insert(shown.clone()) {
            return;
        }
        let thing = self.thing;
        self.notes.push(match name.trim() {
            "" => Note::Unnamed(thing),
            _ => Note::NotUsed { thing, name: shown, suggested },
        });
        if self.unknown.len() == MAX_NOTED {
            self.notes.push(Note::NoFurther(thing));
        }
    }

    pub(super) fn add_notes(&mut self, notes: Vec<Note>) {
        self.notes.extend(notes);
    }

    /// Takes the notes added since the last call.
    pub(super) fn take_notes(&mut self) -> Vec<Note> {
        mem::take(&mut self.notes)
    }
}
