//! The site's sources, for development: every request reads its file again, so an edit shows on the next load. Nothing
//! is bundled: browsers follow the imports of scripts and stylesheets. Widgets with live data have no scripts until cargo-leptos
//! has built the wasm.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs, io,
    path::{Component, Path, PathBuf},
};

use app::shell::Assets;
use edge::representation::Representation;

use super::file::{Incomplete, file};

/// `Cache-Control` of `/assets/…`.
const ASSETS: &str = "no-store";
/// Output of cargo-leptos.
const WASM: &str = "target/leptos/assets";

/// Folders that `/assets/…` is served from: sources, and the output of cargo-leptos.
const FOLDERS: [&str; 3] = ["style", "frontend", WASM];

#[derive(Debug)]
pub(super) struct Files {
    workspace: PathBuf,
}

impl Files {
    pub(super) fn get(&self, url: &str) -> Option<Representation> {
        let path = Path::new(url.strip_prefix('/')?);
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let bytes = match path.strip_prefix("assets") {
            Ok(asset) => FOLDERS.iter().find_map(|folder| {
                let file = self.workspace.join(folder).join(asset);
                fs::read(&file).or_else(|_| read_hashed(&file)).ok()
            }),
            Err(_) => fs::read(self.workspace.join("public").join(path)).ok(),
        };
        // Not compressed: every request would have to compress it again.
        Some(file(url, bytes?.into(), ASSETS)?.precompressed(None, None))
    }
}

/// A script requested by its plain name only re-exports the one with a hash: browsers treat two URLs
/// as two modules, and only one may load the wasm.
fn read_hashed(file: &Path) -> io::Result<Vec<u8>> {
    let path = hashed(file)?;
    match path.file_name().and_then(OsStr::to_str) {
        Some(name) if name.ends_with(".js") => {
            let name = format!("\"./{name}\"");
            Ok(format!("export * from {name};\nexport {{ default }} from {name};\n").into())
        }
        _ => fs::read(path),
    }
}

/// Returns the file that cargo-leptos wrote with a hash before the extension. Only its first build adds hashes; the
/// files that it writes after edits have plain names.
fn hashed(file: &Path) -> io::Result<PathBuf> {
    let not_found = || io::Error::from(io::ErrorKind::NotFound);
    let stem = file.file_stem().ok_or_else(not_found)?;
    let files = fs::read_dir(file.parent().ok_or_else(not_found)?)?;
    let mut paths = files.filter_map(|entry| Some(entry.ok()?.path()));
    let is_hashed = |path: &PathBuf| {
        let without_hash = path.file_stem().map(Path::new).and_then(Path::file_stem);
        without_hash == Some(stem) && path.extension() == file.extension()
    };
    paths.find(is_hashed).ok_or_else(not_found)
}

pub(super) fn load() -> Result<(Assets, Files), Incomplete> {
    load_from(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
}

fn load_from(workspace: PathBuf) -> Result<(Assets, Files), Incomplete> {
    let styles = styles(&workspace.join("style"))
        .map_err(|error| Incomplete(format!("style/ cannot be read: {error}")))?;
    let report = "/assets/report.js".to_owned();
    let mut assets = Assets { styles, report, ..Assets::default() };
    let wasm = workspace.join(WASM).join("frontend.wasm");
    if wasm.exists() || hashed(&wasm).is_ok() {
        assets.boot = "/assets/widget.js".to_owned();
        assets.wasm = "/assets/frontend.wasm".to_owned();
    }
    Ok((assets, Files { workspace }))
}

fn styles(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let files =
        fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let styles = files.filter_map(|file| {
        let name = file.strip_suffix(".css")?;
        Some((name.to_owned(), format!("/assets/{file}")))
    });
    Ok(styles.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_load_scripts_once_the_wasm_is_built() {
        let workspace = tempfile::tempdir().unwrap();
        let path = workspace.path().to_owned();
        fs::create_dir_all(path.join("style")).unwrap();
        fs::write(path.join("style/feed.css"), "").unwrap();
        let (assets, _) = load_from(path.clone()).unwrap();
        assert_eq!(assets.styles["feed"], "/assets/feed.css");
        assert_eq!((assets.boot.as_str(), assets.wasm.as_str()), ("", ""));

        fs::create_dir_all(path.join(WASM)).unwrap();
        fs::write(path.join(WASM).join("frontend.AbC123.wasm"), "wasm").unwrap();
        let (assets, files) = load_from(path).unwrap();
        assert_eq!(assets.boot, "/assets/widget.js");
        assert_eq!(&files.get(&assets.wasm).unwrap().body[..], b"wasm");
    }

    #[test]
    fn no_path_leads_out_of_the_sources() {
        let (_, files) = load().unwrap();
        assert!(files.get("/embed.js").is_some());
        for path in ["/../Cargo.toml", "/assets/../../Cargo.toml", "/assets//etc/passwd"] {
            assert!(files.get(path).is_none(), "{path}");
        }
    }
}
