//! Where the rows of a CSV text begin and end.

use std::mem;

use domain::text::quote;
use memchr::{memchr, memchr3};

use crate::{
    Error,
    text::{MAX_ROW_BYTES, Text, ends_of_lines},
};

const QUOTE: u8 = b'"';

/// The rows of a CSV text as bytes. By the rules of `csv_core`, which reads the fields: a quote
/// counts at the beginning of a field only, and is written twice within quotes.
pub(super) struct Frames<'i> {
    text: Text<'i>,
    /// After any of these begins a field.
    separators: Vec<u8>,
    /// The row that was returned last.
    returned: Frame,
    /// Whether a CR was the last, whose LF is still to come.
    after_return: bool,
}

/// What there is to know of a row but its bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The line on which it begins, from 1.
    pub line: u64,
    length: usize,
    /// Ends of lines within quotes.
    pub inner_lines: u64,
    /// Whether text follows a quote that closes. Then it is likely to be one that opens, and an
    /// earlier one was never closed.
    pub is_torn: bool,
}

impl<'i> Frames<'i> {
    pub(super) fn new(text: Text<'i>, separators: Vec<u8>) -> Self {
        Self { text, separators, returned: Frame::default(), after_return: false }
    }

    pub(super) fn set_separator(&mut self, separator: u8) {
        self.separators = vec![separator];
    }

    /// The next row that is not an empty line: its bytes without the end of the line, and more.
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
                return Err(self.endless(scan.open, "within 1 MiB"));
            }
            if !self.text.more()? {
                match scan.open_at_the_end(length) {
                    None => break length,
                    open => return Err(self.endless(open, "up to the end of the file")),
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

    fn endless(&self, open: Option<usize>, bound: &str) -> Error {
        let row = self.text.bytes();
        let Some(open) = open else {
            let line = self.text.line();
            return Error::Source(format!("line {line}: the row is longer than 1 MiB"));
        };
        let line = self.text.line() + ends_of_lines(&row[..open]);
        let quoted = row[open + 1..].split(|byte| matches!(byte, b'\r' | b'\n')).next();
        // More than is shown, and no more than is cheap to read.
        let quoted = quoted.unwrap_or_default().get(..400).or(quoted).unwrap_or_default();
        let quoted = quote(&String::from_utf8_lossy(quoted));
        Error::Source(format!(
            "line {line}: the quote that opens before {quoted} is not closed {bound}"
        ))
    }
}

/// The search for the end of one row; goes on where it was when more of the row is there.
#[derive(Default)]
struct Scan {
    at: usize,
    /// Where the quote is that `at` is within.
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
                        // Some programs write blanks there.
                        let ends_field =
                            separators.contains(next) || matches!(next, b'\n' | b'\r' | b' ');
                        self.is_torn |= !ends_field;
                        (self.at, self.open) = (self.at + 1, None);
                    }
                    // What follows decides, so the quote is looked at again.
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

    /// The quote that is open when nothing follows any more: a quote in the last place closes it.
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

    /// Gives a few bytes at a time.
    struct Slow<'t>(&'t [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    type Rows = Vec<Vec<Vec<u8>>>;

    /// The rows as they are read here, and whether the text ended well.
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
                // For that crate, what follows an open quote is a row.
                prop_assert_eq!(&rows, &expected[..expected.len() - 1]);
            }
        }
    }
}
