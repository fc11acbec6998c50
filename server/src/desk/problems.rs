//! Problems of the whole service in the person's language.

use kit::lang::Lang;

use super::words::{
    problems::{
        INVALID_PERIOD, THE_SERVICE_FAILED, TOO_MANY_REQUESTS, TOO_MANY_SIGN_INS, UNAVAILABLE,
    },
    webhooks::TESTED_TOO_SOON,
};
use crate::{
    api::v1::webhooks::TOO_SOON,
    problem::{Code, Problem},
    site::visitors::SIGN_IN_QUOTA,
};

/// The detail of a problem. Problems that are not of the desk are in English, and those that people
/// may see are replaced here by their code.
pub(crate) fn detail(problem: &Problem, lang: Lang) -> String {
    let is = |code: Code| problem.0.kind.code == code.as_str();
    let word = match lang {
        Lang::En => None,
        _ if is(Code::Internal) => Some(THE_SERVICE_FAILED),
        _ if is(Code::Unavailable) => Some(UNAVAILABLE),
        _ if is(Code::InvalidPeriod) => Some(INVALID_PERIOD),
        _ if is(Code::RateLimited) => Some(match (problem.0.quota, problem.detail()) {
            (Some(SIGN_IN_QUOTA), _) => TOO_MANY_SIGN_INS,
            (_, TOO_SOON) => TESTED_TOO_SOON,
            _ => TOO_MANY_REQUESTS,
        }),
        _ => None,
    };
    word.map_or_else(|| problem.detail().to_owned(), |word| word.text(lang).to_owned())
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::*;

    #[test]
    fn problems_of_the_service_are_in_the_persons_language() {
        let cause = || Arc::new(std::io::Error::other("no"));
        let limited = |detail: &'static str| Problem::rate_limited(detail, Duration::from_secs(5));
        for (problem, text) in [
            (Problem::internal(cause()), THE_SERVICE_FAILED.text(Lang::Fr)),
            (Problem::unavailable(cause()), UNAVAILABLE.text(Lang::Fr)),
            (limited("x").of_quota(SIGN_IN_QUOTA), TOO_MANY_SIGN_INS.text(Lang::Fr)),
            (limited(TOO_SOON), TESTED_TOO_SOON.text(Lang::Fr)),
            (limited("x"), TOO_MANY_REQUESTS.text(Lang::Fr)),
            (Problem::not_found("Cela n’existe pas."), "Cela n’existe pas."),
        ] {
            assert_eq!(detail(&problem, Lang::Fr), text);
            assert_eq!(detail(&problem, Lang::En), problem.detail());
        }
    }
}
