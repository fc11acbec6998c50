//! Mapping of CSV columns and JSON keys to fields, with the same rules for both.

use std::{collections::HashSet, mem};

use domain::text::quote;

use super::{field::Field, refused::OUR_COLUMNS};

/// Maximum number of notes. Protects the terminal and the memory from a file with many unknown keys.
const MAX_NOTED: usize = 50;

/// Names in a file. Each unknown one is noted once.
#[derive(Debug)]
pub(super) struct Names {
    /// Word for a name in notes: `column` or `key`.
    thing: &'static str,
    unknown: HashSet<String>,
    notes: Vec<String>,
}

impl Names {
    pub(super) fn of(thing: &'static str) -> Self {
        Self { thing, unknown: HashSet::new(), notes: Vec::new() }
    }

    /// Returns the field with this `name`. The columns that an import adds to refused rows are ignored.
    pub(super) fn field(&mut self, name: &str) -> Option<Field> {
        let field = Field::named(name);
        if field.is_none() && !OUR_COLUMNS.contains(&name) {
            self.note(name);
        }
        field
    }

    fn note(&mut self, name: &str) {
        let shown = quote(name.trim());
        if self.unknown.len() == MAX_NOTED || !self.unknown.insert(shown.clone()) {
            return;
        }
        let thing = self.thing;
        let mut note = match shown.as_str() {
            "\"\"" => format!("a {thing} without a name is not used"),
            _ => format!("the {thing} {shown} is not used"),
        };
        if let Some(field) = Field::nearest(name) {
            note += &format!(" (is it meant to be {}?)", field.as_str());
        }
        self.notes.push(note);
        if self.unknown.len() == MAX_NOTED {
            self.notes.push(format!("no further {thing}s that are not used are listed"));
        }
    }

    /// Takes the notes added since the last call.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        mem::take(&mut self.notes)
    }
}
