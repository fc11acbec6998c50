//! Where rows come from: the format, the encoding, and how much of a row is read before it is given
//! up.

use std::{
    io::{self, BufRead, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::{DateTime, Utc};

use super::{Error, Refusal, csv::CsvRows, ndjson::NdjsonRows};
use crate::store::NewReport;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Csv,
    Ndjson,
}

/// A checked row with the line it begins on, or why it is refused.
pub(super) type Row = Result<(u64, NewReport), Refusal>;

/// The rows of an input, one at a time.
pub(super) trait Rows {
    /// The next row; `None` at the end.
    fn next_row(&mut self) -> Result<Option<Row>, Error>;

    /// What the operator should know about the input as a whole.
    fn notes(&self) -> &[String];
}

/// Opens an input. `format` `None` means: by its first character.
pub(super) fn open<'i>(
    input: impl Read + Send + 'i,
    format: Option<Format>,
    now: DateTime<Utc>,
    bytes_read: Arc<AtomicU64>,
) -> Result<Box<dyn Rows + 'i>, Error> {
    let meter = Meter { input, bytes_read: bytes_read.clone() };
    let mut input = io::BufReader::with_capacity(1 << 16, meter);
    let start = input.fill_buf()?;
    refuse_encoding(start)?;
    if start.starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let start = input.fill_buf()?;
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    let Some(first) = first else {
        return Err(Error::Source(
            "the file is empty: a header line and rows are expected, or a JSON object a line"
                .to_owned(),
        ));
    };
    let guess = if *first == b'{' { Format::Ndjson } else { Format::Csv };
    Ok(match format.unwrap_or(guess) {
        Format::Csv => Box::new(CsvRows::open(input, now)?),
        Format::Ndjson => Box::new(NdjsonRows::open(input, now)),
    })
}

fn refuse_encoding(start: &[u8]) -> Result<(), Error> {
    let wide = start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    if wide || start.iter().take(64).any(|byte| *byte == 0) {
        return Err(Error::Source(
            "the file is not text in UTF-8 (it looks like UTF-16 or binary): save it as UTF-8"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Why a text is refused that is not UTF-8.
pub(super) fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> String {
    let at = error.valid_up_to();
    let byte = bytes.get(at).copied().unwrap_or_default();
    format!("is not UTF-8 (byte 0x{byte:02X} after {at} bytes): save the file as UTF-8")
}

/// Counts what was read, for the progress bar.
struct Meter<R> {
    input: R,
    bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Meter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
