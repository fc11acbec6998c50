//! Schemas of request and response objects (JSON Schema 2020-12, the dialect of OpenAPI 3.1), made from their types.
//! Version 1 may add members and values, so only the member names of requests are closed; the tests check that nothing
//! is missing.

use schemars::{
    JsonSchema, Schema, SchemaGenerator,
    generate::{Contract, SchemaSettings},
    json_schema,
    transform::RecursiveTransform,
};
use serde_json::{Value, json};

use crate::problem::Code;

/// Schemas of a document: those that its operations refer to, directly or through other schemas.
#[derive(Debug)]
pub struct Schemas {
    requests: SchemaGenerator,
    responses: SchemaGenerator,
}

impl Default for Schemas {
    fn default() -> Self {
        let generator = |contract, tidy: fn(&mut Schema)| {
            let settings = SchemaSettings::draft2020_12().with(|settings| {
                settings.contract = contract;
                settings.definitions_path = "/components/schemas".into();
            });
            settings.with_transform(RecursiveTransform(tidy)).into_generator()
        };
        Self {
            requests: generator(Contract::Deserialize, |schema| tidy(schema, false)),
            responses: generator(Contract::Serialize, |schema| tidy(schema, true)),
        }
    }
}

impl Schemas {
    /// Returns a reference to the schema of `T` in requests.
    pub fn request<T: JsonSchema>(&mut self) -> Value {
        self.requests.subschema_for::<T>().to_value()
    }

    /// Returns a reference to the schema of `T` in responses.
    pub fn response<T: JsonSchema>(&mut self) -> Value {
        self.responses.subschema_for::<T>().to_value()
    }

    /// Returns the referenced schemas by name.
    pub fn into_components(mut self) -> Value {
        let mut components = self.responses.take_definitions(true);
        components.extend(self.requests.take_definitions(true));
        components.insert("Problem".to_owned(), problem());
        Value::Object(components)
    }
}

/// Returns the schema of `T` in requests, without references.
pub(crate) fn of_request<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|settings| {
        settings.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Removes implementation details, and what all schemas have in common.
fn tidy(schema: &mut Schema, is_response: bool) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        *text = paragraphs.collect::<Vec<_>>().join("\n\n");
    }
    let kind = schema.get("type").map(Value::to_string).unwrap_or_default();
    if kind.contains("integer") || kind.contains("number") {
        // An implementation detail.
        schema.remove("format");
    }
    if kind.contains("integer") {
        // Integers are counts, durations and codes: none is negative.
        schema.ensure_object().entry("minimum").or_insert_with(|| 0.into());
    }
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    schema.remove("additionalProperties");
    let required = schema.get("required").cloned().unwrap_or_default();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, member) in properties.into_iter().flatten() {
        let is_required = required.as_array().is_some_and(|names| names.contains(&json!(name)));
        if is_response && !is_required {
            remove_null(member);
        }
        if name == "at" || name.ends_with("At") {
            member["format"] = "date-time".into();
        }
        if name.ends_with("Date") {
            member["format"] = "date".into();
        }
    }
    // Replaces the list of types, which not every generator supports.
    if let Some(Value::Array(types)) = schema.get("type")
        && let [kind, _] = types.as_slice()
    {
        let kind = kind.clone();
        let description = schema.remove("description");
        let mut value = std::mem::take(schema.ensure_object());
        value["type"] = kind;
        if let Some(Value::Array(names)) = value.get_mut("enum") {
            names.retain(|name| !name.is_null());
        }
        *schema = json_schema!({ "anyOf": [value, { "type": "null" }] });
        schema.ensure_object().extend(description.map(|text| ("description".to_owned(), text)));
    }
    // The values so far; a later release may add one. A closed `enum` would break generated clients when that happens.
    // Zalando's API guidelines define this keyword.
    if is_response && let Some(Value::Array(mut names)) = schema.remove("enum") {
        names.retain(|name| !name.is_null());
        schema.insert("x-extensible-enum".to_owned(), names.into());
    }
}

/// Removes `null` from members that responses leave out instead.
fn remove_null(member: &mut Value) {
    let null = json!("null");
    if let Some(Value::Array(types)) = member.get("type")
        && let Some(kind) = types.iter().find(|kind| **kind != null)
    {
        member["type"] = kind.clone();
    }
    if let Some(Value::Array(names)) = member.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    if let Some(members) = member.as_object_mut() {
        match members.remove("anyOf") {
            Some(Value::Array(variants)) if variants.last() == Some(&json!({ "type": "null" })) => {
                members.extend(variants[0].as_object().cloned().unwrap_or_default());
            }
            Some(other) => _ = members.insert("anyOf".to_owned(), other),
            None => {}
        }
    }
}

/// Body of errors, with a list that describes the codes.
fn problem() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let described =
        |code: Code| format!("- `{}` ({}): {}", code.as_str(), code.status().as_u16(), code.when());
    let about = format!("Kind of problem.\n\n{}", Code::ALL.map(described).join("\n"));
    json!({
        "type": "object",
        "description": "RFC 9457, sent as `application/problem+json`.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": {
                "type": "string",
                "format": "uri-reference",
                "description": "Explanation of the code, relative to the service.",
            },
            "title": text("Title of the code, the same for every problem with it."),
            "status": { "type": "integer", "minimum": 400, "maximum": 599 },
            "detail": text("Fault of this request, and how to fix it."),
            "code": {
                "type": "string",
                "x-extensible-enum": Code::ALL.map(Code::as_str).as_slice(),
                "description": about,
            },
            "pointer": text(
                "JSON pointer (RFC 6901) of the first of `errors`, if it has one.",
            ),
            "errors": {
                "type": "array",
                "description": "Faults of the body. There may be more than are listed.",
                "items": {
                    "type": "object",
                    "required": ["detail"],
                    "properties": {
                        "line": {
                            "type": "integer",
                            "minimum": 1,
                            "description": "Line on which the faulty report begins, if the body has several.",
                        },
                        "pointer": text("JSON pointer (RFC 6901) to the faulty value, if the fault is in one."),
                        "detail": text("The fault."),
                    },
                },
            },
            "requestId": text("Id of the request in the service\u{2019}s log. Only if the service is at fault."),
        },
        "example": {
            "type": "/docs/errors#INVALID_PERIOD",
            "title": Code::InvalidPeriod.title(),
            "status": Code::InvalidPeriod.status().as_u16(),
            "detail": "\"from\" is missing: give a date as YYYY-MM-DD.",
            "code": Code::InvalidPeriod.as_str(),
        },
    })
}
