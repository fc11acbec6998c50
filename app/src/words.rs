//! Texts of the widgets, in the language of the page.
//!
//! The dictionaries are only on the server. A page contains, by name, the texts that its islands may need later, so
//! that no language is in the wasm.

use js_sys::Array;
use kit::{
    json::field,
    lang::Lang,
    number::{localised, neutral},
    signals::{Var, effect},
};
use model::{Metrics, ReportType};
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};

#[cfg(feature = "ssr")]
pub(crate) mod dictionary;

/// Declares the variants of [`Word`]: each is a field in the server's dictionaries, and a member of
/// that name in the page's JSON.
macro_rules! words {
    ($($word:ident => $name:ident),* $(,)?) => {
        /// A text, or a noun beside a number.
        #[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "the server says some of them"))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Word {
            $($word),*
        }

        impl Word {
            const NAMES: [&'static str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];
        }

        #[cfg(feature = "ssr")]
        impl Words {
            /// All words of a language.
            pub(crate) fn all(lang: Lang) -> Self {
                use dictionary::Forms;
                let dictionary = dictionary::dictionary(lang);
                Self { lang, forms: vec![$(dictionary.$name.forms()),*] }
            }
        }
    };
}

words! {
    AsOf => as_of,
    AsOfDate => as_of_date,
    Both => both,
    City => city,
    Comma => comma,
    Country => country,
    Credit => credit,
    Drag => drag,
    Keys => keys,
    List => list,
    Live => live,
    Modified => modified,
    NewReport => new_report,
    NothingYet => nothing_yet,
    Pause => pause,
    Person => person,
    Reconnecting => reconnecting,
    Report => report,
    Resume => resume,
    Rough => rough,
    Spirit => spirit,
    Today => today,
    Total => total,
    Water => water,
}

impl Word {
    /// Name of a report type.
    pub(crate) const fn of(kind: ReportType) -> Self {
        match kind {
            ReportType::Spirit => Self::Spirit,
            ReportType::Water => Self::Water,
            ReportType::Both => Self::Both,
        }
    }
}

/// Texts of one widget in one language. Texts that the widget doesn't use are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) lang: Lang,
    /// For each [`Word`] its only form, or those of a noun: zero, one, two, few, many, other (Unicode
    /// CLDR).
    forms: Vec<Vec<String>>,
}

impl Words {
    pub(crate) fn text(&self, word: Word) -> &str {
        self.pick(word, 0)
    }

    /// The form of a noun that goes with a count.
    pub(crate) fn form(&self, noun: Word, count: u64) -> &str {
        self.pick(noun, self.lang.form(count))
    }

    /// A number and the noun that goes with it. A dual has no number beside it: it already means two (CLDR).
    pub(crate) fn counted(&self, noun: Word, count: u64, number: &str) -> String {
        let form = self.form(noun, count);
        if self.lang.has_dual(count) { form.to_owned() } else { [number, " ", form].concat() }
    }

    fn pick(&self, word: Word, form: usize) -> &str {
        self.forms.get(word as usize).and_then(|forms| forms.get(form)).map_or("", String::as_str)
    }

    /// Time of standing numbers: "as of 14:05 UTC".
    pub(crate) fn time_of(&self, metrics: &Metrics) -> String {
        [self.text(Word::AsOf), " ", metrics.clock(), " UTC"].concat()
    }

    /// Date and time of standing numbers, for paper: "as of 2026-01-05 14:05 UTC".
    pub(crate) fn date_of(&self, metrics: &Metrics) -> String {
        [self.text(Word::AsOfDate), " ", metrics.day(), " ", metrics.clock(), " UTC"].concat()
    }

    /// Reads them out of a page's JSON.
    pub(crate) fn read(lang: Lang, texts: &JsValue) -> Self {
        let forms = |name: &str| -> Vec<String> {
            let value = field(texts, name);
            let forms = value.dyn_into().unwrap_or_else(|text| Array::of1(&text));
            forms.iter().filter_map(|form| form.as_string()).collect()
        };
        Self { lang, forms: Word::NAMES.into_iter().map(forms).collect() }
    }
}

#[cfg(feature = "ssr")]
impl Words {
    /// Replaces the text of a word, unless the word is unused.
    pub(crate) fn replace(&mut self, word: Word, text: &str) {
        if let Some(forms) = self.forms.get_mut(word as usize).filter(|forms| !forms.is_empty()) {
            *forms = vec![text.to_owned()];
        }
    }

