//! The site that `scripts/leptos site` built, with its files compressed: embedded, or read when the service starts.

use std::{collections::HashMap, io};

use app::shell::Assets;
use bytes::Bytes;
use edge::representation::Representation;

use super::file::{IMMUTABLE, Incomplete, file};

/// Whether the site is in the binary.
pub(super) const EMBEDDED: bool = cfg!(feature = "embed-site");

/// By URL path.
pub(super) type Files = HashMap<String, Representation>;

/// The site, unless it was never built.
pub(super) fn load() -> Result<Option<(Assets, Files)>, Incomplete> {
    let contents =
        contents().map_err(|error| Incomplete(format!("target/site cannot be read: {error}")))?;
    let Some(manifest) = contents.get("manifest.json") else {
        return match EMBEDDED {
            true => Err(Incomplete(
                "this binary was built without its site: use `make build`".to_owned(),
            )),
            false => Ok(None),
        };
    };
    let assets = serde_json::from_slice(manifest)
        .map_err(|error| Incomplete(format!("the site's manifest cannot be read: {error}")))?;
    let files = contents.iter().filter_map(|(path, body)| {
        let url = match path.strip_prefix("root") {
            Some(url) => url.to_owned(),
            None if path.starts_with("assets/") => format!("/{path}"),
            None => return None,
        };
        if path.ends_with(".br") || path.ends_with(".gz") {
            return None;
        }
        let [brotli, gzip] =
            ["br", "gz"].map(|form| contents.get(&format!("{path}.{form}")).cloned());
        let file = file(&url, body.clone(), IMMUTABLE)?.precompressed(brotli, gzip);
        Some((url, file))
    });
    let files = files.collect();
    Ok(Some((assets, files)))
}

/// Every file, by its path below `target/site`.
#[cfg(feature = "embed-site")]
fn contents() -> io::Result<HashMap<String, Bytes>> {
    use std::borrow::Cow;

    use rust_embed::RustEmbed;

    // Lints must compile before the site is built.
    #[derive(RustEmbed)]
    #[folder = "../target/site"]
    #[allow_missing = true]
    struct Embedded;

    let file = |path: Cow<'static, str>| {
        let body = match Embedded::get(&path)?.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        Some((path.into_owned(), body))
    };
    Ok(Embedded::iter().filter_map(file).collect())
}

/// Every file, by its path below `target/site`.
#[cfg(not(feature = "embed-site"))]
fn contents() -> io::Result<HashMap<String, Bytes>> {
    use std::{fs, path::Path};

    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/site");
    let mut files = HashMap::new();
    let mut folders = vec![site.clone()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(name) = path.strip_prefix(&site).ok().and_then(Path::to_str) {
                files.insert(name.to_owned(), fs::read(&path)?.into());
            }
        }
    }
    Ok(files)
}
