//! Opening a file: detects its encoding and the format of its rows.

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    Error,
    csv::CsvRows,
    input,
    json::{Array, JsonRows, Lines},
    row::Checks,
    rows::Rows,
    text::Text,
};

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A header line, then rows
    Csv,
    /// JSON: one object per line, or an array of objects
    Ndjson,
    /// Same as ndjson
    Json,
}

/// Options for opening an input.
pub(super) struct Opening {
    /// `None` detects the format by the first character.
    pub format: Option<Format>,
    pub checks: Checks,
    /// Maximum size of a zstd archive's window, in bytes.
    pub max_window: u64,
    /// Whether to return the original rows, too.
    pub with_originals: bool,
    /// Number of bytes read from the file.
    pub bytes_read: Arc<AtomicU64>,
}

pub(super) fn open<'i>(
    input: impl Read + 'i,
    opening: Opening,
) -> Result<Box<dyn Rows + 'i>, Error> {
    let Opening { format, checks, max_window, with_originals, bytes_read } = opening;
    let input::Decoded { text, marked } = input::decode(Meter { input, bytes_read }, max_window)?;
    let mut text = Text::new(text);
    let Some(first) = text.skip_blank_lines()? else {
        return Err(Error::Source(
            "the file is empty: a header line and rows are expected, or JSON objects".to_owned(),
        ));
    };
    let guess = if matches!(first, b'{' | b'[') { Format::Json } else { Format::Csv };
    Ok(match (format.unwrap_or(guess), first) {
        (Format::Csv, _) => Box::new(CsvRows::open(text, checks, with_originals, marked)?),
        (Format::Json | Format::Ndjson, b'[') => {
            Box::new(JsonRows::new(Array::new(text), checks, with_originals, marked))
        }
        (Format::Json | Format::Ndjson, _) => {
            Box::new(JsonRows::new(Lines::new(text), checks, with_originals, marked))
        }
    })
}

/// Reader that counts its bytes for the progress bar.
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
