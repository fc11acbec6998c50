//! A file's text as it is read: a window of it in memory, and the line on which that begins.

use std::io::{self, Read};

use super::Error;

/// No row is longer: a quote or a bracket that is never closed makes the rest of the file one row, and
/// reading stops before that fills the memory.
pub(super) const MAX_ROW_BYTES: usize = 1 << 20;
const CHUNK: usize = 1 << 16;

pub(super) struct Text<'i> {
    input: Box<dyn Read + 'i>,
    buffer: Vec<u8>,
    /// The window is `start..end` of the buffer.
    start: usize,
    end: usize,
    line: u64,
}

impl<'i> Text<'i> {
    pub(super) fn new(input: Box<dyn Read + 'i>) -> Self {
        Self { input, buffer: vec![0; 2 * CHUNK], start: 0, end: 0, line: 1 }
    }

    /// What was read and not consumed.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The line on which [`Text::bytes`] begins, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Reads what comes next, however little; `false` at the end.
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

    /// Goes on behind so many bytes and so many ends of lines.
    pub(super) fn consume(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.line += lines;
    }

    /// Goes on to the next byte that is not white space; `None` at the end.
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

    /// Goes on to the first line that is not blank, and returns its first character; `None` at the
    /// end. Blanks in that line stay: they may be separators.
    pub(super) fn skip_blank_lines(&mut self) -> Result<Option<u8>, Error> {
        loop {
            let bytes = self.bytes();
            let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let next = bytes.get(blank).copied();
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            let whole = bytes[..blank].iter().rposition(is_end).map_or(0, |last| last + 1);
            let lines = ends_of_lines(&bytes[..whole]);
            self.consume(whole, lines);
            if next.is_some() {
                return Ok(next);
            }
            if self.bytes().len() >= MAX_ROW_BYTES {
                let line = self.line;
                return Err(Error::Source(format!("line {line} begins with 1 MiB of blanks")));
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

/// Lines end with LF, CRLF or, in files of old programs, CR.
pub(super) fn ends_of_lines(bytes: &[u8]) -> u64 {
    let returns = memchr::memchr_iter(b'\r', bytes);
    line_feeds(bytes) + returns.filter(|at| bytes.get(at + 1) != Some(&b'\n')).count() as u64
}
