//! A JSON array of objects, read element by element.

use std::mem;

use super::Objects;
use crate::{
    Error, FileError,
    text::{MAX_ROW_BYTES, Text, line_feeds},
};

pub(crate) struct Array<'i> {
    text: Text<'i>,
    /// Bytes and line feeds of the last returned element.
    returned: (usize, u64),
    place: ArrayState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArrayState {
    BeforeArray,
    BeforeElement,
    AfterElement,
    AfterArray,
}

impl<'i> Array<'i> {
    pub(crate) fn new(text: Text<'i>) -> Self {
        Self { text, returned: (0, 0), place: ArrayState::BeforeArray }
    }

    fn fail(&self, at: impl Fn(u64) -> FileError) -> Error {
        Error::Source(at(self.text.line()))
    }

    /// Returns the length of the element that begins here.
    fn element(&mut self) -> Result<usize, Error> {
        let mut scan = Scan::default();
        loop {
            if let Some(end) = scan.find_end(self.text.bytes()) {
                return Ok(end);
            }
            if self.text.bytes().len() >= MAX_ROW_BYTES {
                return Err(self.fail(|line| FileError::LongObject { line }));
            }
            if !self.text.more()? {
                return Err(self.fail(|line| FileError::CutObject { line }));
            }
        }
    }
}

impl Objects for Array<'_> {
    fn next(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        let (bytes, lines) = mem::take(&mut self.returned);
        self.text.consume(bytes, lines);
        loop {
            let next = self.text.skip_white_space()?;
            self.place = match (self.place, next) {
                (ArrayState::AfterArray, None) => return Ok(None),
                (ArrayState::AfterArray, Some(_)) => {
                    return Err(self.fail(|line| FileError::AfterArray { line }));
                }
                (_, None) => return Err(self.fail(|line| FileError::CutArray { line })),
                (ArrayState::BeforeArray, Some(_)) => ArrayState::BeforeElement,
                (_, Some(b']')) => ArrayState::AfterArray,
                (ArrayState::AfterElement, Some(b',')) => ArrayState::BeforeElement,
                (ArrayState::AfterElement, Some(_)) => {
                    return Err(self.fail(|line| FileError::NoComma { line }));
                }
                (ArrayState::BeforeElement, Some(b',')) => {
                    return Err(self.fail(|line| FileError::NoObject { line }));
                }
                (ArrayState::BeforeElement, Some(_)) => break,
            };
            self.text.consume(1, 0);
        }
        let length = self.element()?;
        self.place = ArrayState::AfterElement;
        let element = &self.text.bytes()[..length];
        self.returned = (length, line_feeds(element));
        Ok(Some((self.text.line(), element)))
    }
}

/// Search for the end of an element: the bracket that closes its first one, or the end of a value without brackets. The
/// JSON is parsed later, so that only the bad element is refused.
#[derive(Default)]
struct Scan {
    at: usize,
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl Scan {
    fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        for byte in &bytes[self.at..] {
            if self.in_text {
                (self.in_text, self.escaped) = match byte {
                    _ if self.escaped => (true, false),
                    b'\\' => (true, true),
                    b'"' => (false, false),
                    _ => (true, false),
                };
            } else {
                match byte {
                    b'"' => self.in_text = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' if self.depth > 1 => self.depth -= 1,
                    b'}' | b']' if self.depth == 1 => return Some(self.at + 1),
                    b',' | b']' if self.depth == 0 => return Some(self.at),
                    _ => {}
                }
            }
            self.at += 1;
        }
        None
    }
}
