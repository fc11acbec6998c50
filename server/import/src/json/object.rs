//! Parser of one JSON object.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

use crate::row_error::RowError;

type Entry<'t> = (Cow<'t, str>, Value);

/// Returns the entries of an object in order; a key may occur twice. `line` is the line on which the text begins.
pub(super) fn entries(text: &str, line: u64) -> Result<Vec<Entry<'_>>, RowError> {
    let Entries(entries) = serde_json::from_str(text).map_err(|error| reason(&error, line))?;
    Ok(entries)
}

struct Entries<'t>(Vec<Entry<'t>>);

#[derive(Deserialize)]
struct MemberName<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'t> Deserialize<'t> for Entries<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'t> Visitor<'t> for EntriesVisitor {
    type Value = Entries<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::with_capacity(10);
        while let Some((MemberName(key), value)) = map.next_entry()? {
            entries.push((key, value));
        }
        Ok(Entries(entries))
    }
}

/// Returns the reason why a text is not an object. The visitor above accepts only objects, so any data error means
/// that.
fn reason(error: &serde_json::Error, line: u64) -> RowError {
    if error.is_data() {
        return RowError::NotObject;
    }
    let (row, column) = (error.line() as u64, error.column());
    let message = error.to_string();
    let place = format!(" at line {row} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
    // For a row on one line, the refusal contains the line already.
    let line = (row > 1).then(|| line + row - 1);
    RowError::NotJson { message, line, column }
}
