//! Builds `target/site`, the folder that the `svc` binary embeds:
//!
//! ```text
//! manifest.json         what pages reference, see [publish::Manifest]
//! assets/<hash>/…       scripts, wasm and styles; the hash is of all their contents, so they never change
//! root/…                files with a fixed address: embed.js, favicon.svg, …
//! ```
//!
//! Beside each file that gets smaller lie its `.br` and `.gz`. The way there: cargo compiles
//! `frontend` to wasm ([compile]), wasm-split cuts lazy islands out of it and wasm-bindgen writes
//! its JavaScript ([link]), wasm-opt and esbuild shrink all of it ([shrink]), and [publish] lays
//! it out. The first three of these tools are libraries or pinned by `Cargo.lock`, the last two
//! by `package-lock.json`, so that nothing has to be installed by hand in a matching version.
//!
//! `site` builds for release, `site --dev` quickly and without shrinking. Neither does anything
//! when no input has changed since. Both go through the same steps, so that what works in the one
//! works in the other.

mod compile;
mod fingerprint;
mod link;
mod publish;
mod shrink;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::{Context, Result, bail};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Dev,
    Release,
}

/// Where things are.
struct Paths {
    root: PathBuf,
    /// Cargo's.
    target: PathBuf,
    /// What this program makes on the way; emptied by each build.
    work: PathBuf,
    /// What it is for.
    site: PathBuf,
}

impl Paths {
    fn find() -> Result<Self> {
        let root = match env::var_os("CARGO_MANIFEST_DIR") {
            Some(dir) => Path::new(&dir).join("../..").canonicalize()?,
            None => env::current_dir()?,
        };
        if !root.join("frontend/boot.js").is_file() {
            bail!("{} is not the root of the workspace", root.display());
        }
        let target = root.join("target");
        Ok(Self { work: target.join("site-work"), site: target.join("site"), target, root })
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The site was not built: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mode = match env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => Mode::Release,
        [flag] if flag == "--dev" => Mode::Dev,
        _ => bail!("the only argument it takes is --dev"),
    };
    let paths = Paths::find()?;
    // One at a time: a second run waits, and then finds the first one's work done.
    fs::create_dir_all(&paths.target)?;
    let lock = fs::File::create(paths.target.join("site-lock"))?;
    lock.lock().context("waiting for another run of this program")?;
    let compiler = compile::Compiler::find(mode)?;

    let inputs = fingerprint::of_inputs(&paths, mode, &compiler)?;
    let seal = paths.target.join("site-fingerprint");
    if publish::is_complete(&paths) && fs::read_to_string(&seal).is_ok_and(|s| s == inputs) {
        println!("The site is up to date.");
        return Ok(());
    }

    let start = Instant::now();
    let assets = paths.work.join("assets");
    let fixed = paths.work.join("root");
    if paths.work.exists() {
        fs::remove_dir_all(&paths.work)?;
    }
    fs::create_dir_all(&assets)?;
    fs::create_dir_all(&fixed)?;
    let tools = shrink::Tools::find(&paths, mode)?;

    println!(
        "Compiling the widgets to wasm with {} (a minute or two the first time) …",
        compiler.describe()
    );
    let wasm = compiler.run(&paths, mode)?;

    println!("Splitting, linking and shrinking it …");
    let chunks = link::run(&paths, &wasm, &assets)?;
    tools.wasm(&assets)?;
    tools.boot(&paths, &assets)?;
    tools.styles(&paths.root.join("style"), &assets)?;
    tools.fixed_files(&paths.root.join("public"), &fixed)?;

    publish::run(&paths, mode, chunks)?;
    fs::write(&seal, inputs).context("writing the fingerprint")?;
    println!("Built the site in {:.1} s.", start.elapsed().as_secs_f32());
    Ok(())
}

/// Runs a command whose output is only of interest when it fails.
fn quietly(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].concat();
        bail!("{name} failed:\n{}", String::from_utf8_lossy(&said).trim_end());
    }
    Ok(())
}

/// The files directly in `dir`, sorted; none if there is no such folder.
fn files_in(dir: &Path) -> Result<Vec<PathBuf>> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("reading {}", dir.display()))? {
        let path = entry?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The last part of a path, as the text that all our file names are.
fn name_of(path: &Path) -> Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(name.with_context(|| format!("{} has no plain name", path.display()))?.to_owned())
}
