//! The site embedded in the binary, compressed at build time.

use std::{borrow::Cow, collections::HashMap};

use app::shell::Assets;
use bytes::Bytes;
use rust_embed::RustEmbed;

use super::{Incomplete, file};
use crate::http::representation::Representation;

/// How long `/assets/…` may be cached.
pub(super) const ASSETS: &str = super::IMMUTABLE;

// Tests and lints must compile before the site is built.
#[derive(RustEmbed)]
#[folder = "../target/site"]
#[allow_missing = true]
struct Embedded;

/// By URL path.
#[derive(Debug)]
pub(super) struct Files(HashMap<String, Representation>);

impl Files {
    pub(super) fn get(&self, path: &str) -> Option<Representation> {
        self.0.get(path).cloned()
    }
}

pub(super) fn load() -> Result<(Assets, Files), Incomplete> {
    let manifest = read("manifest.json").ok_or_else(|| {
        Incomplete("this binary was built without its site: use `make build`".to_owned())
    })?;
    let assets = serde_json::from_slice(&manifest)
        .map_err(|error| Incomplete(format!("the site's manifest cannot be read: {error}")))?;
    let files = Embedded::iter().filter_map(|path| {
        let url = match path.strip_prefix("root") {
            Some(url) => url.to_owned(),
            None if path.starts_with("assets/") => format!("/{path}"),
            None => return None,
        };
        if path.ends_with(".br") || path.ends_with(".gz") {
            return None;
        }
        let [brotli, gzip] = ["br", "gz"].map(|form| read(&format!("{path}.{form}")));
        let file = file(&url, read(&path)?)?.precompressed(brotli, gzip);
        Some((url, file))
    });
    Ok((assets, Files(files.collect())))
}

fn read(path: &str) -> Option<Bytes> {
    Some(match Embedded::get(path)?.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    })
}
