//! What the widgets say, in the language of the page.
//!
//! The dictionaries are the server's. A page carries, by name, the texts that its island may have
//! to say later, so that no language is in the wasm.

use crate::{
    lang::{FORMS, Lang},
    live,
    model::{Metrics, ReportType},
    number::{localised, neutral},
    reactive::{Var, effect},
};
use js_sys::Array;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};

#[cfg(feature = "ssr")]
pub(crate) mod dictionary;

/// The forms of a noun beside a number: zero, one, two, few, many, other (Unicode CLDR).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noun(Vec<String>);

impl From<[&'static str; FORMS]> for Noun {
    fn from(forms: [&'static str; FORMS]) -> Self {
        Self(forms.map(str::to_owned).into())
    }
}

/// A text or a noun of [`Words`], to be filled in.
pub(crate) enum Slot<'a> {
    Text(&'a mut String),
    Noun(&'a mut Noun),
}

impl<'a> From<&'a mut String> for Slot<'a> {
    fn from(text: &'a mut String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a mut Noun> for Slot<'a> {
    fn from(noun: &'a mut Noun) -> Self {
        Self::Noun(noun)
    }
}

/// Declares the texts and nouns of [`Words`]: a field of that name here, one in the server's
/// dictionaries, and a member of that name in the page's JSON.
macro_rules! words {
    ($($name:ident: $kind:ty),* $(,)?) => {
        /// The words of one widget in one language. Those that the widget doesn't say are empty.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Words {
            pub(crate) lang: Lang,
            $(pub(crate) $name: $kind,)*
        }

        impl Words {
            const COUNT: usize = [$(stringify!($name)),*].len();

            fn slots(&mut self) -> [(&'static str, Slot<'_>); Self::COUNT] {
                [$((stringify!($name), (&mut self.$name).into())),*]
            }

            /// All words of a language.
            #[cfg(feature = "ssr")]
            pub(crate) fn all(lang: Lang) -> Self {
                let dictionary = dictionary::dictionary(lang);
                Self { lang, $($name: dictionary.$name.into()),* }
            }
        }
    };
}

words! {
    as_of: String,
    both: String,
    city: Noun,
    comma: String,
    country: Noun,
    credit: String,
    drag: String,
    feed: String,
    globe: String,
    keys: String,
    list: String,
    live: String,
    metrics: String,
    modified: String,
    new_report: Noun,
    nothing_yet: String,
    pause: String,
    person: Noun,
    reconnecting: String,
    report: Noun,
    resume: String,
    rough: String,
    spirit: String,
    today: String,
    total: String,
    water: String,
}

impl Words {
    /// What a type is called.
    pub(crate) fn kind(&self, kind: ReportType) -> &str {
        match kind {
            ReportType::Spirit => &self.spirit,
            ReportType::Water => &self.water,
            ReportType::Both => &self.both,
        }
    }

    /// The form of a noun that goes with a count.
    pub(crate) fn form<'a>(&self, noun: &'a Noun, count: u64) -> &'a str {
        noun.0.get(self.lang.form(count)).map_or("", String::as_str)
    }

    /// When standing numbers are from: "as of 14:05 UTC".
    pub(crate) fn time_of(&self, metrics: &Metrics) -> String {
        [&self.as_of, " ", metrics.clock(), " UTC"].concat()
    }

    /// The same with its date, for paper: "as of 2026-01-05 14:05 UTC".
    pub(crate) fn date_of(&self, metrics: &Metrics) -> String {
        [&self.as_of, " ", metrics.day(), " ", metrics.clock(), " UTC"].concat()
    }

    /// Reads them out of a page's JSON.
    pub(crate) fn read(lang: Lang, texts: &JsValue) -> Self {
        let mut words = Self { lang, ..Self::default() };
        for (name, slot) in words.slots() {
            match slot {
                Slot::Text(text) => *text = live::text(texts, name),
                Slot::Noun(noun) => {
                    let forms = live::field(texts, name).dyn_into::<Array>().unwrap_or_default();
                    noun.0 = forms.iter().filter_map(|form| form.as_string()).collect();
                }
            }
        }
        words
    }
}

#[cfg(feature = "ssr")]
impl Words {
    /// Some words of a language, by name.
    ///
    /// # Panics
    /// In debug builds, if there is no word of one of the names.
    pub(crate) fn only(lang: Lang, names: &[&str]) -> Self {
        let mut words = Self::all(lang);
        let mut found = 0;
        for (name, slot) in words.slots() {
            if names.contains(&name) {
                found += 1;
                continue;
            }
            match slot {
                Slot::Text(text) => text.clear(),
                Slot::Noun(noun) => noun.0.clear(),
            }
        }
        debug_assert_eq!(found, names.len(), "a word of {names:?} does not exist");
        words
    }

    /// The words as JSON, by name, without those that are empty.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        let mut words = self.clone();
        let named = words.slots().into_iter().filter_map(|(name, slot)| {
            let value = match slot {
                Slot::Text(text) if !text.is_empty() => serde_json::json!(text),
                Slot::Noun(noun) if !noun.0.is_empty() => serde_json::json!(noun.0),
                _ => return None,
            };
            Some((name.to_owned(), value))
        });
        serde_json::Value::Object(named.collect())
    }
}

/// The words of an island, and the form in which it writes numbers and times: at first as the
/// server did, since the browser's first render has to match the server's to the letter; then as
/// the visitor's locale does.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    words: StoredValue<Arc<Words>>,
    localised: Var<bool>,
}

impl Wording {
    pub(crate) fn new(words: &Arc<Words>) -> Self {
        let localised = Var::new(false);
        effect(move |_| localised.set(true));
        Self { words: StoredValue::new(words.clone()), localised }
    }

    pub(crate) fn words(self) -> Arc<Words> {
        self.words.get_value()
    }

    /// A number for reading. Reactive.
    pub(crate) fn number(self, value: u64) -> String {
        let write = if self.localised.get() { localised } else { neutral };
        write(value, self.words().lang)
    }

    /// A number and the noun that goes with it. Reactive.
    pub(crate) fn counted(self, noun: fn(&Words) -> &Noun, count: u64) -> String {
        let words = self.words();
        [&self.number(count), " ", words.form(noun(&words), count)].concat()
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_page_carries_the_words_that_its_widget_says_and_no_others() {
        let words = Words::only(Lang::De, &["live", "city"]);
        assert_eq!(
            words.to_json(),
            serde_json::json!({
                "city": ["Städte", "Stadt", "Städte", "Städte", "Städte", "Städte"],
                "live": "live",
            })
        );
    }

    #[test]
    fn every_word_is_there_in_every_language() {
        for lang in Lang::ALL {
            let json = Words::all(lang).to_json();
            assert_eq!(json.as_object().map(|words| words.len()), Some(Words::COUNT), "{lang:?}");
        }
    }
}
