//! ARCHITECTURE.md describes the crates as they are.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Crates = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Crates in the block under "The crates", except the service, with the crates that each depends on.
fn documented() -> Crates {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = text.split_once("## The crates").unwrap();
    let block = section.split("```").nth(1).unwrap();
    let lines = block.trim().lines().filter(|line| !line.starts_with("svc "));
    let named = lines.map(|line| {
        let (name, below) = line.split_once(" → ").unwrap_or((line, ""));
        let below = below.split(", ").filter(|below| !below.is_empty());
        (name.trim().to_owned(), below.map(str::to_owned).collect())
    });
    named.collect()
}

/// Crates in `server/`, with the other crates of this repository that each depends on.
fn real() -> Crates {
    let folders = fs::read_dir(root().join("server")).unwrap();
    let manifests = folders.filter_map(|folder| {
        let folder = folder.unwrap();
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).ok()?;
        Some((folder.file_name().into_string().unwrap(), manifest.parse::<toml::Table>().unwrap()))
    });
    let manifests: BTreeMap<_, _> = manifests.collect();
    let depends = |manifest: &toml::Table| {
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let names = dependencies.into_iter().flat_map(toml::Table::keys);
        names
            .filter(|name| {
                manifests.contains_key(*name) || ["app", "desk", "svc"].contains(&name.as_str())
            })
            .cloned()
            .collect()
    };
    manifests.iter().map(|(name, manifest)| (name.clone(), depends(manifest))).collect()
}

#[test]
fn each_crate_stands_on_what_the_documentation_says_and_on_nothing_above_it() {
    assert_eq!(documented(), real());
}

/// Paths in backticks, each prefixed with the folder in the heading of its section.
fn paths() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (mut folder, mut paths) = (String::new(), Vec::new());
    for line in text.lines() {
        if line.starts_with('#') {
            let named = line.split('`').nth(1);
            folder = named.unwrap_or_default().to_owned();
        }
        let quoted = line.split('`').skip(1).step_by(2);
        // A recipe adds the files of a ticker.
        let is_path = |text: &&str| {
            (text.ends_with(".rs") || text.ends_with('/')) && !text.contains("ticker")
        };
        let below =
            |path: &str| if path == folder { folder.clone() } else { folder.clone() + path };
        paths.extend(quoted.filter(is_path).map(below));
    }
    paths
}

#[test]
fn every_path_in_the_documentation_exists() {
    let missing: Vec<String> =
        paths().into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(paths().len() > 100);
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn every_type_in_the_glossary_is_in_its_file() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, glossary) = text.split_once("## Glossary").unwrap();
    let rows = glossary.lines().filter(|line| line.contains("` in `"));
    let named = rows.map(|row| row.rsplit('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    let named: Vec<Vec<&str>> = named.map(Iterator::collect).collect();
    assert!((30..=40).contains(&named.len()), "{}", named.len());
    for row in named {
        let [name, path] = row[..] else { panic!("{row:?}") };
        let code = fs::read_to_string(root().join(path)).unwrap();
        let words: Vec<&str> = code
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let is_defined = |kind: &str| words.windows(2).any(|pair| pair == [kind, name]);
        assert!(
            ["struct", "enum", "trait", "type", "fn", "macro_rules"].into_iter().any(is_defined)
                || code.contains(&format!("    {name} {{")),
            "{name} is not in {path}"
        );
    }
}
