//! Checks a value by the JSON Schema of its type, as far as schemas of requests go, so that faults are described in the
//! terms of JSON and of the documentation. serde's descriptions contain names of Rust types, and end at the first fault.

use base::spelling;
use serde_json::Value;

/// Maximum number of faults of a body that are listed.
const MAX_FAULTS: usize = 20;
/// Maximum length of names and texts that faults quote.
const MAX_QUOTED: usize = 60;

/// Fault of a value in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Place of the value.
    pub at: Place,
    pub detail: String,
    pub kind: FaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FaultKind {
    /// A member that its object does not have. It comes first, because it explains missing ones.
    UnknownMember,
    WrongValue,
}

/// Place in a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// JSON pointer (RFC 6901).
    pub pointer: String,
    /// Path for people, such as `filter.types[1]`.
    path: String,
    /// Member of the body that contains the place.
    pub member: String,
}

impl Place {
    pub(super) fn member(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            pointer: format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1")),
            path: format!("{}{dot}{name}", self.path),
            member: if self.path.is_empty() { name } else { &self.member }.to_owned(),
        }
    }

    pub(super) fn item(&self, index: usize) -> Self {
        Self {
            pointer: format!("{}/{index}", self.pointer),
            path: format!("{}[{index}]", self.path),
            member: self.member.clone(),
        }
    }

    /// The place as the subject of a sentence.
    pub(super) fn named(&self) -> String {
        match &*self.path {
            "" => "The body".to_owned(),
            path => format!("{:?}", quoted(path)),
        }
    }

    /// The fault of a value that does not fit the schema.
    pub(super) fn must_be(&self, schema: &Value, value: &Value) -> String {
        format!("{} must be {}, not {}.", self.named(), expected(schema), shown(value))
    }
}

/// Returns the faults of a value, unknown members first.
pub(super) fn faults(value: &Value, schema: &Value) -> Vec<Fault> {
    let mut checking = Checking { faults: Vec::new(), only_names: false };
    checking.value(value, schema, &Place::default());
    checking.sorted()
}

/// Returns the unknown members of a value.
pub(super) fn unknown_members(value: &Value, schema: &Value) -> Vec<Fault> {
    let mut checking = Checking { faults: Vec::new(), only_names: true };
    checking.value(value, schema, &Place::default());
    checking.sorted()
}

/// Describes the values that a schema allows, other than `null`.
fn expected(schema: &Value) -> String {
    let variants = variants(schema);
    let names: Vec<String> = variants.iter().flat_map(|variant| constants(variant)).collect();
    if !names.is_empty() {
        return any_of(names);
    }
    let kinds = variants.iter().flat_map(|variant| types(variant).map(|kind| (kind, *variant)));
    let mut kinds: Vec<String> = kinds
        .map(|(kind, variant)| match kind {
            "string" => "a string".to_owned(),
            "integer" => match (variant["minimum"].as_i64(), maximum(variant)) {
                (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
                (Some(least), None) => format!("a whole number, at least {least}"),
                _ => "a whole number".to_owned(),
            },
            "number" => "a number".to_owned(),
            "boolean" => "true or false".to_owned(),
            "array" => "a list".to_owned(),
            _ => "an object".to_owned(),
        })
        .collect();
    kinds.dedup();
    any_of(kinds)
}

/// The schema of a member.
pub(super) fn member<'s>(schema: &'s Value, name: &str) -> &'s Value {
    let members =
        variants(schema).into_iter().filter_map(|variant| variant["properties"].get(name));
    members.into_iter().next().unwrap_or(&Value::Null)
}

/// The schema of the items of a list.
pub(super) fn item(schema: &Value) -> &Value {
    variants(schema).into_iter().find_map(|variant| variant.get("items")).unwrap_or(&Value::Null)
}

struct Checking {
    faults: Vec<Fault>,
    /// Whether only names of members are checked.
    only_names: bool,
}

impl Checking {
    fn sorted(mut self) -> Vec<Fault> {
        self.faults.sort_by_key(|fault| fault.kind);
        self.faults.truncate(MAX_FAULTS);
        self.faults
    }

    fn wrong(&mut self, at: &Place, detail: String) {
        if !self.only_names {
            self.add(at.clone(), detail, FaultKind::WrongValue);
        }
    }

    fn add(&mut self, at: Place, detail: String, kind: FaultKind) {
        // Each kind has its own limit, so that the unknown members are complete as far as they are listed.
        if self.faults.iter().filter(|fault| fault.kind == kind).count() < MAX_FAULTS {
            self.faults.push(Fault { at, detail, kind });
        }
    }

