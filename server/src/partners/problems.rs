//! Problems in the partner's language. Details of the API are in English: other languages have a translation of the code
//! before them.

use desk::isolates::english;
use kit::{lang::Lang, words::Words};

use super::words::{
    HELD, INVALID_EVENTS, INVALID_FILTER, INVALID_URL, NO_SUCH_SUBSCRIPTION,
    TOO_MANY_SUBSCRIPTIONS, URL_NOT_ALLOWED,
};
use crate::{
    desk::problems,
    problem::{Code, Problem},
};

/// The detail of a problem.
pub(super) fn detail(problem: &Problem, lang: Lang) -> String {
    let general = problems::detail(problem, lang);
    if lang == Lang::En || general != problem.detail() {
        return general;
    }
    let is = |code: Code| problem.0.kind.code == code.as_str();
    let words = Words::all(lang);
    let word = match () {
        () if is(Code::InvalidUrl) => INVALID_URL,
        () if is(Code::UrlNotAllowed) => URL_NOT_ALLOWED,
        () if is(Code::InvalidEvents) => INVALID_EVENTS,
        () if is(Code::InvalidFilter) => INVALID_FILTER,
        () if is(Code::SubscriptionLimit) => TOO_MANY_SUBSCRIPTIONS,
        () if is(Code::Forbidden) => HELD,
        () if general.starts_with("There is no subscription") => NO_SUCH_SUBSCRIPTION,
        // Already in the partner's language, or only in English.
        () if general.is_ascii() => return english(&general),
        () => return general,
    };
    words.with(word, &[("detail", &english(&general))])
}
