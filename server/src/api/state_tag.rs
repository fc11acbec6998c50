//! `ETag` and `If-Match` of resources that clients change (RFC 9110, 13.1.1). A tag covers the members that clients can
//! change, and not others such as the health of an endpoint: otherwise a change could fail because of a delivery.

use axum::{extract::FromRequestParts, response::Response};
use http::{HeaderMap, HeaderValue, header, request::Parts};
use store::{Precondition, StateTag};

use crate::problem::{Problem, Result};

/// Condition of a change, from `If-Match`.
#[derive(Debug)]
pub struct IfMatch(pub Precondition);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        IfMatch::of(&parts.headers)
    }
}

impl IfMatch {
    /// Reads the header. Its fields may be on several lines.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self> {
        let malformed = || {
            Problem::invalid_parameter(
                "If-Match must be *, or the ETag of an earlier response in its quotes; several are separated by commas.",
            )
        };
        let mut lines = headers.get_all(header::IF_MATCH).iter().peekable();
        if lines.peek().is_none() {
            return Ok(Self(Precondition::Exists));
        }
        let lines: Vec<&str> =
            lines.map(|line| line.to_str()).collect::<Result<_, _>>().map_err(|_| malformed())?;
        let text = lines.join(",");
        if text.trim() == "*" {
            return Ok(Self(Precondition::Exists));
        }
        let tags = tags(&text).filter(|tags| !tags.is_empty()).ok_or_else(malformed)?;
        Ok(Self(Precondition::OneOf(tags)))
    }
}

/// Returns the opaque parts of the strong tags in a list; `None` if it is malformed. Weak tags never match (RFC 9110,
/// 8.8.3.2).
fn tags(mut rest: &str) -> Option<Vec<String>> {
    let mut tags = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return Some(tags);
        }
        let (is_weak, quoted) =
            rest.strip_prefix("W/").map_or((false, rest), |quoted| (true, quoted));
        let (tag, after) = quoted.strip_prefix('"')?.split_once('"')?;
        rest = after.trim_start_matches([' ', '\t']);
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
        // A weak tag is kept in a form that no state has.
        tags.push(if is_weak { format!("W/{tag}") } else { tag.to_owned() });
    }
}

/// Adds the tag of the state that a response shows.
pub(crate) fn tagged(mut response: Response, tag: &StateTag) -> Response {
    if let Ok(tag) = HeaderValue::try_from(format!("\"{}\"", tag.as_str())) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<Precondition> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_MATCH, HeaderValue::from_str(line).unwrap());
        }
        IfMatch::of(&headers).ok().map(|condition| condition.0)
    }

    #[test]
    fn a_condition_is_a_star_or_a_list_of_tags() {
        let one_of = |tags: &[&str]| {
            Some(Precondition::OneOf(tags.iter().map(|tag| (*tag).to_owned()).collect()))
        };
        assert_eq!(read(&[]), Some(Precondition::Exists));
        assert_eq!(read(&[" * "]), Some(Precondition::Exists));
        assert_eq!(read(&["\"a\""]), one_of(&["a"]));
        assert_eq!(read(&["\"a\" , ,\"b,c\",", "\"d\""]), one_of(&["a", "b,c", "d"]));
        assert_eq!(read(&["W/\"a\", \"\""]), one_of(&["W/a", ""]), "a weak tag matches nothing");
    }

    #[test]
    fn another_value_is_malformed() {
        for value in ["", ",", "a", "\"a", "\"a\"b", "*, \"a\"", "w/\"a\"", "\"a\" \"b\""] {
            assert_eq!(read(&[value]), None, "{value:?}");
        }
    }
}
