//! Texts of pages and islands, in the language of the page.
//!
//! The texts are only on the server. A page contains, by name, the texts that its island may need
//! later, so that no language is in the wasm.

#[cfg(feature = "ssr")]
mod on_server;

use crate::{
    dom::page_lang,
    json::{FromJson, each, field},
    lang::Lang,
    number::neutral,
};
use js_sys::Object;
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};

/// A text, or a text that depends on a number, in all languages. Only its name is in the wasm.
/// Values are inserted at names in braces, such as `{place}`; see [`filled`].
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Name in the page's JSON.
    pub name: &'static str,
    /// For each of [`Lang::ALL`] the only form, or those for a number: zero, one, two, few, many,
    /// other (Unicode CLDR); or the items of a list.
    #[cfg(feature = "ssr")]
    pub forms: [&'static [&'static str]; Lang::ALL.len()],
}

/// Declares words, each with its text in English, Portuguese, Spanish, French, German and Arabic. A
/// text that depends on a number is a pair of singular and plural, or the six forms of the Unicode
/// CLDR. A list has its items in brackets.
#[cfg(feature = "ssr")]
#[macro_export]
macro_rules! words {
    ($($(#[$attribute:meta])* $WORD:ident: $($text:tt),+;)+) => {
        $(
            $(#[$attribute])*
            pub(crate) const $WORD: $crate::words::Word = $crate::words::Word {
                name: stringify!($WORD),
                forms: [$($crate::forms!($text)),+],
            };
        )+
    };
}

/// Declares words by their names.
#[cfg(not(feature = "ssr"))]
#[macro_export]
macro_rules! words {
    ($($(#[$attribute:meta])* $WORD:ident: $($text:tt),+;)+) => {
        $(
            $(#[$attribute])*
            #[allow(dead_code, reason = "most words are only on the server")]
            pub(crate) const $WORD: $crate::words::Word = $crate::words::Word {
                name: stringify!($WORD),
            };
        )+
    };
}

/// Forms of a text in one language; see [`words!`].
#[cfg(feature = "ssr")]
#[macro_export]
macro_rules! forms {
    ([$($form:literal),+]) => { &[$($form),+] };
    (($one:literal, $other:literal)) => { &[$other, $one, $other, $other, $other, $other] };
    ($text:literal) => { &[$text] };
}

/// Texts in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    pub lang: Lang,
    /// Texts by name, each with its only form or those for a number, see [`Word`].
    texts: Arc<Vec<(String, Vec<String>)>>,
    /// Whether other words have their own texts. Otherwise they are empty.
    #[cfg(feature = "ssr")]
    has_all: bool,
}

impl Words {
    pub fn text(&self, word: Word) -> &str {
        self.pick(word, 0)
    }

    /// The form for a count, or the only form.
    pub fn form(&self, word: Word, count: u64) -> &str {
        match self.pick(word, self.lang.form(count)) {
            "" => self.text(word),
            form => form,
        }
    }

    /// A number and the noun that goes with it. A dual has no number beside it: it already means two (CLDR).
    pub fn counted(&self, noun: Word, count: u64, number: &str) -> String {
        let form = self.form(noun, count);
        if self.lang.has_dual(count) { form.to_owned() } else { [number, " ", form].concat() }
    }

    /// The form for a count, with the count at `{n}`.
    pub fn sentence(&self, word: Word, count: u64) -> String {
        filled(self.form(word, count), &[("n", &neutral(count, self.lang))])
    }

    /// An item of a list of texts, such as the name of a month.
    pub fn item(&self, word: Word, index: usize) -> &str {
        self.pick(word, index)
    }

    /// The text with values, see [`filled`].
    pub fn with(&self, word: Word, values: &[(&str, &str)]) -> String {
        filled(self.text(word), values)
    }

    fn pick(&self, word: Word, form: usize) -> &str {
        match self.texts.iter().find(|(name, _)| name == word.name) {
            Some((_, forms)) => forms.get(form).map_or("", String::as_str),
            #[cfg(feature = "ssr")]
            None if self.has_all => {
                word.forms[self.lang as usize].get(form).copied().unwrap_or_default()
            }
            None => "",
        }
    }
}

/// Inserts values at their names in braces. Braces in values are kept as they are.
pub fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        result.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        if let Some((_, value)) = values.iter().find(|(given, _)| *given == name) {
            result.push_str(value);
        }
        rest = after;
    }
    result.push_str(rest);
    result
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
