//! Reasons for refusing rows. They format as English; the desk translates them. An import's result contains them by the
//! names of their variants, so these must not change.

use domain::text::TextError;
use serde::{Deserialize, Serialize};

use super::{field::Field, reading::Dates, reasons::Fault};

/// Reason for refusing a row. Formats as the predicate of a sentence about the field or the row. Texts of the file are
/// quoted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum RowError {
    #[error("is empty")]
    Empty,
    /// Missing coordinate, although the other one is given.
    #[error("is empty, though {0} is given")]
    EmptyBeside(Field),
    #[error("{0} is not one of spirit, water, both")]
    UnknownType(String),
    #[error("{0}")]
    Text(TextError),
    #[error("is given twice")]
    Twice,
    #[error("is a number that JSON rounds: quote it")]
    RoundedNumber,
    #[error("is neither a text nor a number")]
    NoText,
    #[error("{0} is not a whole number from 1 to 1,000,000")]
    NotWholeNumber(String),
    #[error("{text} is not a number from -{most} to {most}")]
    NotDegrees { text: String, most: u16 },
    #[error("{text} is not a date that exists, written {}", .order.pattern())]
    NotDate { text: String, order: Dates },
    #[error("{0} is not a date and time in ISO 8601, such as 2024-05-31T18:00:00Z")]
    NotInstant(String),
    #[error("{0} is before the year 1")]
    BeforeYearOne(String),
    #[error("{date} is in the future: today is {today} (UTC)")]
    FutureDate { date: String, today: String },
    #[error("{text} is in the future: it is {now}")]
    FutureInstant { text: String, now: String },
    /// The text as Windows-1252.
    #[error(
        "is not UTF-8: the file looks like Windows-1252 (it would read {0}); save it as UTF-8, in Excel as \"CSV UTF-8\""
    )]
    LooksLikeWindows1252(String),
    #[error("is not UTF-8 (byte 0x{byte:02X} after {at} bytes): save the file as UTF-8")]
    NotUtf8 { byte: u8, at: usize },
    #[error("a report with the id {id} already exists with a different {field}")]
    Conflict { id: String, field: String },
    #[error("has {fields} fields where the header has {expected}{}", spans(*.lines))]
    FieldCount { fields: usize, expected: usize, lines: Option<u64> },
    #[error("has text after a closing quote{}", spans(*.lines))]
    TornQuote { lines: Option<u64> },
    #[error("is not a JSON object")]
    NotObject,
    /// `line` is missing if the row is on one line. `message` is that of the parser, in English.
    #[error("is not valid JSON: {message}, {}", place(*.line, *.column))]
    NotJson { message: String, line: Option<u64>, column: usize },
    /// Rare reason that is only in English.
    #[error("{0}")]
    Other(String),
}

/// Hint for a row of several lines.
fn spans(lines: Option<u64>) -> String {
    lines
        .map(|lines| format!(", and spans {lines} lines: is a quote not closed?"))
        .unwrap_or_default()
}

fn place(line: Option<u64>, column: usize) -> String {
    match line {
        Some(line) => format!("on line {line} at column {column}"),
        None => format!("at column {column}"),
    }
}

impl RowError {
    /// Kind of the fault.
    pub const fn fault(&self) -> Fault {
        match self {
            Self::Empty | Self::EmptyBeside(_) => Fault::Missing,
            Self::UnknownType(_) => Fault::UnknownType,
            Self::Text(_) | Self::RoundedNumber | Self::NoText => Fault::Text,
            Self::Twice => Fault::Twice,
            Self::NotWholeNumber(_) => Fault::Number,
            Self::NotDegrees { .. } => Fault::Degrees,
            Self::NotDate { .. } => Fault::Date,
            Self::NotInstant(_) | Self::BeforeYearOne(_) => Fault::Instant,
            Self::FutureDate { .. } | Self::FutureInstant { .. } => Fault::Future,
            Self::LooksLikeWindows1252(_) | Self::NotUtf8 { .. } => Fault::NotUtf8,
            Self::Conflict { .. } => Fault::Conflict,
            Self::FieldCount { .. }
            | Self::TornQuote { .. }
            | Self::NotObject
            | Self::NotJson { .. }
            | Self::Other(_) => Fault::Shape,
        }
    }
}
