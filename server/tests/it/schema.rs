//! Validation of values against schemas of the OpenAPI document. It supports only the keywords that the document uses,
//! because an ignored keyword would weaken the check. It is stricter than JSON Schema: values that only a later release
//! may send are faults. These are members that the schema does not name, unknown values of open enums, and the
//! catch-all of the stream's events.

use base::time::{parse_date, parse_instant};
use serde_json::Value;

/// Differences between `value` and `schema`; empty if the value is valid.
pub(crate) fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut check = Check { document, faults: Vec::new() };
    check.whole(schema, value, "$");
    check.faults
}

struct Check<'a> {
    document: &'a Value,
    faults: Vec<String>,
}

impl<'a> Check<'a> {
    /// Checks a value whose members must all be named by this schema or by one that it refers to.
    fn whole(&mut self, schema: &'a Value, value: &Value, at: &str) {
        self.words(schema, value, at);
        let named = self.named(schema);
        for name in value.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if !named.is_empty() && !named.contains(&name.as_str()) {
                self.faults.push(format!("{at}.{name} is not described"));
            }
        }
    }

    fn words(&mut self, schema: &'a Value, value: &Value, at: &str) {
        for (word, said) in schema.as_object().unwrap() {
            self.word(word, said, value, at);
        }
    }

    fn word(&mut self, word: &str, said: &'a Value, value: &Value, at: &str) {
        let is_right = match word {
            "description" | "title" | "example" | "default" | "contentMediaType" => true,
            "minLength" => length(value).is_none_or(|length| length >= said.as_u64().unwrap()),
            "maxLength" => length(value).is_none_or(|length| length <= said.as_u64().unwrap()),
            "$ref" => return self.words(self.resolve(said), value, at),
            "allOf" => return list(said).iter().for_each(|one| self.words(one, value, at)),
            "anyOf" | "oneOf" => {
                let is_catch_all =
                    |variant: &Value| text(&variant["$ref"]).ends_with("/OtherEvent");
                let mut variants = list(said).iter().filter(|variant| !is_catch_all(variant));
                variants.any(|variant| faults(self.document, variant, value).is_empty())
            }
            "const" => value == said,
            "enum" | "x-extensible-enum" => list(said).contains(value),
            "type" => match text(said) {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("the type {other} is not known here"),
            },
            "minimum" => value.as_u64() >= said.as_u64(),
            "maxItems" => list(value).len() as u64 <= said.as_u64().unwrap(),
            "maximum" => value.as_u64() <= said.as_u64(),
            "minProperties" => {
                value.as_object().map_or(0, serde_json::Map::len) as u64 >= said.as_u64().unwrap()
            }
            "minItems" => list(value).len() as u64 >= said.as_u64().unwrap(),
            "required" => list(said).iter().all(|name| value.get(text(name)).is_some()),
            "format" => match text(said) {
                "date" => parse_date(text(value)).is_some(),
                "date-time" => parse_instant(text(value)).is_some(),
                "uri" => text(value).contains("://"),
                // The member may also be null.
                "email" => value.as_str().is_none_or(|address| address.contains('@')),
                "uri-reference" => true,
                other => panic!("the format {other} is not known here"),
            },
            "pattern" => matches(text(said), text(value)),
            "properties" => {
                for (name, schema) in said.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        self.whole(schema, member, &format!("{at}.{name}"));
                    }
                }
                return;
            }
            "items" => {
                for (index, item) in list(value).iter().enumerate() {
                    self.whole(said, item, &format!("{at}[{index}]"));
                }
                return;
            }
            other => panic!("{other} is not known here"),
        };
        if !is_right {
            self.faults.push(format!("{at} has not {word} {said}: {value}"));
        }
    }

    /// Members that a schema names. Variants are not included, because each is checked as a whole.
    fn named(&self, schema: &'a Value) -> Vec<&'a str> {
        let own = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
        let mut named: Vec<&str> = own.map(String::as_str).collect();
        if !schema["$ref"].is_null() {
            named.extend(self.named(self.resolve(&schema["$ref"])));
        }
        for one in schema["allOf"].as_array().into_iter().flatten() {
            named.extend(self.named(one));
        }
        named
    }

    fn resolve(&self, reference: &Value) -> &'a Value {
        let pointer = text(reference).strip_prefix('#').unwrap();
        self.document.pointer(pointer).unwrap_or_else(|| panic!("there is no {pointer}"))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Number of characters of a string.
fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Whether a text matches one of the few patterns in the document.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        "^[A-Z]{2}$" => text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
        "^[0-9]+$" => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
        "^sha256=[0-9a-f]{64}$" => {
            let digits = text.strip_prefix("sha256=").unwrap_or_default();
            let is_lower_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            digits.len() == 64 && digits.bytes().all(is_lower_hex)
        }
        prefix => {
            let prefix = prefix.strip_prefix('^').unwrap();
            assert!(
                !prefix.contains(['[', '(', '*', '+', '$', '.']),
                "{pattern} is not known here"
            );
            text.starts_with(prefix)
        }
    }
}

#[test]
fn what_is_wrong_is_found() {
    let document = serde_json::json!({ "components": { "schemas": {
        "Kind": { "type": "string", "x-extensible-enum": ["a", "b"] },
        "Thing": {
            "type": "object",
            "required": ["kind", "at"],
            "properties": {
                "kind": { "$ref": "#/components/schemas/Kind" },
                "at": { "type": "string", "format": "date-time" },
                "list": { "type": "array", "items": { "type": "integer", "minimum": 1 } },
            },
        },
    } } });
    let thing = serde_json::json!({ "$ref": "#/components/schemas/Thing" });
    let faults = |value: Value| faults(&document, &thing, &value).len();
    let at = "2026-03-01T12:00:00.000Z";
    assert_eq!(faults(serde_json::json!({ "kind": "a", "at": at, "list": [1, 2] })), 0);
    for wrong in [
        serde_json::json!({ "at": at }),
        serde_json::json!({ "kind": "c", "at": at }),
        serde_json::json!({ "kind": "a", "at": "yesterday" }),
        serde_json::json!({ "kind": "a", "at": at, "list": [1, 0] }),
        serde_json::json!({ "kind": "a", "at": at, "list": ["1"] }),
        serde_json::json!({ "kind": "a", "at": at, "more": 1 }),
    ] {
        assert!(faults(wrong.clone()) > 0, "{wrong}");
    }
}
