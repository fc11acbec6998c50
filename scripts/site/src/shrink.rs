//! Every byte that a stranger's page must load less: wasm-opt for the modules, esbuild for scripts
//! and styles. Both come from npm, in the versions of `package-lock.json`.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use anyhow::{Context, Result, bail};

use crate::{Mode, Paths, files_in, name_of, quietly};

/// What rustc's wasm may use, and every browser of the last three years understands.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

pub(crate) struct Tools {
    bin: PathBuf,
    minify: bool,
}

impl Tools {
    pub(crate) fn find(paths: &Paths, mode: Mode) -> Result<Self> {
        let bin = paths.root.join("scripts/site/node_modules/.bin");
        if !bin.join("wasm-opt").exists() || !bin.join("esbuild").exists() {
            bail!("wasm-opt and esbuild are not installed: scripts/setup build does that");
        }
        Ok(Self { bin, minify: mode == Mode::Release })
    }

    /// Optimizes each module in `assets` in place, as many at once as there are cores to do it.
    pub(crate) fn wasm(&self, assets: &Path) -> Result<()> {
        if !self.minify {
            return Ok(());
        }
        let modules = files_in(assets)?;
        thread::scope(|scope| {
            let jobs: Vec<_> = modules
                .iter()
                .map(|module| {
                    scope.spawn(move || {
                        quietly(
                            Command::new(self.bin.join("wasm-opt"))
                                .args(["-Oz", "--strip-debug", "--strip-producers"])
                                .args(WASM_FEATURES)
                                .arg(module)
                                .arg("-o")
                                .arg(module),
                        )
                    })
                })
                .collect();
            for job in jobs {
                match job.join() {
                    Ok(result) => result?,
                    Err(_) => bail!("a wasm-opt thread panicked"),
                }
            }
            Ok(())
        })
    }

    /// `boot.js`, the scripts beside it and the JavaScript of wasm-bindgen and wasm-split, in one
    /// file: each more would be one more round trip before a widget is live.
    pub(crate) fn boot(&self, paths: &Paths, assets: &Path) -> Result<()> {
        for script in files_in(&paths.root.join("frontend"))? {
            if has_extension(&script, "js") {
                fs::copy(&script, paths.work.join(name_of(&script)?))?;
            }
        }
        self.esbuild(
            &paths.work.join("boot.js"),
            &assets.join("boot.js"),
            &["--bundle", "--format=esm", "--target=es2022"],
        )
    }

    /// Each style sheet directly in `style`, with what it imports from the folders below.
    pub(crate) fn styles(&self, style: &Path, assets: &Path) -> Result<()> {
        for sheet in files_in(style)?.iter().filter(|file| has_extension(file, "css")) {
            self.esbuild(sheet, &assets.join(name_of(sheet)?), &["--bundle"])?;
        }
        Ok(())
    }

    /// Everything in `public`, under its own name; scripts and styles minified. The loader runs on
    /// other people's pages, so it is kept to JavaScript that old browsers know.
    pub(crate) fn fixed_files(&self, public: &Path, out: &Path) -> Result<()> {
        for file in files_in(public)? {
            let to = out.join(name_of(&file)?);
            if has_extension(&file, "js") || has_extension(&file, "css") {
                self.esbuild(&file, &to, &["--target=es2019"])?;
            } else {
                fs::copy(&file, &to).with_context(|| format!("copying {}", file.display()))?;
            }
        }
        Ok(())
    }

    fn esbuild(&self, from: &Path, to: &Path, args: &[&str]) -> Result<()> {
        let mut esbuild = Command::new(self.bin.join("esbuild"));
        esbuild.arg(from).args(args).args([
            "--charset=utf8",
            "--legal-comments=none",
            "--log-level=warning",
        ]);
        esbuild.arg(format!("--outfile={}", to.display()));
        if self.minify {
            esbuild.arg("--minify");
        }
        quietly(&mut esbuild)
    }
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension() == Some(OsStr::new(extension))
}
