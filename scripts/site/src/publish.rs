//! From the work folder to `target/site`: names, compressed forms, the manifest.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{Mode, Paths, files_in, fingerprint, link::Chunks, name_of};

/// `manifest.json`: what the server must know to reference the files. All values are URL paths but
/// the hashes, which are the first 16 hex digits of a SHA-256.
#[derive(Serialize)]
pub(crate) struct Manifest {
    /// Over everything in `assets`.
    hash: String,
    /// The script that pages include, as a module.
    boot: String,
    /// What it loads next: worth a preload.
    wasm: String,
    /// By name: `"metrics": "/assets/<hash>/metrics.css"`.
    styles: BTreeMap<String, String>,
    /// What a lazy island needs beside `wasm`, by its name in snake case: `"globe_widget": […]`.
    preload: Chunks,
    /// The files with a fixed address, and each one's hash, for an ETag.
    root: BTreeMap<String, String>,
}

struct File {
    name: String,
    bytes: Vec<u8>,
}

/// Whether an earlier build's result is all there.
pub(crate) fn is_complete(paths: &Paths) -> bool {
    let manifest = fs::read_to_string(paths.site.join("manifest.json")).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or_default();
    let boot = manifest["boot"].as_str().unwrap_or_default();
    !boot.is_empty() && paths.site.join(boot.trim_start_matches('/')).is_file()
}

pub(crate) fn run(paths: &Paths, mode: Mode, chunks: Chunks) -> Result<()> {
    let assets = read(&paths.work.join("assets"))?;
    let fixed = read(&paths.work.join("root"))?;

    let mut hash = Sha256::new();
    for file in &assets {
        fingerprint::add(&mut hash, file.name.as_bytes());
        fingerprint::add(&mut hash, &file.bytes);
    }
    let hash = short(hash);
    let url = |name: &str| format!("/assets/{hash}/{name}");
    let manifest = Manifest {
        boot: url("boot.js"),
        wasm: url("frontend.wasm"),
        styles: assets
            .iter()
            .filter_map(|file| file.name.strip_suffix(".css"))
            .map(|name| (name.to_owned(), url(&format!("{name}.css"))))
            .collect(),
        preload: chunks
            .into_iter()
            .map(|(island, modules)| (island, modules.iter().map(|name| url(name)).collect()))
            .collect(),
        root: fixed
            .iter()
            .map(|file| (format!("/{}", file.name), short(Sha256::new_with_prefix(&file.bytes))))
            .collect(),
        hash: hash.clone(),
    };
    let manifest = serde_json::to_string_pretty(&manifest)? + "\n";

    // The same site again: its files keep their times, so that the server is not compiled anew.
    let place = paths.site.join("manifest.json");
    let compress = mode == Mode::Release;
    if is_complete(paths) && fs::read_to_string(&place).is_ok_and(|old| old == manifest) {
        return Ok(());
    }
    if paths.site.exists() {
        fs::remove_dir_all(&paths.site).context("removing the old site")?;
    }
    println!("\n  {:<44} {:>9} {:>9}", "file", "bytes", "brotli");
    write(&assets, &paths.site.join("assets").join(&hash), compress)?;
    write(&fixed, &paths.site.join("root"), compress)?;
    println!();
    // Last, as it is what an interrupted build must not leave behind.
    fs::write(&place, manifest).context("writing the manifest")
}

fn read(dir: &Path) -> Result<Vec<File>> {
    let read = |path: PathBuf| Ok(File { name: name_of(&path)?, bytes: fs::read(path)? });
    files_in(dir)?.into_iter().map(read).collect()
}

/// Writes the files, and the compressed forms that are smaller; prints a line for each.
fn write(files: &[File], dir: &Path, compress: bool) -> Result<()> {
    fs::create_dir_all(dir)?;
    for File { name, bytes } in files {
        fs::write(dir.join(name), bytes)?;
        let mut brotli_size = String::from("-");
        if compress {
            for (extension, packed) in [("br", brotli(bytes)?), ("gz", gzip(bytes)?)] {
                if packed.len() < bytes.len() {
                    fs::write(dir.join(format!("{name}.{extension}")), &packed)?;
                    if extension == "br" {
                        brotli_size = packed.len().to_string();
                    }
                }
            }
        }
        println!("  {name:<44} {:>9} {brotli_size:>9}", bytes.len());
    }
    Ok(())
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &params)?;
    Ok(packed)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn short(hash: Sha256) -> String {
    hex::encode(&hash.finalize()[..8])
}
