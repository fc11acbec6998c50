//! Problems in the partner's language. Details of the API are in English: other languages have a translation of the code
//! before them.

use desk::isolates::english;
use kit::{
    lang::Lang,
    words::{Word, Words},
};

use super::words::{
    HELD, INVALID_EVENTS, INVALID_FILTER, INVALID_URL, NO_SUCH_SUBSCRIPTION,
    TOO_MANY_SUBSCRIPTIONS, URL_NOT_ALLOWED,
};
use crate::{
    desk::problems,
    problem::{Code, Problem},
};

/// Translations of the details of some codes.
const TRANSLATED: [(Code, Word); 6] = [
    (Code::InvalidUrl, INVALID_URL),
    (Code::UrlNotAllowed, URL_NOT_ALLOWED),
    (Code::InvalidEvents, INVALID_EVENTS),
    (Code::InvalidFilter, INVALID_FILTER),
    (Code::SubscriptionLimit, TOO_MANY_SUBSCRIPTIONS),
    (Code::Forbidden, HELD),
];
/// Start of the detail for an unknown subscription.
const UNKNOWN: &str = "There is no subscription";

/// The detail of a problem.
pub(super) fn detail(problem: &Problem, lang: Lang) -> String {
    let general = problems::detail(problem, lang);
    if lang == Lang::En || general != problem.detail() {
        return general;
    }
    let words = Words::all(lang);
    let code = problem.0.kind.code;
    let translated = TRANSLATED.iter().find(|(known, _)| known.as_str() == code);
    let word = match translated {
        Some((_, word)) => *word,
        None if general.starts_with(UNKNOWN) => NO_SUCH_SUBSCRIPTION,
        // Only in English, or already in the partner's language.
        None if general.is_ascii() => return english(&general),
        None => return general,
    };
    words.with(word, &[("detail", &english(&general))])
}
