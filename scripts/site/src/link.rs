//! One wasm file → the main module, one module for each lazy island, and the JavaScript between.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use crate::Paths;

/// The modules that a lazy island needs beside the main one, by the island's name in snake case.
pub(crate) type Chunks = BTreeMap<String, Vec<String>>;

/// Names the JavaScript between the modules. wasm-split's own name for it is meant to be replaced
/// by a hash; ours lies in a folder that is named by one.
const SPLIT_JS: &str = "./wasm_split.js";

/// Writes the modules to `assets`, and the JavaScript to the work folder: [crate::shrink] bundles it.
pub(crate) fn run(paths: &Paths, wasm: &Path, assets: &Path) -> Result<Chunks> {
    let input = fs::read(wasm).with_context(|| format!("reading {}", wasm.display()))?;
    let main = paths.work.join("main.wasm");

    let mut options = wasm_split_cli_support::Options::new(&input);
    options.output_dir = &paths.work;
    options.main_out_path = &main;
    options.main_module = "./frontend.js";
    options.link_name = SPLIT_JS;
    let split = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("wasm-split: {error:#}"))?;
    for module in &split.split_modules {
        fs::rename(module, assets.join(crate::name_of(module)?))?;
    }

    // The modules call each other through what the linker exported, under the linker's names.
    Bindgen::new()
        .input_path(&main)
        .out_name("frontend")
        .web(true)?
        .keep_lld_exports(true)
        .demangle(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&paths.work)
        .context("wasm-bindgen")?;
    fs::rename(paths.work.join("frontend_bg.wasm"), assets.join("frontend.wasm"))?;

    // An island's loader is called `<island>_loader_<hash of its place in the sources>`.
    let chunks = split.prefetch_map.into_iter().map(|(loader, modules)| {
        let island = loader.rsplit_once("_loader_").map_or(loader.as_str(), |(island, _)| island);
        (island.to_owned(), modules.iter().map(|name| format!("{name}.wasm")).collect())
    });
    Ok(chunks.collect())
}
