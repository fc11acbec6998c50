//! Unusual and broken files, derived from those in `corpus/`.

use std::{
    io::{self, Read},
    path::Path,
};

use base::{clock::Clock, time::parse_instant};
use scratch::fuzz::{self, Target, is_said};

use super::{
    Format,
    reading::Reading,
    source::{Opening, open},
};

/// Reader that returns a few bytes at a time.
struct Slow<'t>(&'t [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

/// Checks that the rows do not depend on the size of the reads, that each is a valid report or has reasons for its
/// refusal, and that line numbers increase.
fn rows(bytes: &[u8], format: Option<Format>) {
    let whole = read(bytes, usize::MAX, format);
    // The readable part of a damaged archive depends on the size of the reads.
    if bytes.starts_with(b"\x1f\x8b") || matches!(bytes, [0x28 | 0x50..=0x5f, ..]) {
        return;
    }
    for at_once in [1, 7] {
        assert_eq!(read(bytes, at_once, format), whole, "{at_once} bytes at once");
    }
}

/// Returns the result of reading the file as text.
fn read(bytes: &[u8], at_once: usize, format: Option<Format>) -> Vec<String> {
    let start = parse_instant("2026-03-01T12:00:00.000Z").unwrap();
    let opening = Opening {
        format,
        reading: Reading::default(),
        clock: Clock::stepped(start),
        max_window: super::run::HTTP_WINDOW,
        with_originals: true,
        bytes_read: Default::default(),
        sheets: Default::default(),
    };
    let mut rows = match open(Slow(bytes, at_once), opening) {
        Ok(rows) => rows,
        Err(error) => return vec![error.to_string()],
    };
    let (mut said, mut last) = (Vec::new(), 0);
    loop {
        match rows.next_row() {
            Ok(Some(row)) => {
                assert!(row.line >= last, "line {} after {last}", row.line);
                last = row.line;
                match row.report {
                    Ok(report) => {
                        let texts = [&report.city, &report.region, &report.country];
                        assert!(texts.iter().all(|text| text.chars().count() <= 256), "{report:?}");
                        assert!(
                            !report.city.is_empty() && !report.country.is_empty(),
                            "{report:?}"
                        );
                        assert!(report.people_count >= 1, "{report:?}");
                        said.push(format!("{} {report:?}", row.line));
                    }
                    Err(problems) => {
                        assert!(!problems.is_empty());
                        for problem in problems {
                            let refusal = problem.on(row.line);
                            is_said(&refusal.reason.to_string());
                            said.push(refusal.to_string());
                        }
                    }
                }
            }
            Ok(None) => break,
            Err(error) => {
                said.push(error.to_string());
                break;
            }
        }
    }
    said.extend(rows.take_notes().iter().map(ToString::to_string));
    said
}

#[test]
fn whatever_a_file_has_in_it_is_read_or_refused() {
    let targets = [
        Target { name: "csv", check: |bytes| rows(bytes, Some(Format::Csv)) },
        Target { name: "file", check: |bytes| rows(bytes, None) },
    ];
    fuzz::run(&targets, &Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"));
}
