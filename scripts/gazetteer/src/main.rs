//! Writes `server/geo/data/gazetteer.bin`, `app/data/land.bin` and `public/globe-lines.bin` from
//! packages unpacked in a folder:
//!
//! ```sh
//! cargo run --release --package gazetteer -- FOLDER
//! ```
//!
//! The README next to this program describes the contents of the folder. The same packages give the
//! same bytes. Before writing, every name is looked up in the result with the server's reader.

use std::path::Path;

use anyhow::{Context, Result, bail};

mod atlas;
mod cities;
mod countries;
mod lines;
mod mask;
mod pack;
mod regions;
mod sources;
mod sphere;

// The browser's own files, so that the writer uses the same format as the reader. They contain more
// than this program needs.
#[path = "../../../app/src/widgets/globe/lines.rs"]
mod format;
#[allow(dead_code)]
#[path = "../../../app/src/land/grid.rs"]
mod grid;

fn main() -> Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else { bail!("usage: gazetteer FOLDER") };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = sources::Sources::new(folder.into());

    let cities = cities::read(&sources)?;
    let regions = regions::read(&sources, &cities)?;
    let countries = countries::read(&sources, &cities)?;
    write(
        &root.join("server/geo/data/gazetteer.bin"),
        &pack::pack(&cities, &regions, &countries)?,
    )?;
    write(&root.join("app/data/land.bin"), &mask::land(&sources)?)?;
    write(&root.join("public/globe-lines.bin"), &lines::lines(&sources)?)
}

fn write(path: &Path, data: &[u8]) -> Result<()> {
    std::fs::write(path, data).with_context(|| path.display().to_string())?;
    println!("{}: {} bytes", path.file_name().unwrap_or_default().display(), data.len());
    Ok(())
}
