//! Protection against formulas in CSV. Operators open refused rows in a spreadsheet, and a cell from an untrusted
//! source must not be evaluated there: a formula can run programs and send cells elsewhere.

use std::borrow::Cow;

/// Marks a cell as text in a spreadsheet.
const APOSTROPHE: u8 = b'\'';

/// Returns a line of CSV in which an apostrophe is put before each cell that could be a formula. The columns stay the
/// same, even if quotes are malformed.
pub(super) fn neutralized(line: &[u8], separator: u8) -> Vec<u8> {
    let mut safe = Vec::with_capacity(line.len());
    let (mut begins, mut is_quoted, mut was_closed) = (true, false, false);
    for (at, byte) in line.iter().copied().enumerate() {
        if begins && !is_quoted && byte == b'"' {
            is_quoted = true;
            safe.push(byte);
            continue;
        }
        let end = if is_quoted { b'"' } else { separator };
        if begins && is_formula(cell(&line[at..], end)) {
            safe.push(APOSTROPHE);
        }
        // Two quotes inside of quotes stand for one quote in the text.
        let closes = is_quoted && byte == b'"';
        let reopens = was_closed && byte == b'"';
        is_quoted = is_quoted && !closes || reopens;
        was_closed = closes;
        begins = !is_quoted && byte == separator;
        safe.push(byte);
    }
    safe
}

/// Returns the text of a cell, without the apostrophe that marks a formula as text.
pub fn plain(cell: &str) -> &str {
    let text = cell.strip_prefix(char::from(APOSTROPHE)).unwrap_or(cell);
    if is_formula(text.as_bytes()) { text } else { cell }
}

/// Returns the text for a cell, with an apostrophe before it if it could be a formula.
pub fn safe(text: &str) -> Cow<'_, str> {
    match is_formula(text.as_bytes()) {
        true => format!("{}{text}", char::from(APOSTROPHE)).into(),
        false => text.into(),
    }
}

/// Returns the bytes up to the end of a cell.
fn cell(rest: &[u8], end: u8) -> &[u8] {
    rest.split(|byte| *byte == end).next().unwrap_or_default()
}

/// Whether a spreadsheet could take the text for a formula. Signed numbers are none.
fn is_formula(text: &[u8]) -> bool {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    match text {
        [b'=' | b'@' | b'\t' | b'\r', ..] => true,
        [b'+' | b'-', number @ ..] => !number.iter().all(is_of_number),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{safe as safe_text, *};

    fn safe(line: &str, separator: u8) -> String {
        String::from_utf8(neutralized(line.as_bytes(), separator)).unwrap()
    }

    #[test]
    fn a_cell_that_could_be_a_formula_begins_with_an_apostrophe() {
        for (line, expected) in [
            ("=1+1,b", "'=1+1,b"),
            ("a,=HYPERLINK(\"http://x\"),@SUM(A1)", "a,'=HYPERLINK(\"http://x\"),'@SUM(A1)"),
            (
                "\"=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",b",
                "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",b",
            ),
            ("+1-cmd|' /C calc'!A0,-2+3", "'+1-cmd|' /C calc'!A0,'-2+3"),
            ("\t=1,\r=1,\"\t1\"", "'\t=1,'\r=1,\"'\t1\""),
            ("\"a,=1\",\"b\"\",=2\",=3", "\"a,=1\",\"b\"\",=2\",'=3"),
            ("a;=1,2", "a;=1,2"),
            // A quote that is never closed, or not where it should be
            ("a,\"=1,=2", "a,\"'=1,=2"),
            ("a\"b,=1", "a\"b,'=1"),
        ] {
            assert_eq!(safe(line, b','), expected, "{line}");
        }
        assert_eq!(safe("a;=1;\"=2;=3\"", b';'), "a;'=1;\"'=2;=3\"");
    }

    #[test]
    fn numbers_and_all_other_text_stay_as_they_are() {
        for line in
            ["", ",", "-12.3,+5,\"-1,5\"", "a=b,c-d,'e,e@f.org", "-,+,\"\",\"\"\"=\"\"\"", "'=1"]
        {
            assert_eq!(safe(line, b','), line);
        }
    }

    #[test]
    fn what_was_neutralized_reads_as_before() {
        for text in
            ["=1+1", "@x", "+1+1", "-cmd", "\tx", "-12.3", "'s-Hertogenbosch", "'quoted'", ""]
        {
            let written = String::from_utf8(neutralized(text.as_bytes(), b',')).unwrap();
            assert_eq!(plain(&written), text);
            assert_eq!(safe_text(text), written);
        }
    }
}
