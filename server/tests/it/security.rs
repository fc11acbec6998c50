//! SECURITY.md names the tests of its defences.

use std::{collections::BTreeSet, fs, path::Path};

const SECURITY: &str = include_str!("../../../SECURITY.md");

/// The names of all tests in the files below a folder.
fn collect(folder: &Path, tests: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, tests);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = source.lines().map(str::trim).collect();
            let named = lines
                .windows(2)
                .filter(|two| two[0].starts_with("#[test]") || two[0].starts_with("#[tokio::test"));
            tests.extend(named.filter_map(|two| {
                let (_, rest) = two[1].split_once("fn ")?;
                Some(rest.split('(').next()?.to_owned())
            }));
        }
    }
}

/// The names in the last column of the tables of a section.
fn promised() -> Vec<&'static str> {
    let (_, section) = SECURITY.split_once("## Threats and defences").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.contains("| Tests |"));
    let cells = rows.map(|row| row.trim_end_matches(" |").rsplit(" | ").next().unwrap());
    cells.flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`'))).collect()
}

#[test]
fn every_test_that_a_promise_rests_on_exists() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut tests = BTreeSet::new();
    collect(&repository.join("server"), &mut tests);
    collect(&repository.join("app"), &mut tests);
    let promised = promised();
    assert!(promised.len() > 40, "{promised:?}");
    let missing: Vec<_> = promised.iter().filter(|name| !tests.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!tests.contains("there_is_no_such_test"));
}
