//! Request bodies: JSON objects without unknown members.

use axum::{body::HttpBody, extract::Request};
use base::{spelling, time::parse_date};
use chrono::NaiveDate;
use edge::gate;
use http::{HeaderMap, header};
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};

use crate::{
    openapi::schemas,
    problem::{Code, Problem, Result},
};

/// Maximum length of names that problems quote.
const MAX_QUOTED: usize = 60;
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
    check(&members, &schemas::of_request::<T>(), "", code)?;
    serde_path_to_error::deserialize(members).map_err(|error| {
        let (path, fault) = (error.path().to_string(), error.inner().to_string());
        let fault: String = fault.chars().take(MAX_FAULT).collect();
        let Some(Segment::Map { key } | Segment::Enum { variant: key }) =
            error.path().iter().next()
        else {
            return Problem::new(code(""), format!("The body is incomplete or wrong: {fault}."));
        };
        let problem = Problem::new(code(key), format!("{path:?} is wrong: {fault}."));
        problem.at(pointer(error.path()))
    })
}

/// Refuses members that `T` does not have, in the body or in an object in it: ignoring them would not do what the
/// client wants.
pub(crate) fn check_members<T: JsonSchema>(members: &Map<String, Value>) -> Result<()> {
    let members = Value::Object(members.clone());
    check(&members, &schemas::of_request::<T>(), "", |_| Code::InvalidBody)
}

/// Checks a value. `at` is the JSON pointer (RFC 6901) to it.
fn check(value: &Value, schema: &Value, at: &str, code: fn(&str) -> Code) -> Result<()> {
    let variants = ["oneOf", "anyOf"].iter().filter_map(|word| schema[word].as_array()).flatten();
    let variants = variants.chain([schema]);
    let objects = variants.filter_map(|variant| variant["properties"].as_object());
    let known: Vec<(&String, &Value)> = objects.flatten().collect();
    let members = match value {
        Value::Object(members) if !known.is_empty() => members,
        // From a list, serde would take the items as the members.
        Value::Array(_) if !known.is_empty() => {
            let name = at.trim_start_matches('/');
            let problem = Problem::new(code(name), format!("{name:?} must be an object."));
            return Err(problem.at(at.to_owned()));
        }
        _ => return Ok(()),
    };
    for (name, member) in members {
        let at = format!("{at}/{}", escaped(name));
        match known.iter().find(|(known, _)| *known == name) {
            Some((_, schema)) => check(member, schema, &at, code)?,
            None => return Err(unknown(name, known.iter().map(|(name, _)| name.as_str()), at)),
        }
    }
    Ok(())
}

fn unknown<'n>(
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
    pointer: String,
) -> Problem {
    let shown: String = name.chars().take(MAX_QUOTED).collect();
    let place = match pointer.rsplit_once('/') {
        Some((place, _)) if !place.is_empty() => place,
        _ => "The body",
    };
    let hint = spelling::hint(name, known, "it may have");
    Problem::invalid_body(format!("{place} has no member {shown:?}: {hint}"), pointer)
}

fn pointer(path: &Path) -> String {
    let segments = path.iter().map(|segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } | Segment::Enum { variant: key } => format!("/{}", escaped(key)),
        Segment::Unknown => String::new(),
    });
    segments.collect()
}

/// Escapes a name for a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
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
    }

    /// Code, pointer and detail of the problem with a body.
    fn refused(body: Value) -> Option<(&'static str, Option<String>, String)> {
        let Value::Object(members) = body else { panic!("{body}") };
        let code = |name: &str| if name == "url" { Code::InvalidUrl } else { Code::InvalidFilter };
        let problem = parsed::<Body>(members, code).err()?;
        Some((problem.0.kind.code, problem.0.pointer, problem.0.detail.into_owned()))
    }

    #[test]
    fn what_is_wrong_is_named_by_its_pointer() {
        let whole = json!({ "url": "a", "filter": { "country": null, "types": [1] } });
        assert_eq!(refused(whole), None);
        for (body, code, pointer, detail) in [
            (
                json!({ "filters": {} }),
                Code::InvalidBody,
                Some("/filters"),
                "The body has no member \"filters\": did you mean \"filter\"?",
            ),
            (
                json!({ "url": {}, "filter": { "a/b~": 1 } }),
                Code::InvalidBody,
                Some("/filter/a~1b~0"),
                "/filter has no member \"a/b~\": it may have country and types.",
            ),
            (
                json!({ "url": 7 }),
                Code::InvalidUrl,
                Some("/url"),
                "\"url\" is wrong: invalid type: integer `7`, expected a string.",
            ),
            (
                json!({ "url": "a", "filter": null }),
                Code::InvalidFilter,
                Some("/filter"),
                "\"filter\" is wrong: invalid type: null, expected struct Filter.",
            ),
            (
                json!({ "url": "a", "filter": ["BR"] }),
                Code::InvalidFilter,
                Some("/filter"),
                "\"filter\" must be an object.",
            ),
            (
                json!({ "url": "a", "filter": { "types": [1, "b"] } }),
                Code::InvalidFilter,
                Some("/filter/types/1"),
                "\"filter.types[1]\" is wrong: invalid type: string \"b\", expected u8.",
            ),
            (
                json!({}),
                Code::InvalidFilter,
                None,
                "The body is incomplete or wrong: missing field `url`.",
            ),
        ] {
            let expected = (code.as_str(), pointer.map(str::to_owned), detail.to_owned());
            assert_eq!(refused(body), Some(expected));
        }
    }
}
