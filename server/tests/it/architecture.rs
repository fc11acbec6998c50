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
        let is_path = |text: &&str| text.ends_with(".rs") || text.ends_with('/');
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
