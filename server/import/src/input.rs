//! From the bytes of a file to text in UTF-8. What is that already passes through as it is.

mod archive;
pub(super) mod encoding;
mod zstd;

use std::io::{self, Cursor, Read};

use super::Error;

/// So many bytes tell what a file is.
const HEAD: usize = 4;

/// A text in UTF-8, as far as can be told from its beginning.
pub(super) struct Decoded<'i> {
    pub text: Box<dyn Read + 'i>,
    /// Whether it began with a byte order mark, which is not part of the text.
    pub marked: bool,
}

/// Unpacks and decodes `input` where that is needed; an archive's window has at most `max_window` bytes.
pub(super) fn decode<'i>(mut input: impl Read + 'i, max_window: u64) -> Result<Decoded<'i>, Error> {
    let head = head(&mut input)?;
    let mut content = archive::unpack(&head, input, max_window)?;
    let head = self::head(&mut content)?;
    encoding::to_utf8(head, content)
}

/// The first bytes. Waits for no more than it takes: on standard input the next may be long in coming.
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
