//! Opening a file: detects its encoding and the format of its rows.

use std::{
    io::{self, Read},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use base::clock::Clock;

use super::{
    Error, FileError,
    csv::CsvRows,
    input,
    json::{Array, JsonRows, Lines},
    reading::Reading,
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
    pub reading: Reading,
    pub clock: Clock,
    /// Maximum size of a zstd archive's window, in bytes.
    pub max_window: u64,
    /// Whether to return the original rows, too.
    pub with_originals: bool,
    /// Number of bytes read from the file.
    pub bytes_read: Arc<AtomicU64>,
    /// Sheets of the file, once it is open and if it is a workbook.
    pub sheets: Arc<OnceLock<Vec<String>>>,
}

pub(super) fn open<'i>(
    input: impl Read + 'i,
    opening: Opening,
) -> Result<Box<dyn Rows + 'i>, Error> {
    let Opening { format, reading, clock, max_window, with_originals, bytes_read, sheets } =
        opening;
    let input = Meter { input, bytes_read };
    let decoded = input::decode(input, max_window, &reading)?;
    let input::Decoded { text, marked, sheets: found, notes } = decoded;
    let is_workbook = !found.is_empty();
    let _ = sheets.set(found);
    let mut checks = Checks::new(clock, &reading);
    if is_workbook {
        checks.set_workbook();
    }
    let mut text = Text::new(text);
    let Some(first) = text.skip_blank_lines()? else {
        return Err(Error::Source(FileError::Empty));
    };
    let guess = if matches!(first, b'{' | b'[') { Format::Json } else { Format::Csv };
    let format = if is_workbook { Format::Csv } else { format.unwrap_or(guess) };
    Ok(match (format, first) {
        (Format::Csv, _) => {
            let mut rows = CsvRows::open(text, checks, with_originals, marked, &reading)?;
            rows.add_notes(notes);
            Box::new(rows)
        }
        (Format::Json | Format::Ndjson, b'[') => {
            Box::new(JsonRows::new(Array::new(text), checks, with_originals, marked, &reading))
        }
        (Format::Json | Format::Ndjson, _) => {
            Box::new(JsonRows::new(Lines::new(text), checks, with_originals, marked, &reading))
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
