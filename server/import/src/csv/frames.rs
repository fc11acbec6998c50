//! Splitting a CSV text into rows.

use std::mem;

use domain::text::quote;
use memchr::{memchr, memchr3};

use crate::{
    Error, FileError,
    text::{MAX_ROW_BYTES, Text, ends_of_lines},
};

const QUOTE: u8 = b'"';

/// Rows of a CSV text as bytes. The rules are those of `csv_core`, which parses the fields: a quote is only special at
/// the beginning of a field, and is doubled inside of quotes.
pub(super) struct Frames<'i> {
    text: Text<'i>,
    /// Separators; a field begins after each of them.
    separators: Vec<u8>,
    /// Last returned row.
    returned: Frame,
    /// Whether the last byte was a CR, which an LF may follow.
    after_return: bool,
}

/// Properties of a row, apart from its bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// Line on which the row begins, from 1.
    pub line: u64,
    length: usize,
    /// Number of line ends inside of quotes.
    pub inner_lines: u64,
    /// Whether text follows a closing quote. That quote was then probably meant to open a field, and an earlier one was
    /// never closed.
    pub is_torn: bool,
}

impl<'i> Frames<'i> {
    pub(super) fn new(text: Text<'i>, separators: Vec<u8>) -> Self {
        Self { text, separators, returned: Frame::default(), after_return: false }
    }

    pub(super) fn set_separator(&mut self, separator: u8) {
        self.separators = vec![separator];
    }

    /// Returns the bytes of the next row that is not an empty line, without the line end, and its frame.
    pub(super) fn next(&mut self) -> Result<Option<(&[u8], Frame)>, Error> {
        let before = mem::take(&mut self.returned);
        self.text.consume(before.length, before.inner_lines);
        if !self.skip_ends_of_lines()? {
            return Ok(None);
        }
        let mut scan = Scan::default();
        let length = loop {
            if let Some(end) = scan.find_end(self.text.bytes(), &self.separators) {
                break end;
            }
            let length = self.text.bytes().len();
            if length >= MAX_ROW_BYTES {
                return Err(self.endless(scan.open, false));
            }
            if !self.text.more()? {
                match scan.open_at_the_end(length) {
                    None => break length,
                    open => return Err(self.endless(open, true)),
                }
            }
        };
        let row = &self.text.bytes()[..length];
        let (line, inner_lines) = (self.text.line(), ends_of_lines(row));
        self.returned = Frame { line, length, inner_lines, is_torn: scan.is_torn };
        Ok(Some((row, self.returned)))
    }

    fn skip_ends_of_lines(&mut self) -> Result<bool, Error> {
        loop {
            let Some(first) = self.text.bytes().first() else {
                match self.text.more()? {
                    true => continue,
                    false => return Ok(false),
                }
            };
            let after_return = mem::replace(&mut self.after_return, *first == b'\r');
            match *first {
                b'\n' => self.text.consume(1, u64::from(!after_return)),
                b'\r' => self.text.consume(1, 1),
                _ => return Ok(true),
            }
        }
    }

    /// Error for a row without an end within the longest row, or within the file.
    fn endless(&self, open: Option<usize>, is_whole: bool) -> Error {
        let row = self.text.bytes();
        let Some(open) = open else {
            let line = self.text.line();
            return Error::Source(FileError::LongRow { line });
        };
        let line = self.text.line() + ends_of_lines(&row[..open]);
        let quoted = row[open + 1..].split(|byte| matches!(byte, b'\r' | b'\n')).next();
        // More than is displayed, but few enough to be cheap.
        let quoted = quoted.unwrap_or_default().get(..400).or(quoted).unwrap_or_default();
        let before = quote(&String::from_utf8_lossy(quoted));
        Error::Source(match is_whole {
            true => FileError::OpenQuote { line, before },
            false => FileError::LongQuote { line, before },
        })
    }
}

/// Search for the end of one row. Resumes at the same position when more of the row is available.
#[derive(Default)]
struct Scan {
    at: usize,
    /// Position of the open quote, if `at` is inside of quotes.
    open: Option<usize>,
    is_torn: bool,
}

impl Scan {
    fn find_end(&mut self, bytes: &[u8], separators: &[u8]) -> Option<usize> {
        while let Some(rest) = bytes.get(self.at..) {
            if self.open.is_some() {
                let Some(quote) = memchr(QUOTE, rest) else { break };
                self.at += quote;
                match bytes.get(self.at + 1) {
                    Some(&QUOTE) => self.at += 2,
                    Some(next) => {
                        // Some programs write blanks after a closing quote.
                        let ends_field =
                            separators.contains(next) || matches!(next, b'\n' | b'\r' | b' ');
                        self.is_torn |= !ends_field;
                        (self.at, self.open) = (self.at + 1, None);
                    }
                    // The next byte decides, so this quote is examined again when more is available.
                    None => return None,
                }
            } else {
                let Some(found) = memchr3(b'\n', b'\r', QUOTE, rest) else { break };
                self.at += found;
                if bytes[self.at] != QUOTE {
                    return Some(self.at);
                }
                let begins_field =
                    self.at.checked_sub(1).is_none_or(|before| separators.contains(&bytes[before]));
                if begins_field {
                    self.open = Some(self.at);
                }
                self.at += 1;
            }
        }
        self.at = bytes.len();
        None
    }

    /// Returns the quote that is still open at the end of the text. A quote in the last position closes it.
    fn open_at_the_end(&self, length: usize) -> Option<usize> {
        self.open.filter(|_| self.at == length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use proptest::prelude::*;

    use super::*;
    use crate::csv::record::Record;

    /// Reader that returns a few bytes at a time.
    struct Slow<'t>(&'t [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    type Rows = Vec<Vec<Vec<u8>>>;

    /// Returns the rows as this module reads them, and whether the text ended without an error.
    fn read(text: &str, at_once: usize) -> (Rows, bool) {
        let text = Text::new(Box::new(Slow(text.as_bytes(), at_once)));
        let mut frames = Frames::new(text, vec![b',']);
        let mut record = Record::new(b',');
        let mut rows = Vec::new();
        loop {
            match frames.next() {
                Ok(Some((row, _))) => {
                    record.read(row);
                    rows.push(record.fields().map(<[u8]>::to_vec).collect());
                }
                Ok(None) => return (rows, true),
                Err(_) => return (rows, false),
            }
        }
    }

    proptest! {
        #[test]
        fn rows_are_those_that_the_csv_crate_finds(
            text in "[ab,;\"\r\né]{0,40}",
            at_once in 1..50_usize,
        ) {
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let expected: Rows = reader
                .byte_records()
                .map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect())
                .collect();
            let (rows, well) = read(&text, at_once);
            if well {
                prop_assert_eq!(rows, expected);
            } else {
                // For `csv_core`, the text after an open quote is a row.
                prop_assert_eq!(&rows, &expected[..expected.len() - 1]);
            }
        }
    }
}
