//! Parsing of arbitrary queries; see [`crate::fuzz`].

use super::Parameters;
use crate::{
    openapi::{
        Parameter,
        parameter::{
            AFTER, CITY, COUNTRY, DELIVERY_STATUS, EVENTS, FROM, INTERVAL, LANG, LIMIT, PAGE,
            REGION, SINCE, TO, TYPES,
        },
    },
    problem::Problem,
};

const KNOWN: &[Parameter] = &[
    AFTER,
    CITY,
    COUNTRY,
    DELIVERY_STATUS,
    EVENTS,
    FROM,
    INTERVAL,
    LANG,
    LIMIT,
    PAGE,
    REGION,
    SINCE,
    TO,
    TYPES,
];

/// Returns the problems of a query, for any endpoint. Accepted values must be within their limits.
pub(crate) fn problems(query: &str) -> Vec<Problem> {
    let given = match Parameters::of(Some(query), KNOWN) {
        Ok(given) => given,
        Err(problem) => return vec![problem],
    };
    if let Ok(limit) = given.limit(1) {
        assert!((1..=100).contains(&limit), "{limit}");
    }
    if let Ok((from, to)) = given.required_period() {
        assert!(from <= to, "{from} {to}");
    }
    let refused = [
        given.after().err(),
        given.cursor(&AFTER).err(),
        given.delivery_status().err(),
        given.events().err(),
        given.interval().err(),
        given.lang().err(),
        given.limit(1).err(),
        given.page().err(),
        given.period().err(),
        given.place().err(),
        given.required_period().err(),
        given.since().err(),
        given.types().err(),
    ];
    refused.into_iter().flatten().collect()
}