    /// Some words of a language.
    pub(crate) fn only(lang: Lang, said: &[Word]) -> Self {
        let mut words = Self::all(lang);
        for (index, forms) in words.forms.iter_mut().enumerate() {
            if !said.iter().any(|word| *word as usize == index) {
                forms.clear();
            }
        }
        words
    }

    /// The words as JSON, by name, without those that are empty.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        let value = |forms: &Vec<String>| match forms.as_slice() {
            [] => None,
            [text] => Some(serde_json::json!(text)),
            forms => Some(serde_json::json!(forms)),
        };
        let named = Word::NAMES.into_iter().zip(&self.forms);
        named.filter_map(|(name, forms)| Some((name.to_owned(), value(forms)?))).collect()
    }
}

/// The words of an island, and the form in which it writes numbers and times: at first as the
/// server did, since the browser's first render has to match the server's to the letter; then as
/// the visitor's locale does.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    words: Var<Arc<Words>>,
    localised: Var<bool>,
}

impl Wording {
    pub(crate) fn new(words: &Arc<Words>) -> Self {
        let localised = Var::new(false);
        effect(move |_| localised.set(true));
        Self { words: Var::new(words.clone()), localised }
    }

    pub(crate) fn words(self) -> Arc<Words> {
        self.words.get_untracked()
    }

    pub(crate) fn text(self, word: Word) -> String {
        self.words().text(word).to_owned()
    }

    /// Whether numbers and times are written as the visitor's locale does. Reactive.
    pub(crate) fn is_localised(self) -> bool {
        self.localised.get()
    }

    /// A number for reading. Reactive.
    pub(crate) fn number(self, value: u64) -> String {
        let write = if self.localised.get() { localised } else { neutral };
        write(value, self.words().lang)
    }

    /// A number and the noun that goes with it. Reactive.
    pub(crate) fn counted(self, noun: Word, count: u64) -> String {
        self.words().counted(noun, count, &self.number(count))
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_page_carries_the_words_that_its_widget_says_and_no_others() {
        let words = Words::only(Lang::De, &[Word::Live, Word::City]);
        assert_eq!(
            words.to_json(),
            serde_json::json!({
                "city": ["Städte", "Stadt", "Städte", "Städte", "Städte", "Städte"],
                "live": "live",
            })
        );
    }

    #[test]
    fn times_and_dates_have_prepositions_of_their_own() {
        let metrics =
            Metrics { updated_at: "2026-01-05T01:05:09.123Z".to_owned(), ..Metrics::default() };
        for (lang, time, date) in [
            (Lang::En, "as of 01:05 UTC", "as of 2026-01-05 01:05 UTC"),
            (Lang::Pt, "às 01:05 UTC", "em 2026-01-05 01:05 UTC"),
            (Lang::Es, "datos de 01:05 UTC", "al 2026-01-05 01:05 UTC"),
            (Lang::Fr, "à 01:05 UTC", "au 2026-01-05 01:05 UTC"),
            (Lang::De, "Stand 01:05 UTC", "Stand 2026-01-05 01:05 UTC"),
            (Lang::Ar, "حتى 01:05 UTC", "حتى 2026-01-05 01:05 UTC"),
        ] {
            let words = Words::all(lang);
            assert_eq!(words.time_of(&metrics), time);
            assert_eq!(words.date_of(&metrics), date);
        }
    }

    #[test]
    fn a_dual_stands_without_its_number() {
        for (lang, count, counted) in [
            (Lang::Ar, 1, "1 بلاغ"),
            (Lang::Ar, 2, "بلاغان"),
            (Lang::Ar, 3, "3 بلاغات"),
            (Lang::Ar, 102, "102 بلاغ"),
            (Lang::De, 2, "2 Berichte"),
            (Lang::Pt, 1_000_000, "1000000 de relatos"),
        ] {
            let words = Words::all(lang);
            assert_eq!(words.counted(Word::Report, count, &count.to_string()), counted);
        }
    }

    #[test]
    fn every_word_is_there_in_every_language() {
        for lang in Lang::ALL {
            let json = Words::all(lang).to_json();
            assert_eq!(
                json.as_object().map(|words| words.len()),
                Some(Word::NAMES.len()),
                "{lang:?}"
            );
        }
    }
}
