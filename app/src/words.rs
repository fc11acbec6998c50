//! Texts of the widgets, in the language of the page.
//!
//! A widget declares its own words in its folder; [`common`] has the rest. The texts are only on the
//! server. A page contains, by name, the texts that its island may need later, so that no language
//! is in the wasm.

use kit::{
    number::{localised, neutral},
    signals::{Var, effect, later},
};
use model::{Metrics, ReportType};
use std::sync::Arc;

pub(crate) mod common;

pub use kit::words::Word;
pub(crate) use kit::words::Words;

/// Name of a report type.
pub(crate) const fn name_of(kind: ReportType) -> Word {
    match kind {
        ReportType::Spirit => common::SPIRIT,
        ReportType::Water => common::WATER,
        ReportType::Both => common::BOTH,
    }
}

/// Time of standing numbers: "as of 14:05 UTC".
pub(crate) fn time_of(metrics: &Metrics, words: &Words) -> String {
    [words.text(common::AS_OF), " ", metrics.clock(), " UTC"].concat()
}

/// Date and time of standing numbers, for paper: "as of 2026-01-05 14:05 UTC".
pub(crate) fn date_of(metrics: &Metrics, words: &Words) -> String {
    [words.text(common::AS_OF_DATE), " ", metrics.day(), " ", metrics.clock(), " UTC"].concat()
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
    use kit::lang::Lang;

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
            assert_eq!(time_of(&metrics, &words), time);
            assert_eq!(date_of(&metrics, &words), date);
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
