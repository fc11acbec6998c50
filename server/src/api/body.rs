//! Request bodies: JSON objects without unknown members.

mod check;

use axum::{body::HttpBody, extract::Request};
use base::time::parse_date;
use chrono::NaiveDate;
use edge::{gate, problem::Fault};
use http::{HeaderMap, header};
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use self::check::{FaultKind, Place};
use crate::{
    openapi::schemas,
    problem::{Code, Problem, Result},
};

/// Maximum length of descriptions of wrong values, which may quote them.
const MAX_FAULT: usize = 300;

/// Reads the body of a request. The [gate](edge::gate) limits its size and duration.
///
/// # Errors
/// See [`object`] and [`parsed`].
pub(crate) async fn read<T: DeserializeOwned + JsonSchema>(
    request: Request,
    code: fn(&str) -> Code,
) -> Result<T> {
    parsed(object(request).await?, code)
}

/// Reads the body of a request that may have none, which counts as an object without members.
pub(crate) async fn read_if_any<T: DeserializeOwned + JsonSchema>(
    request: Request,
    code: fn(&str) -> Code,
) -> Result<T> {
    match request.body().is_end_stream() {
        true => parsed(Map::new(), code),
        false => read(request, code).await,
    }
}

/// Reads the JSON object in a request's body.
///
/// # Errors
/// The body is not a JSON object, or exceeds the limits of the route.
pub(crate) async fn object(request: Request) -> Result<Map<String, Value>> {
    if !media_type(request.headers()).eq_ignore_ascii_case("application/json") {
        return Err(Problem::unsupported_media_type(
            "The body must be JSON: send it with Content-Type: application/json.",
        ));
    }
    let body = gate::whole(request.into_body()).await?;
    match serde_json::from_slice(&body) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Problem::invalid_json("The body must be a JSON object: { … }.")),
        Err(error) => Err(Problem::invalid_json(format!("The body is not JSON: {error}."))),
    }
}

/// Returns the media type of a request's body, without parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim()
}

/// Parses the members of a body. `code` returns the code of a problem with the member of this name; the name is empty
/// for the body as a whole.
///
/// # Errors
/// A member is unknown, missing, or has a wrong value.
pub(crate) fn parsed<T: DeserializeOwned + JsonSchema>(
    members: Map<String, Value>,
    code: fn(&str) -> Code,
) -> Result<T> {
    let members = Value::Object(members);
    let schema = schemas::of_request::<T>();
    refuse(check::faults(&members, &schema), code)?;
    serde_path_to_error::deserialize(&members).map_err(|error| {
        let (mut place, mut schema) = (Place::default(), &schema);
        for segment in error.path() {
            (place, schema) = match segment {
                Segment::Map { key } | Segment::Enum { variant: key } => {
                    (place.member(key), check::member(schema, key))
                }
                Segment::Seq { index } => (place.item(*index), check::item(schema)),
                Segment::Unknown => (place, schema),
            };
        }
        let fault = error.inner().to_string();
        let detail = match OWN_WORDS.iter().any(|words| fault.starts_with(words)) {
            true => {
                let value = members.pointer(&place.pointer).unwrap_or(&Value::Null);
                place.must_be(schema, value)
            }
            false => {
                let fault: String = fault.chars().take(MAX_FAULT).collect();
                format!("{} is wrong: {fault}.", place.named())
            }
        };
        Problem::new(code(&place.member), detail).at(place.pointer)
    })
}

/// Beginnings of serde's own messages, which name Rust types.
const OWN_WORDS: [&str; 7] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "unknown variant",
    "unknown field",
    "missing field",
    "data did not match",
];

/// Refuses members that `T` does not have, in the body or in an object in it: ignoring them would not do what the
/// client wants.
pub(crate) fn check_members<T: JsonSchema>(members: &Map<String, Value>) -> Result<()> {
    let members = Value::Object(members.clone());
    let unknown = check::unknown_members(&members, &schemas::of_request::<T>());
    refuse(unknown, |_| Code::InvalidBody)
}

/// Returns a problem if there are faults, with the code of the first.
fn refuse(faults: Vec<check::Fault>, code: fn(&str) -> Code) -> Result<()> {
    let Some(first) = faults.first() else { return Ok(()) };
    let code = match first.kind {
        FaultKind::UnknownMember => Code::InvalidBody,
        FaultKind::WrongValue => code(&first.at.member),
    };
    let problem = Problem::new(code, first.detail.clone());
    let faults = faults.into_iter().map(|fault| Fault {
        line: None,
        pointer: Some(fault.at.pointer),
        detail: fault.detail,
    });
    Err(problem.with_faults(faults.collect()))
}

