//! Tells whether anything that the site is made of has changed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::{Mode, Paths, compile::Compiler};

const INPUTS: [&str; 7] =
    ["app", "frontend", "style", "public", "scripts/site", "Cargo.toml", "Cargo.lock"];

/// A hash of all input files, the mode and the compiler.
pub(crate) fn of_inputs(paths: &Paths, mode: Mode, compiler: &Compiler) -> Result<String> {
    let mut files = Vec::new();
    for input in INPUTS {
        collect(&paths.root.join(input), &mut files)?;
    }
    let mut hash = Sha256::new();
    for file in files {
        let contents = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        add(&mut hash, file.strip_prefix(&paths.root)?.as_os_str().as_encoded_bytes());
        add(&mut hash, &contents);
    }
    add(&mut hash, if mode == Mode::Dev { b"dev" } else { b"release" });
    add(&mut hash, compiler.describe().as_bytes());
    Ok(hex::encode(hash.finalize()))
}

/// Adds a part so that no two lists of parts add up to the same bytes.
pub(crate) fn add(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part);
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
    } else if path.is_dir() && !path.ends_with("node_modules") {
        let entries = fs::read_dir(path).with_context(|| format!("reading {}", path.display()))?;
        let mut below = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
        below.sort();
        for path in below {
            collect(&path, files)?;
        }
    }
    Ok(())
}
