//! Rendering of a document in OpenAPI 3.0, for generators that do not support 3.1.

use serde_json::{Map, Value, json};

/// Explanation of the identifiers in the name of the license; 3.0 has no member for them.
const LICENSES: &str = "https://spdx.org/licenses/";

/// Converts a document from OpenAPI 3.1. Webhooks are left out, because 3.0 cannot describe them; their schemas stay.
pub(super) fn converted(mut document: Value) -> Value {
    document["openapi"] = "3.0.3".into();
    if let Some(members) = document.as_object_mut() {
        members.remove("webhooks");
    }
    if let Some(info) = document["info"].as_object_mut() {
        info.remove("summary");
        if let Some(license) = info.get_mut("license").and_then(Value::as_object_mut) {
            license.remove("identifier");
            license.insert("url".to_owned(), LICENSES.into());
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.values_mut().for_each(convert_schema);
    }
    convert(&mut document);
    let operations = document["paths"].as_object_mut().into_iter().flatten();
    for (_, operations) in operations {
        for (_, operation) in operations.as_object_mut().into_iter().flatten() {
            give_ranges(&mut operation["responses"]);
        }
    }
    document
}

/// Replaces the default response by those of all errors: generators such as progenitor take the default for a success,
/// too, and then refuse an operation whose responses differ.
fn give_ranges(responses: &mut Value) {
    let Some(responses) = responses.as_object_mut() else { return };
    if let Some(error) = responses.remove("default") {
        responses.insert("4XX".to_owned(), error.clone());
        responses.insert("5XX".to_owned(), error);
    }
}

/// Converts the schemas of parameters, headers and bodies, and the roles of keys, at any depth.
fn convert(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(convert),
        Value::Object(members) => {
            for (name, member) in members {
                match name.as_str() {
                    "schema" => convert_schema(member),
                    // Data, and what is converted already.
                    "example" | "examples" | "schemas" => {}
                    "security" => without_roles(member),
                    _ => convert(member),
                }
            }
        }
        _ => {}
    }
}

/// Only the schemes of OAuth have roles in 3.0.
fn without_roles(alternatives: &mut Value) {
    let schemes = alternatives.as_array_mut().into_iter().flatten();
    for scheme in schemes.filter_map(Value::as_object_mut) {
        scheme.values_mut().for_each(|roles| *roles = json!([]));
    }
}

fn convert_schema(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    for word in ["properties", "patternProperties"] {
        let schemas = members.get_mut(word).and_then(Value::as_object_mut);
        schemas.into_iter().flatten().for_each(|(_, schema)| convert_schema(schema));
    }
    for word in ["items", "additionalProperties", "not"] {
        members.get_mut(word).into_iter().for_each(convert_schema);
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        let schemas = members.get_mut(word).and_then(Value::as_array_mut);
        schemas.into_iter().flatten().for_each(convert_schema);
    }
    // Descriptions of what a text contains.
    members.retain(|name, _| !matches!(name.as_str(), "contentMediaType" | "contentSchema"));
    if let Some(value) = members.remove("const") {
        members.insert("enum".to_owned(), json!([value]));
    }
    if let Some(Value::Array(examples)) = members.remove("examples")
        && let Some(first) = examples.into_iter().next()
    {
        members.insert("example".to_owned(), first);
    }
    for word in ["anyOf", "oneOf"] {
        make_nullable(members, word);
    }
    // A reference has no other members.
    if members.len() > 1
        && let Some(reference) = members.remove("$ref")
    {
        members.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
    }
}

/// Replaces the alternative `null` by `nullable`.
fn make_nullable(members: &mut Map<String, Value>, word: &str) {
    let Some(Value::Array(alternatives)) = members.get_mut(word) else { return };
    let before = alternatives.len();
    alternatives.retain(|alternative| alternative["type"] != "null");
    if alternatives.len() == before {
        return;
    }
    if let [Value::Object(only)] = alternatives.as_mut_slice() {
        let only = std::mem::take(only);
        members.remove(word);
        members.extend(only);
    }
    // `nullable` requires a type; only objects are described by a reference.
    members.entry("type").or_insert_with(|| "object".into());
    members.insert("nullable".to_owned(), true.into());
}
