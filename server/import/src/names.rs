//! What the columns of a CSV file and the keys of a JSON object mean: one set of rules for both.

use std::{collections::HashSet, mem};

use domain::text::quote;

use super::{field::Field, refused::OUR_COLUMNS};

/// A file of nothing but made-up keys fills neither the terminal nor the memory.
const MOST_NOTED: usize = 50;

/// The names that a file uses. Each that means nothing is noted once.
#[derive(Debug)]
pub(super) struct Names {
    /// `column` or `key`.
    thing: &'static str,
    unknown: HashSet<String>,
    notes: Vec<String>,
}

impl Names {
    pub(super) fn of(thing: &'static str) -> Self {
        Self { thing, unknown: HashSet::new(), notes: Vec::new() }
    }

    /// The field that `name` means. The columns that an import adds to refused rows are ignored.
    pub(super) fn field(&mut self, name: &str) -> Option<Field> {
        let field = Field::named(name);
        if field.is_none() && !OUR_COLUMNS.contains(&name) {
            self.note(name);
        }
        field
    }

    fn note(&mut self, name: &str) {
        let shown = quote(name.trim());
        if self.unknown.len() == MOST_NOTED || !self.unknown.insert(shown.clone()) {
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
        if self.unknown.len() == MOST_NOTED {
            self.notes.push(format!("no further {thing}s that are not used are listed"));
        }
    }

    /// What was noted since the last call.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        mem::take(&mut self.notes)
    }
}
