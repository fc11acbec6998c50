//! Ids for a command: its arguments, and the lines of standard input.

use std::{
    collections::HashSet,
    io::{self, BufRead, Read},
};

use anyhow::Context;

/// Maximum number of characters of a report's id.
const LONGEST: usize = 128;
/// Maximum number of bytes read of a line.
const MAX_BYTES: u64 = 4_096;

/// Returns the ids, each once, in their order; `-` stands for those on standard input.
pub(super) fn read(arguments: &[String]) -> anyhow::Result<Vec<String>> {
    let mut ids = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument.as_str() {
            "-" => ids.extend(lines(io::stdin().lock())?),
            id => ids.push(id.to_owned()),
        }
    }
    let mut met = HashSet::new();
    ids.retain(|id| met.insert(id.clone()));
    Ok(ids)
}

/// Reads ids from lines. Other input, such as a whole CSV file, is refused before anything is changed.
fn lines(mut input: impl BufRead) -> anyhow::Result<Vec<String>> {
    let mut ids = Vec::new();
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = (&mut input).take(MAX_BYTES).read_until(b'\n', &mut line);
        if read.context("standard input could not be read")? == 0 {
            break;
        }
        let text = if number == 1 { without_mark(&line) } else { &line };
        let id = std::str::from_utf8(text).map(str::trim);
        let id = id.with_context(|| format!("line {number} of standard input is not UTF-8"))?;
        anyhow::ensure!(
            id.chars().count() <= LONGEST && line.len() < MAX_BYTES as usize,
            "line {number} of standard input is not an id: it has more than {LONGEST} characters"
        );
        if !id.is_empty() {
            ids.push(id.to_owned());
        }
    }
    Ok(ids)
}

/// Removes the byte order mark that editors on Windows write.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_lines(text: impl AsRef<[u8]>) -> Result<Vec<String>, String> {
        lines(text.as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_ids_whatever_they_end_with() {
        let text = "\u{feff}a\r\n\n  b c \n\t\r\nŁódź-1\na\nlast";
        assert_eq!(read_lines(text).unwrap(), ["a", "b c", "Łódź-1", "a", "last"]);
        assert_eq!(read_lines("").unwrap(), [""; 0]);
        assert_eq!(read_lines("\u{feff}\r\n \n").unwrap(), [""; 0]);
        let longest = "ł".repeat(LONGEST);
        assert_eq!(read_lines(&longest).unwrap(), [longest]);
    }

    #[test]
    fn what_cannot_be_an_id_is_refused_by_its_line() {
        let long = "line 2 of standard input is not an id: it has more than 128 characters";
        assert_eq!(read_lines(format!("a\n{}\n", "x".repeat(129))), Err(long.to_owned()));
        assert_eq!(read_lines(format!("a\n{}", " ".repeat(1 << 20))), Err(long.to_owned()));
        let odd = "line 1 of standard input is not UTF-8";
        assert_eq!(read_lines(b"\xff\xfea\0\n"), Err(odd.to_owned()));
    }
}
