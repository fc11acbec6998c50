//! The members that a body may have.

use base::spelling;
use serde_json::{Map, Value};

use crate::problem::{Problem, Result};

/// Names that problems quote are cut here.
const MAX_QUOTED: usize = 60;

/// A member that a body may have.
#[derive(Debug)]
pub(crate) struct Member {
    name: &'static str,
    /// The members of the object that it is; empty if it is none.
    members: &'static [Member],
}

impl Member {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, members: &[] }
    }

    /// An object that may have these members.
    pub(crate) const fn object(name: &'static str, members: &'static [Member]) -> Self {
        Self { name, members }
    }
}

/// Refuses a member that is not `known`, in the body or in an object in it: whatever a client wants by it would not
/// happen.
pub(super) fn check(given: &Map<String, Value>, known: &[Member]) -> Result<()> {
    check_at("", given, known)
}

/// `at` is the JSON pointer (RFC 6901) to the object.
fn check_at(at: &str, given: &Map<String, Value>, known: &[Member]) -> Result<()> {
    for (name, value) in given {
        let Some(member) = known.iter().find(|member| member.name == name) else {
            return Err(unknown(at, name, known));
        };
        if let (Value::Object(inner), [_, ..]) = (value, member.members) {
            check_at(&format!("{at}/{}", member.name), inner, member.members)?;
        }
    }
    Ok(())
}

fn unknown(at: &str, name: &str, known: &[Member]) -> Problem {
    let names = known.iter().map(|member| member.name);
    let shown: String = name.chars().take(MAX_QUOTED).collect();
    let place = if at.is_empty() { "The body" } else { at };
    let hint = spelling::hint(name, names, "it may have");
    let pointer = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
    Problem::invalid_body(format!("{place} has no member {shown:?}: {hint}"), pointer)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KNOWN: &[Member] = &[
        Member::new("url"),
        Member::object("filter", &[Member::new("country"), Member::new("types")]),
    ];

    fn checked(body: Value) -> Option<(String, String)> {
        let Value::Object(members) = body else { panic!("{body}") };
        let problem = check(&members, KNOWN).err()?;
        Some((problem.0.pointer?, problem.0.detail.into_owned()))
    }

    #[test]
    fn known_members_are_taken_whatever_they_are() {
        for body in [
            json!({}),
            json!({ "url": { "a": 1 }, "filter": null }),
            json!({ "filter": { "country": {}, "types": [{ "a": 1 }] } }),
        ] {
            assert_eq!(checked(body.clone()), None, "{body}");
        }
    }

    #[test]
    fn an_unknown_one_is_named_by_its_pointer() {
        for (body, pointer, detail) in [
            (
                json!({ "filters": {} }),
                "/filters",
                "The body has no member \"filters\": did you mean \"filter\"?",
            ),
            (
                json!({ "filter": { "a/b~": 1 } }),
                "/filter/a~1b~0",
                "/filter has no member \"a/b~\": it may have country and types.",
            ),
        ] {
            assert_eq!(checked(body), Some((pointer.to_owned(), detail.to_owned())));
        }
    }
}
