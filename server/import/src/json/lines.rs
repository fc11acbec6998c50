//! NDJSON: one JSON object per line. Blank lines are ignored.

use std::mem;

use memchr::memchr;

use super::Objects;
use crate::{
    Error, FileError,
    text::{MAX_ROW_BYTES, Text},
};

pub(crate) struct Lines<'i> {
    text: Text<'i>,
    /// Bytes of the last returned line.
    returned: usize,
}

impl<'i> Lines<'i> {
    pub(crate) fn new(text: Text<'i>) -> Self {
        Self { text, returned: 0 }
    }
}

impl Objects for Lines<'_> {
    fn next(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        self.text.consume(mem::take(&mut self.returned), 0);
        if self.text.skip_white_space()?.is_none() {
            return Ok(None);
        }
        let mut searched = 0;
        let length = loop {
            let bytes = self.text.bytes();
            if let Some(end) = memchr(b'\n', &bytes[searched..]) {
                break searched + end;
            }
            searched = bytes.len();
            if searched >= MAX_ROW_BYTES {
                let line = self.text.line();
                return Err(Error::Source(FileError::LongLine { line }));
            }
            if !self.text.more()? {
                break searched;
            }
        };
        self.returned = length;
        Ok(Some((self.text.line(), &self.text.bytes()[..length])))
    }
}
