//! Text of a file while it is read: a window of it in memory, and the line on which the window begins.

use std::io::{self, Read};

use super::{Error, FileError};

/// Maximum length of a row in bytes. A quote or bracket that is never closed makes the rest of the file one row; with
/// this limit, reading stops before that fills the memory.
pub(super) const MAX_ROW_BYTES: usize = 1 << 20;
const CHUNK: usize = 1 << 16;

pub(super) struct Text<'i> {
    input: Box<dyn Read + 'i>,
    buffer: Vec<u8>,
    /// Window in the buffer: `start..end`.
    start: usize,
    end: usize,
    line: u64,
}

impl<'i> Text<'i> {
    pub(super) fn new(input: Box<dyn Read + 'i>) -> Self {
        Self { input, buffer: vec![0; 2 * CHUNK], start: 0, end: 0, line: 1 }
    }

    /// Bytes that were read and not consumed.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Line on which [`Text::bytes`] begins, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Reads more bytes, however few; `false` at the end.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.buffer.len() - self.end < CHUNK {
            self.buffer.resize(self.end + CHUNK, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let read = read?;
                    self.end += read;
                    return Ok(read > 0);
                }
            }
        }
    }

    /// Moves past this many bytes and line ends.
    pub(super) fn consume(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.line += lines;
    }

    /// Moves to the next byte that is not white space and returns it; `None` at the end.
    pub(super) fn skip_white_space(&mut self) -> Result<Option<u8>, Error> {
        loop {
            let bytes = self.bytes();
            let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let (lines, next) = (line_feeds(&bytes[..blank]), bytes.get(blank).copied());
            self.consume(blank, lines);
            if next.is_some() || !self.more()? {
                return Ok(next);
            }
        }
    }

    /// Moves to the first line that is not blank, and returns its first character; `None` at the end. Blanks in that
    /// line are kept, because they may be separators.
    pub(super) fn skip_blank_lines(&mut self) -> Result<Option<u8>, Error> {
        loop {
            let bytes = self.bytes();
            let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let next = bytes.get(blank).copied();
            // A CR in the last position stays until the next byte is read: an LF belongs to it.
            let blanks = match next {
                Some(_) => &bytes[..blank],
                None => bytes.strip_suffix(b"\r").unwrap_or(bytes),
            };
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            let whole = blanks.iter().rposition(is_end).map_or(0, |last| last + 1);
            let lines = ends_of_lines(&blanks[..whole]);
            self.consume(whole, lines);
            if next.is_some() {
                return Ok(next);
            }
            if self.bytes().len() >= MAX_ROW_BYTES {
                let line = self.line;
                return Err(Error::Source(FileError::Blanks { line }));
            }
            if !self.more()? {
                return Ok(None);
            }
        }
    }
}

pub(super) fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Counts line ends: LF, CRLF or, in files of old programs, CR.
pub(super) fn ends_of_lines(bytes: &[u8]) -> u64 {
    let returns = memchr::memchr_iter(b'\r', bytes);
    line_feeds(bytes) + returns.filter(|at| bytes.get(at + 1) != Some(&b'\n')).count() as u64
}
