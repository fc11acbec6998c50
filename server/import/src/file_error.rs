//! Reasons why a file cannot be read. They format as English; the desk translates them. An import's result contains
//! them by the names of their variants, so these must not change.

use serde::{Deserialize, Serialize};

use super::{Note, RowError, field::Field};

/// Reason why a file cannot be read, or can be read only in part. Texts of the file are quoted; `error` is the message of
/// a decoder, in English.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum FileError {
    #[error("the file is empty: a header line and rows are expected, or JSON objects")]
    Empty,
    #[error("the file has no header")]
    NoHeader,
    #[error("{}", joined(.0))]
    Header(Vec<HeaderError>),
    #[error("line {line} begins with 1 MiB of blanks")]
    Blanks { line: u64 },
    #[error("line {line}: the row is longer than 1 MiB")]
    LongRow { line: u64 },
    #[error("line {line}: the quote that opens before {before} is not closed within 1 MiB")]
    LongQuote { line: u64, before: String },
    #[error(
        "line {line}: the quote that opens before {before} is not closed up to the end of the file"
    )]
    OpenQuote { line: u64, before: String },
    #[error("line {line}: the line is longer than 1 MiB: one JSON object a line is expected")]
    LongLine { line: u64 },
    #[error("line {line}: the object that begins here is longer than 1 MiB")]
    LongObject { line: u64 },
    #[error("line {line}: the object that begins here does not end: is the file cut?")]
    CutObject { line: u64 },
    #[error("line {line}: the array does not end: is the file cut?")]
    CutArray { line: u64 },
    #[error("line {line}: something follows the end of the array")]
    AfterArray { line: u64 },
    #[error("line {line}: a comma is missing between two objects")]
    NoComma { line: u64 },
    #[error("line {line}: an object is missing before the comma")]
    NoObject { line: u64 },
    #[error("the file is in UTF-32: save it as UTF-8")]
    Utf32,
    #[error("the file is not text (or is UTF-16 without a byte order mark): save it as UTF-8")]
    NotText,
    #[error("the file is compressed with bzip2 or xz: unpack it, or use gzip or zstd")]
    OtherArchive,
    /// `archive` is `gzip` or `zstd`.
    #[error("the {archive} archive is truncated: copy it again")]
    CutArchive { archive: String },
    #[error("the {archive} archive is damaged ({error})")]
    DamagedArchive { archive: String, error: String },
    #[error(
        "the zstd archive needs more than {mebibytes} MiB of memory: compress it without --long"
    )]
    LargeWindow { mebibytes: u64 },
    #[error(
        "the file is a workbook of an old format (.xls), or has a password: in Excel, save it as .xlsx without a password"
    )]
    OldWorkbook,
    #[error("the workbook has a password: save it without")]
    Password,
    #[error("the file is a ZIP archive, but no workbook (.xlsx): unpack it")]
    NotWorkbook,
    #[error("the workbook cannot be read ({0})")]
    Workbook(String),
    #[error("the workbook has no sheet {0}")]
    NoSheet(String),
    #[error("the workbook has no visible sheet")]
    NoVisibleSheet,
    #[error("the sheet is damaged ({0})")]
    DamagedSheet(String),
    #[error("the workbook or ZIP archive is damaged: copy it again")]
    DamagedWorkbook,
    #[error("the workbook is damaged: its number of texts is wrong")]
    WrongTexts,
    #[error("the workbook is larger than 128 MiB: save the sheet as \"CSV UTF-8\"")]
    LargeFile,
    #[error("the workbook is too large: save the sheet as \"CSV UTF-8\"")]
    LargeWorkbook,
    #[error("the thread that reads it has failed")]
    ReaderFailed,
    /// Rare reason that is only in English.
    #[error("{0}")]
    Other(String),
}

/// Fault of a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum HeaderError {
    #[error("the header {0}")]
    NotUtf8(RowError),
    #[error("the header names the column {0} twice")]
    Twice(Field),
    #[error(
        "the header lacks {}; it must name type, city and country, and may name id, region, peopleCount, eventDate, \
         createdAt, lat and lng",
        .0.iter().map(|field| field.as_str()).collect::<Vec<_>>().join(" and ")
    )]
    Lacks(Vec<Field>),
    /// Note that may contain the name that was meant.
    #[error("{0}")]
    Note(Note),
}

fn joined(errors: &[HeaderError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