/// Deserializes a member that may be left out, but not `null`.
pub(crate) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Deserializes a date that may be left out or `null`.
pub(crate) fn date<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<NaiveDate>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let date = text.map(|text| parse_date(&text).ok_or(text)).transpose();
    date.map_err(|text| D::Error::custom(format!("{text:?} is not a date, as YYYY-MM-DD")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Body {
        url: String,
        #[serde(default, deserialize_with = "given")]
        filter: Option<Filter>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Filter {
        country: Option<String>,
        #[serde(default)]
        types: Vec<u8>,
        #[serde(default, deserialize_with = "date")]
        #[schemars(with = "Option<String>")]
        day: Option<NaiveDate>,
    }

    /// Code of the problem with a body, and its faults by pointer.
    fn refused(body: Value) -> Option<(&'static str, Vec<(String, String)>)> {
        let Value::Object(members) = body else { panic!("{body}") };
        let code = |name: &str| if name == "url" { Code::InvalidUrl } else { Code::InvalidFilter };
        let problem = parsed::<Body>(members, code).err()?.0;
        assert_eq!(problem.detail, problem.faults[0].detail);
        let faults = problem.faults.into_iter().map(|one| (one.pointer.unwrap(), one.detail));
        Some((problem.kind.code, faults.collect()))
    }

    #[test]
    fn all_faults_are_named_by_their_pointers_in_the_terms_of_json() {
        let whole = json!({ "url": "a", "filter": { "country": null, "types": [1] } });
        assert_eq!(refused(whole), None);
        for (body, code, faults) in [
            (
                json!({ "filters": {} }),
                Code::InvalidBody,
                &[
                    ("/filters", "The body has no member \"filters\": did you mean \"filter\"?"),
                    ("/url", "\"url\" is missing: give a string."),
                ][..],
            ),
            (
                json!({ "url": {}, "filter": { "a/b~": 1 } }),
                Code::InvalidBody,
                &[
                    (
                        "/filter/a~1b~0",
                        "\"filter\" has no member \"a/b~\": it may have country, types and day.",
                    ),
                    ("/url", "\"url\" must be a string, not an object."),
                ],
            ),
            (
                json!({ "url": 7 }),
                Code::InvalidUrl,
                &[("/url", "\"url\" must be a string, not 7.")],
            ),
            (
                json!({ "url": "a", "filter": null }),
                Code::InvalidFilter,
                &[("/filter", "\"filter\" must be an object, not null.")],
            ),
            (
                json!({ "url": "a", "filter": ["BR"] }),
                Code::InvalidFilter,
                &[("/filter", "\"filter\" must be an object, not a list.")],
            ),
            (
                json!({ "url": "a", "filter": { "types": [256, "b", 1.5] } }),
                Code::InvalidFilter,
                &[
                    (
                        "/filter/types/0",
                        "\"filter.types[0]\" must be a whole number from 0 to 255, not 256.",
                    ),
                    (
                        "/filter/types/1",
                        "\"filter.types[1]\" must be a whole number from 0 to 255, not \"b\".",
                    ),
                    (
                        "/filter/types/2",
                        "\"filter.types[2]\" must be a whole number from 0 to 255, not 1.5.",
                    ),
                ],
            ),
            (
                json!({ "url": "a", "filter": { "day": "2026-02-30" } }),
                Code::InvalidFilter,
                &[(
                    "/filter/day",
                    "\"filter.day\" is wrong: \"2026-02-30\" is not a date, as YYYY-MM-DD.",
                )],
            ),
            (json!({}), Code::InvalidUrl, &[("/url", "\"url\" is missing: give a string.")]),
        ] {
            let faults = faults.iter().map(|(at, detail)| ((*at).to_owned(), (*detail).to_owned()));
            assert_eq!(refused(body), Some((code.as_str(), faults.collect())));
        }
    }

    /// Body that has one of several members.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only read")]
    enum Target {
        Ids(Vec<String>),
        Kind(Kind),
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    enum Kind {
        One,
        Two,
    }

    #[test]
    fn exactly_one_of_several_members_is_wanted() {
        for (body, detail) in [
            (json!({}), "The body must have either ids or kind."),
            (json!({ "ids": [], "kind": "One" }), "The body must have either ids or kind."),
            (json!({ "ids": "a" }), "\"ids\" must be a list, not \"a\"."),
            (json!({ "kind": "Three" }), "\"kind\" must be One or Two, not \"Three\"."),
        ] {
            let Value::Object(members) = body else { panic!("{body}") };
            let problem = parsed::<Target>(members, |_| Code::InvalidBody).unwrap_err();
            assert_eq!(problem.detail(), detail);
        }
        let members = Map::from_iter([("ids".to_owned(), json!(["a"]))]);
        assert!(parsed::<Target>(members, |_| Code::InvalidBody).is_ok());
    }
}
