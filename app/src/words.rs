//! Texts of the widgets, in the language of the page.
//!
//! A widget declares its own words in its folder; [`common`] has the rest. The texts are only on the
//! server. A page contains, by name, the texts that its island may need later, so that no language
//! is in the wasm.

use js_sys::Object;
use kit::{
    dom::page_lang,
    json::{FromJson, each, field},
    lang::Lang,
    number::{localised, neutral},
    signals::{Var, effect, later},
};
use model::{Metrics, ReportType};
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};

pub(crate) mod common;

/// A text of the widgets, or a noun beside a number, in all languages. Only its name is in the wasm.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Name in the page's JSON.
    pub(crate) name: &'static str,
    /// For each of [`Lang::ALL`] the only form, or those of a noun: zero, one, two, few, many, other
    /// (Unicode CLDR).
    #[cfg(feature = "ssr")]
    pub(crate) forms: [&'static [&'static str]; Lang::ALL.len()],
}

/// Declares words, each with its text in English, Portuguese, Spanish, French, German and Arabic. A
/// noun is a pair of singular and plural, or the six forms of the Unicode CLDR.
macro_rules! words {
    ($($(#[$attribute:meta])* $WORD:ident: $($text:tt),+;)+) => {
        $(
            $(#[$attribute])*
            #[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "only the server uses it"))]
            pub(crate) const $WORD: $crate::words::Word = $crate::words::Word {
                name: stringify!($WORD),
                #[cfg(feature = "ssr")]
                forms: [$($crate::words::forms!($text)),+],
            };
        )+
    };
}
pub(crate) use words;

#[cfg(feature = "ssr")]
macro_rules! forms {
    ([$($form:literal),+]) => { &[$($form),+] };
    (($one:literal, $other:literal)) => { &[$other, $one, $other, $other, $other, $other] };
    ($text:literal) => { &[$text] };
}
#[cfg(feature = "ssr")]
pub(crate) use forms;

impl Word {
    /// Name of a report type.
    pub(crate) const fn of(kind: ReportType) -> Self {
        match kind {
            ReportType::Spirit => common::SPIRIT,
            ReportType::Water => common::WATER,
            ReportType::Both => common::BOTH,
        }
    }

    /// The text in a language.
    #[cfg(feature = "ssr")]
    pub(crate) fn text(self, lang: Lang) -> &'static str {
        self.forms[lang as usize][0]
    }
}

/// Texts in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) lang: Lang,
    /// Texts by name, each with its only form or those of a noun, see [`Word`].
    texts: Arc<Vec<(String, Vec<String>)>>,
    /// Whether other words have their own texts. Otherwise they are empty.
    #[cfg(feature = "ssr")]
    has_all: bool,
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
        match self.texts.iter().find(|(name, _)| name == word.name) {
            Some((_, forms)) => forms.get(form).map_or("", String::as_str),
            #[cfg(feature = "ssr")]
            None if self.has_all => word.forms[self.lang as usize][form],
            None => "",
        }
    }

    /// Time of standing numbers: "as of 14:05 UTC".
    pub(crate) fn time_of(&self, metrics: &Metrics) -> String {
        [self.text(common::AS_OF), " ", metrics.clock(), " UTC"].concat()
    }

    /// Date and time of standing numbers, for paper: "as of 2026-01-05 14:05 UTC".
    pub(crate) fn date_of(&self, metrics: &Metrics) -> String {
        [self.text(common::AS_OF_DATE), " ", metrics.day(), " ", metrics.clock(), " UTC"].concat()
    }
}

/// Reads the words from a page's JSON.
impl FromJson for Words {
    fn from_json(texts: &JsValue) -> Self {
        let tag = page_lang();
        let lang = Lang::ALL.into_iter().find(|lang| lang.tag() == tag);
        let mut words = Vec::new();
        each(&Object::keys(texts.unchecked_ref::<Object>()), &mut |name| {
            let name = String::from_json(name);
            let value = field(texts, &name);
            let forms = match value.as_string() {
                Some(text) => vec![text],
                None => FromJson::from_json(&value),
            };
            words.push((name, forms));
        });
        Self {
            lang: lang.unwrap_or_default(),
            texts: Arc::new(words),
            #[cfg(feature = "ssr")]
            has_all: false,
        }
    }
}

#[cfg(feature = "ssr")]
impl Words {
    /// All words of a language.
    pub(crate) fn all(lang: Lang) -> Self {
        Self { lang, has_all: true, ..Self::default() }
    }

    /// Some words of a language.
    pub(crate) fn only(lang: Lang, words: &[Word]) -> Self {
        let owned = |forms: &[&str]| forms.iter().map(|form| (*form).to_owned()).collect();
        let text = |word: &Word| (word.name.to_owned(), owned(word.forms[lang as usize]));
        Self { lang, texts: Arc::new(words.iter().map(text).collect()), has_all: false }
    }

    /// Replaces the text of a word, unless the word is unused.
    pub(crate) fn replace(&mut self, word: Word, text: &str) {
        let texts = Arc::make_mut(&mut self.texts);
        match texts.iter_mut().find(|(name, _)| name == word.name) {
            Some((_, forms)) => *forms = vec![text.to_owned()],
            None if self.has_all => texts.push((word.name.to_owned(), vec![text.to_owned()])),
            None => {}
        }
    }
}

/// The words by name.
#[cfg(feature = "ssr")]
impl serde::Serialize for Words {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.texts.iter().map(|(name, forms)| match forms.as_slice() {
            [text] => (name, serde_json::json!(text)),
            forms => (name, serde_json::json!(forms)),
        }))
    }
}

/// The words of an island, and the form in which it writes numbers and times: at first as the
/// server did, since the browser's first render has to match the server's to the letter; then as
/// the visitor's locale does.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    words: Var<Words>,
    localised: Var<bool>,
}

impl Wording {
    pub(crate) fn new(words: &Words) -> Self {
        let localised = Var::new(false);
        effect(move |_| later(move || localised.set(true)));
        Self { words: Var::new(words.clone()), localised }
    }

    pub(crate) fn words(self) -> Arc<Words> {
        self.words.read_untracked()
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

    /// The noun beside a separate number. Empty for a dual, which would repeat the number.
    pub(crate) fn noun(self, noun: Word, count: u64) -> String {
        let words = self.words();
        if words.lang.has_dual(count) { String::new() } else { words.form(noun, count).to_owned() }
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
        let words = Words::only(Lang::De, &[common::LIVE, common::CITY]);
        assert_eq!(
            serde_json::to_value(words).unwrap(),
            serde_json::json!({
                "CITY": ["Städte", "Stadt", "Städte", "Städte", "Städte", "Städte"],
                "LIVE": "live",
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
            assert_eq!(words.counted(common::REPORT, count, &count.to_string()), counted);
        }
    }
}
