//! Unknown countries. They are imported, because a list of names is never complete, but reported, because they may be
//! typos.

use std::collections::{HashMap, HashSet};

use domain::text::quote;
use geo::places::{country_key, country_name};

use super::notes::Note;

/// Maximum number of names to remember: recognised ones, and unknown ones.
const MAX_NAMES: usize = 1_000;
/// Maximum number of names in the note.
const LISTED: usize = 20;

/// Countries named by the rows.
#[derive(Debug, Default)]
pub(super) struct Countries {
    recognised: HashSet<String>,
    /// Unknown names, with the number of rows that contain each.
    unknown: HashMap<String, u64>,
    /// Number of rows with unknown names that are not remembered.
    beyond: u64,
}

impl Countries {
    pub(super) fn see(&mut self, name: &str) {
        if self.recognised.contains(name) {
            return;
        }
        if let Some(rows) = self.unknown.get_mut(name) {
            *rows += 1;
        } else if country_name(&country_key(name)).is_some() {
            if self.recognised.len() < MAX_NAMES {
                self.recognised.insert(name.to_owned());
            }
        } else if self.unknown.len() < MAX_NAMES {
            self.unknown.insert(name.to_owned(), 1);
        } else {
            self.beyond += 1;
        }
    }

    /// Note about the unknown names, most frequent first.
    pub(super) fn note(&self) -> Option<Note> {
        if self.unknown.is_empty() {
            return None;
        }
        let mut names: Vec<_> = self.unknown.iter().collect();
        names.sort_by_key(|(name, rows)| (std::cmp::Reverse(**rows), *name));
        let listed = names.iter().take(LISTED).map(|(name, rows)| (quote(name), **rows));
        let further = names.len().saturating_sub(LISTED);
        Some(Note::Countries { listed: listed.collect(), further, has_more: self.beyond > 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_counted_within_bounds() {
        let mut countries = Countries::default();
        assert_eq!(countries.note(), None);
        for name in ["Brazil", "brasil", "BR", "Narnia", "Oz", "Narnia"] {
            countries.see(name);
        }
        let note = "countries that are not recognised: \"Narnia\" (2 rows), \"Oz\" (1 row)";
        assert_eq!(countries.note().unwrap().to_string(), note);
        for number in 0..MAX_NAMES {
            countries.see(&format!("Country of the number {number}"));
        }
        let note = countries.note().unwrap().to_string();
        assert!(note.starts_with("countries that are not recognised: \"Narnia\" (2 rows), "));
        assert!(note.ends_with(" and more than 980 more names"), "{note}");
        assert_eq!(countries.unknown.len(), MAX_NAMES);
    }
}
