//! Texts of a page as the server writes them.

use super::{Word, Words};
use crate::lang::Lang;
use serde::{Serialize, Serializer};
use std::sync::Arc;

impl Word {
    /// The text in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        self.forms[lang as usize][0]
    }
}

impl Words {
    /// All words of a language.
    pub fn all(lang: Lang) -> Self {
        Self { lang, has_all: true, ..Self::default() }
    }

    /// Some words of a language.
    pub fn only(lang: Lang, words: &[Word]) -> Self {
        let owned = |forms: &[&str]| forms.iter().map(|form| (*form).to_owned()).collect();
        let text = |word: &Word| (word.name.to_owned(), owned(word.forms[lang as usize]));
        Self { lang, texts: Arc::new(words.iter().map(text).collect()), has_all: false }
    }

    /// Like [`Words::with`], for values of any direction, such as names and ids. In right-to-left
    /// text, each is isolated (Unicode Standard Annex 9), so that it does not move the text around
    /// it.
    pub fn with_data(&self, word: Word, values: &[(&str, &str)]) -> String {
        let isolated = |value: &str| match self.lang.direction() {
            "rtl" => ["\u{2068}", value, "\u{2069}"].concat(),
            _ => value.to_owned(),
        };
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, isolated(value))).collect();
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, &**value)).collect();
        self.with(word, &values)
    }

    /// Replaces the text of a word, unless the word is unused.
    pub fn replace(&mut self, word: Word, text: &str) {
        let texts = Arc::make_mut(&mut self.texts);
        match texts.iter_mut().find(|(name, _)| name == word.name) {
            Some((_, forms)) => *forms = vec![text.to_owned()],
            None if self.has_all => texts.push((word.name.to_owned(), vec![text.to_owned()])),
            None => {}
        }
    }
}

/// The words by name: a string, or the list of the forms.
impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.texts.iter().map(|(name, forms)| (name, Forms(forms))))
    }
}

struct Forms<'a>(&'a [String]);

impl Serialize for Forms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [text] => text.serialize(serializer),
            forms => forms.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::filled;
    use super::*;

    crate::words! {
        /// A greeting.
        HELLO: "Hello, {name}", "Olá, {name}", "Hola, {name}", "Bonjour, {name}", "Hallo, {name}", "مرحبًا {name}";
        REPORT_WAITS:
            ("{n} report waits", "{n} reports wait"),
            ("{n} relato espera", "{n} relatos esperam"),
            ("{n} informe espera", "{n} informes esperan"),
            ("{n} signalement attend", "{n} signalements attendent"),
            ("{n} Bericht wartet", "{n} Berichte warten"),
            ["لا بلاغات", "بلاغ واحد ينتظر", "بلاغان ينتظران", "{n} بلاغات تنتظر", "{n} بلاغًا ينتظر", "{n} بلاغ ينتظر"];
    }

    #[test]
    fn a_page_carries_the_words_of_its_island_and_no_others() {
        let words = Words::only(Lang::De, &[HELLO, REPORT_WAITS]);
        let wait = "{n} Berichte warten";
        assert_eq!(
            serde_json::to_value(&words).unwrap(),
            serde_json::json!({
                "HELLO": "Hallo, {name}",
                "REPORT_WAITS": [wait, "{n} Bericht wartet", wait, wait, wait, wait],
            })
        );
        assert_eq!(Words::only(Lang::De, &[HELLO]).text(REPORT_WAITS), "");
    }

    #[test]
    fn values_are_inserted_once() {
        for (text, filled_text) in [
            ("{a} and {b}", "{b} and 2"),
            ("{c}", ""),
            ("plain", "plain"),
            ("a {b", "a {b"),
            ("b} {b}", "b} 2"),
            ("", ""),
        ] {
            assert_eq!(filled(text, &[("a", "{b}"), ("b", "2")]), filled_text, "{text}");
        }
        assert_eq!(Words::all(Lang::Fr).with(HELLO, &[("name", "Zoé")]), "Bonjour, Zoé");
        let greeted = |lang| Words::all(lang).with_data(HELLO, &[("name", "Zoé")]);
        assert_eq!(greeted(Lang::Ar), "مرحبًا \u{2068}Zoé\u{2069}");
        assert_eq!(greeted(Lang::En), "Hello, Zoé");
    }

    #[test]
    fn sentences_take_the_form_and_the_digits_of_their_number() {
        for (lang, count, sentence) in [
            (Lang::En, 1, "1 report waits"),
            (Lang::En, 1_234, "1,234 reports wait"),
            (Lang::De, 1_234, "1.234 Berichte warten"),
            (Lang::Ar, 2, "بلاغان ينتظران"),
            (Lang::Ar, 11, "11 بلاغًا ينتظر"),
        ] {
            assert_eq!(Words::all(lang).sentence(REPORT_WAITS, count), sentence);
        }
    }
}
