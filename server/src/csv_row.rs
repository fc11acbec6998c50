//! Rows of CSV files that people open in spreadsheets (RFC 4180).

use import::formula;

/// Media type of files with a header row.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8; header=present";
/// Byte order mark, by which spreadsheets recognise UTF-8. It is the start of the file.
pub(crate) const MARK: &str = "\u{FEFF}";

/// Row that is being written.
#[must_use = "a row has to be ended"]
pub(crate) struct Row<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
}

impl<'o> Row<'o> {
    pub(crate) fn of(out: &'o mut Vec<u8>) -> Self {
        Self { out, is_empty: true }
    }

    /// Writes a cell. A text that a spreadsheet could take for a formula begins with an apostrophe.
    pub(crate) fn cell(mut self, text: &str) -> Self {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
        let text = formula::safe(text);
        let needs_quotes = |byte: u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
        if !text.bytes().any(needs_quotes) {
            self.out.extend_from_slice(text.as_bytes());
            return self;
        }
        self.out.push(b'"');
        for byte in text.bytes() {
            if byte == b'"' {
                self.out.push(b'"');
            }
            self.out.push(byte);
        }
        self.out.push(b'"');
        self
    }

    pub(crate) fn end(self) {
        self.out.extend_from_slice(b"\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_formulas_are_texts() {
        let mut out = Vec::new();
        let cells =
            ["plain", "", "a,b", "say \"x\"", "two\nlines", "=1+1", "@x,\"y\"", "-3", " b "];
        cells.iter().fold(Row::of(&mut out), |row, cell| row.cell(cell)).end();
        let text = String::from_utf8(out.clone()).unwrap();
        let expected =
            "plain,,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",'=1+1,\"'@x,\"\"y\"\"\",-3, b \r\n";
        assert_eq!(text, expected);
        let read = csv::ReaderBuilder::new().has_headers(false).from_reader(&*out).into_records();
        let read: Vec<_> = read.map(Result::unwrap).collect();
        let read: Vec<&str> = read[0].iter().map(formula::plain).collect();
        assert_eq!(read, cells);
    }
}
