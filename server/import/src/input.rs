//! Conversion of a file to UTF-8 text. UTF-8 passes through unchanged.

mod archive;
pub(super) mod encoding;
mod zstd;

use std::io::{self, Cursor, Read};

use super::Error;

/// Number of bytes that are enough to detect the type of a file.
const HEAD: usize = 4;

/// Text in UTF-8, judging by its beginning.
pub(super) struct Decoded<'i> {
    pub text: Box<dyn Read + 'i>,
    /// Whether the text began with a byte order mark, which is not part of `text`.
    pub marked: bool,
}

/// Unpacks and decodes `input` if necessary. The window of an archive has at most `max_window` bytes.
pub(super) fn decode<'i>(mut input: impl Read + 'i, max_window: u64) -> Result<Decoded<'i>, Error> {
    let head = head(&mut input)?;
    let mut content = archive::unpack(&head, input, max_window)?;
    let head = self::head(&mut content)?;
    encoding::to_utf8(head, content)
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