    fn value(&mut self, value: &Value, schema: &Value, at: &Place) {
        let variants = variants(schema);
        let is_allowed = variants.iter().any(|variant| fits(value, variant))
            || allows_null(schema) && value.is_null();
        if !is_allowed {
            self.wrong(at, at.must_be(schema, value));
        }
        match value {
            Value::Object(_) => self.object(value, &variants, at),
            Value::Array(items) if is_allowed => {
                let Some(schema) = variants.iter().find_map(|variant| variant.get("items")) else {
                    return;
                };
                for (index, item) in items.iter().enumerate() {
                    self.value(item, schema, &at.item(index));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, value: &Value, variants: &[&Value], at: &Place) {
        let objects: Vec<&Value> =
            variants.iter().copied().filter(|variant| variant["properties"].is_object()).collect();
        let known: Vec<(&String, &Value)> = objects
            .iter()
            .filter_map(|object| object["properties"].as_object())
            .flatten()
            .collect();
        let Some(members) = value.as_object().filter(|_| !known.is_empty()) else { return };
        for (name, member) in members {
            let place = at.member(name);
            match known.iter().find(|(known, _)| *known == name) {
                Some((_, schema)) => self.value(member, schema, &place),
                None => {
                    let names = known.iter().map(|(name, _)| name.as_str());
                    let hint = spelling::hint(name, names, "it may have");
                    let detail = format!("{} has no member {:?}: {hint}", at.named(), quoted(name));
                    self.add(place, detail, FaultKind::UnknownMember);
                }
            }
        }
        let is_given = |name: &str| members.contains_key(name);
        match objects.as_slice() {
            [object] => {
                for name in required(object).filter(|name| !is_given(name)) {
                    let place = at.member(name);
                    let expected = expected(&object["properties"][name]);
                    let detail = format!("{} is missing: give {expected}.", place.named());
                    self.wrong(&place, detail);
                }
            }
            objects => {
                let names: Vec<&str> =
                    objects.iter().filter_map(|object| required(object).next()).collect();
                if names.iter().filter(|name| is_given(name)).count() != 1 {
                    let names = any_of(names.into_iter().map(str::to_owned).collect());
                    self.wrong(at, format!("{} must have either {names}.", at.named()));
                }
            }
        }
    }
}

/// The schemas of which a value must fit one, without that of `null`.
fn variants(schema: &Value) -> Vec<&Value> {
    let alternatives = ["oneOf", "anyOf"].iter().find_map(|word| schema[word].as_array());
    match alternatives {
        Some(alternatives) => alternatives.iter().flat_map(variants).collect(),
        None if schema["type"] == "null" => Vec::new(),
        None => vec![schema],
    }
}

fn allows_null(schema: &Value) -> bool {
    let alternatives = ["oneOf", "anyOf"].iter().find_map(|word| schema[word].as_array());
    let is_null = |kind: &Value| kind == "null";
    match (alternatives, &schema["type"]) {
        (Some(alternatives), _) => alternatives.iter().any(allows_null),
        (None, Value::Array(kinds)) => kinds.iter().any(is_null),
        (None, kind) => is_null(kind),
    }
}

/// Whether a value has the type and range of a schema without alternatives.
fn fits(value: &Value, schema: &Value) -> bool {
    // A public schema need not list all names, so they are left to serde.
    if !constants(schema).is_empty() {
        return value.is_string();
    }
    let mut kinds = types(schema).peekable();
    kinds.peek().is_none()
        || kinds.any(|kind| match kind {
            "string" => value.is_string(),
            "integer" => {
                let least = schema["minimum"].as_i64().unwrap_or(i64::MIN);
                match (value.as_i64(), value.as_u64()) {
                    (Some(number), _) => {
                        number >= least && maximum(schema).is_none_or(|most| number <= most)
                    }
                    (None, number) => number.is_some() && maximum(schema).is_none(),
                }
            }
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            _ => value.is_object(),
        })
}

/// The largest integer of a schema; types have it by the name of their format only.
fn maximum(schema: &Value) -> Option<i64> {
    match schema["format"].as_str() {
        _ if schema["maximum"].is_number() => schema["maximum"].as_i64(),
        Some("uint8") => Some(u8::MAX.into()),
        Some("uint16") => Some(u16::MAX.into()),
        Some("uint32") => Some(u32::MAX.into()),
        Some("int32") => Some(i32::MAX.into()),
        _ => None,
    }
}

/// The names of types of a schema, other than `null`.
fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.as_slice(),
        kind => std::slice::from_ref(kind),
    };
    kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null")
}

/// The texts that are the only values of a schema.
fn constants(schema: &Value) -> Vec<String> {
    let listed = schema["enum"].as_array().into_iter().flatten();
    let constants = listed.chain(schema.get("const")).filter_map(Value::as_str);
    constants.map(str::to_owned).collect()
}

fn required(object: &Value) -> impl Iterator<Item = &str> {
    object["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Joins as in `a, b or c`.
fn any_of(mut names: Vec<String>) -> String {
    let Some(last) = names.pop() else { return "another value".to_owned() };
    if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
}

/// A value in short.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    text.chars().take(MAX_QUOTED).collect()
}
