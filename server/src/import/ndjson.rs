//! NDJSON: one JSON object a line, keys as in the API.

use std::{
    borrow::Cow,
    io::{BufRead, Read},
};

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Error, Refusal,
    identity::Identities,
    row::{self, RawRow},
    source::{Row, Rows, not_utf8},
};

const MAX_LINE_BYTES: u64 = 1 << 20;

/// The rows of an NDJSON input.
pub(super) struct NdjsonRows<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
    now: DateTime<Utc>,
    identities: Identities,
}

/// A key given twice is an error of serde's; one that is not here is passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    id: Option<Value>,
    r#type: Option<Value>,
    city: Option<Value>,
    region: Option<Value>,
    country: Option<Value>,
    people_count: Option<Value>,
    event_date: Option<Value>,
    created_at: Option<Value>,
    lat: Option<Value>,
    lng: Option<Value>,
}

impl<R: BufRead> NdjsonRows<R> {
    pub(super) fn open(input: R, now: DateTime<Utc>) -> Self {
        Self { input, line: 0, buffer: Vec::new(), now, identities: Identities::default() }
    }

    /// Reads a line into the buffer; `false` at the end.
    fn read_line(&mut self) -> Result<bool, Error> {
        self.buffer.clear();
        self.line += 1;
        let read = (&mut self.input).take(MAX_LINE_BYTES).read_until(b'\n', &mut self.buffer)?;
        if read as u64 == MAX_LINE_BYTES && !self.buffer.ends_with(b"\n") {
            return Err(Error::Source(format!(
                "line {}: the line is longer than 1 MiB: one JSON object a line is expected",
                self.line
            )));
        }
        Ok(read > 0)
    }

    fn parse(&mut self) -> Row {
        let line = self.line;
        let refuse = |reason: String| Refusal { line, field: None, reason };
        let bytes = self.buffer.trim_ascii();
        let text = std::str::from_utf8(bytes).map_err(|error| refuse(not_utf8(bytes, error)))?;
        let object: Object = serde_json::from_str(text)
            .map_err(|error| refuse(format!("is not a JSON object that can be read: {error}")))?;
        let texts = texts(&object).map_err(|(field, reason)| Refusal {
            line,
            field: Some(field),
            reason,
        })?;
        let mut raw = RawRow::default();
        for (name, text) in &texts {
            if let (Some(field), Some(text)) = (raw.field(name), text) {
                *field = Some(text.as_ref()).filter(|text| !text.trim().is_empty());
            }
        }
        row::parse(&raw, line, self.now, &mut self.identities).map(|report| (line, report))
    }
}

impl<R: BufRead> Rows for NdjsonRows<R> {
    fn next_row(&mut self) -> Result<Option<Row>, Error> {
        while self.read_line()? {
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(Some(self.parse()));
            }
        }
        Ok(None)
    }

    fn notes(&self) -> &[String] {
        &[]
    }
}

type Text<'o> = (&'static str, Option<Cow<'o, str>>);

fn texts(object: &Object) -> Result<[Text<'_>; 10], (&'static str, String)> {
    Ok([
        text("id", &object.id)?,
        text("type", &object.r#type)?,
        text("city", &object.city)?,
        text("region", &object.region)?,
        text("country", &object.country)?,
        text("peopleCount", &object.people_count)?,
        text("eventDate", &object.event_date)?,
        text("createdAt", &object.created_at)?,
        text("lat", &object.lat)?,
        text("lng", &object.lng)?,
    ])
}

/// The value as it would stand in CSV, so that one set of checks serves both.
fn text<'o>(
    name: &'static str,
    value: &'o Option<Value>,
) -> Result<Text<'o>, (&'static str, String)> {
    let text = match value {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(Cow::Borrowed(text.as_str())),
        Some(Value::Number(number)) => Some(Cow::Owned(number.to_string())),
        Some(_) => return Err((name, "is neither a text nor a number".to_owned())),
    };
    Ok((name, text))
}
