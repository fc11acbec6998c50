//! What widgets say, in the language of the page.
//!
//! The dictionaries are the server's. A page carries the texts that its widget may have to say
//! later as a list, in the widget's own order, so that no language is in the wasm.

use crate::{lang::Lang, number::localised};

#[cfg(feature = "ssr")]
pub(crate) mod dictionary;

/// The texts of one widget in one language. A noun takes [`FORMS`](crate::lang::FORMS) places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) lang: Lang,
    pub(crate) texts: Vec<String>,
}

impl Words {
    /// The text at a place of the list.
    pub(crate) fn text(&self, place: usize) -> &str {
        self.texts.get(place).map_or("", String::as_str)
    }

    /// The form that goes with `count` of the noun that begins at a place of the list.
    pub(crate) fn noun(&self, place: usize, count: u64) -> &str {
        self.text(place + self.lang.form(count))
    }

    /// A number and the noun that goes with it.
    pub(crate) fn counted(&self, place: usize, count: u64) -> String {
        localised(count, self.lang) + " " + self.noun(place, count)
    }
}
