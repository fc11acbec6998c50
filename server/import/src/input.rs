//! Conversion of a file to UTF-8 text. UTF-8 passes through unchanged; the sheet of a workbook becomes CSV.

mod archive;
pub(super) mod encoding;
mod workbook;
mod zstd;

use std::io::{self, Cursor, Read};

use super::{Error, Note, reading::Reading};

/// Number of bytes that are enough to detect the type of a file.
const HEAD: usize = 4;

/// Text in UTF-8, judging by its beginning.
pub(super) struct Decoded<'i> {
    pub text: Box<dyn Read + 'i>,
    /// Whether the text began with a byte order mark, which is not part of `text`.
    pub marked: bool,
    /// Sheets of a workbook; empty for other files.
    pub sheets: Vec<String>,
    /// Notes about the file as a whole.
    pub notes: Vec<Note>,
}

impl<'i> Decoded<'i> {
    fn text(text: Box<dyn Read + 'i>, marked: bool) -> Self {
        Self { text, marked, sheets: Vec::new(), notes: Vec::new() }
    }
}

/// Unpacks and decodes `input` if necessary. The window of an archive has at most `max_window` bytes.
pub(super) fn decode<'i>(
    mut input: impl Read + 'i,
    max_window: u64,
    reading: &Reading,
) -> Result<Decoded<'i>, Error> {
    let head = head(&mut input)?;
    if head.starts_with(b"PK\x03\x04") {
        return workbook::open(with_head(head, input), reading.sheet.as_deref());
    }
    let mut content = archive::unpack(&head, input, max_window)?;
    let head = self::head(&mut content)?;
    encoding::to_utf8(head, content, reading.encoding)
}

/// Reads the first bytes. Waits for no more than [`HEAD`] bytes, because more may take long to arrive on standard
/// input.
fn head(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = vec![0; 64];
    let mut read = 0;
    while read < HEAD {
        match input.read(&mut head[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(read);
    Ok(head)
}

fn with_head<'i>(head: Vec<u8>, input: impl Read + 'i) -> impl Read + 'i {
    Cursor::new(head).chain(input)
}
