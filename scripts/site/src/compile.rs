//! `frontend` → one wasm file.
//!
//! A widget's first load is mostly wasm, and much of a small module is the standard library as it
//! is shipped: built for speed, with the text of every panic. So the library is compiled along with
//! the widgets, for size and with panics that just stop (`immediate-abort`), which takes its sources
//! (`rust-src`) and flags that are still unstable. Where only the ready-made library is there, the
//! widgets work just the same and are larger by a quarter.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{Mode, Paths};

const TARGET: &str = "wasm32-unknown-unknown";

/// A Rust toolchain that can build for the browser, and how.
pub(crate) struct Compiler {
    cargo: PathBuf,
    rustc: PathBuf,
    version: String,
    library: Library,
}

enum Library {
    /// Compile the standard library too, and link with this program.
    FromSource { linker: PathBuf },
    /// Use the one that came with the compiler.
    Shipped,
}

impl Compiler {
    /// The first toolchain that has the library's sources: the one on `PATH`, then Debian's. Else
    /// the one on `PATH`, if it has the ready-made library; in dev mode that one first, as there
    /// is less to compile.
    pub(crate) fn find(mode: Mode) -> Result<Self> {
        let ours = (Path::new("cargo"), Path::new("rustc"));
        let debians = (Path::new("/usr/bin/cargo"), Path::new("/usr/bin/rustc"));
        let shipped = ask(ours.1, &["--print", "target-libdir", "--target", TARGET])
            .is_ok_and(|dir| Path::new(&dir).is_dir());

        if !(shipped && mode == Mode::Dev) {
            for (cargo, rustc) in [ours, debians] {
                let Ok(sysroot) = ask(rustc, &["--print", "sysroot"]) else {
                    continue;
                };
                let sysroot = Path::new(&sysroot);
                let sources = sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml");
                if let (true, Some(linker)) = (sources.is_file(), find_linker(sysroot)) {
                    return Self::new(cargo, rustc, Library::FromSource { linker });
                }
            }
        }
        if shipped {
            return Self::new(ours.0, ours.1, Library::Shipped);
        }
        bail!("no Rust here builds for {TARGET}: scripts/setup build installs what is missing")
    }

    fn new(cargo: &Path, rustc: &Path, library: Library) -> Result<Self> {
        let version = ask(rustc, &["--version"])?;
        Ok(Self { cargo: cargo.into(), rustc: rustc.into(), version, library })
    }

    /// For people, and for the fingerprint: another compiler makes another site.
    pub(crate) fn describe(&self) -> String {
        match self.library {
            Library::FromSource { .. } => {
                format!("{}, its standard library included", self.version)
            }
            Library::Shipped => self.version.clone(),
        }
    }

    /// Compiles `frontend`; returns the file.
    pub(crate) fn run(&self, paths: &Paths, mode: Mode) -> Result<PathBuf> {
        let profile = match mode {
            Mode::Dev => "wasm-dev",
            Mode::Release => "wasm-release",
        };
        // wasm-split works on the linker's relocations.
        let mut rustflags = String::from("-Clink-args=--emit-relocs");
        let mut cargo = without_cargos_own(Command::new(&self.cargo));
        cargo
            .args(["build", "--package", "frontend", "--lib", "--locked"])
            .args(["--target", TARGET, "--profile", profile, "--target-dir"])
            .arg(&paths.target)
            .current_dir(&paths.root)
            .env("RUSTC", &self.rustc);
        match &self.library {
            Library::FromSource { linker } => {
                cargo
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                    .arg("-Zbuild-std=std,panic_abort");
                if mode == Mode::Release {
                    cargo
                        .args(["-Zbuild-std-features=optimize_for_size", "-Zpanic-immediate-abort"])
                        .args(["--config", "profile.wasm-release.panic=\"immediate-abort\""]);
                    // `{:?}` writes nothing: no visitor reads it, and it is 4 kB on the wire.
                    rustflags.push_str(" -Zfmt-debug=none -Zlocation-detail=none");
                }
            }
            Library::Shipped => {
                cargo.args(["--config", &format!("profile.{profile}.panic=\"abort\"")]);
            }
        }
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", rustflags);

        let status = cargo.status().context("cargo could not be started")?;
        if !status.success() {
            bail!("the widgets do not compile for the browser");
        }
        Ok(paths.target.join(TARGET).join(profile).join("frontend.wasm"))
    }
}

/// LLVM's linker: rustup ships its own, Debian has a package for it.
fn find_linker(sysroot: &Path) -> Option<PathBuf> {
    let host = format!("lib/rustlib/{}-unknown-linux-gnu/bin/rust-lld", env::consts::ARCH);
    let shipped = sysroot.join(host);
    if shipped.is_file() {
        return Some(shipped);
    }
    let path = env::var_os("PATH")?;
    ["wasm-ld-22", "wasm-ld"]
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |dir| dir.join(name)))
        .find(|file| file.is_file())
}

/// What a command prints, without the line's end.
fn ask(program: &Path, args: &[&str]) -> Result<String> {
    let output = without_cargos_own(Command::new(program)).args(args).output()?;
    if !output.status.success() {
        bail!("{} {} failed", program.display(), args.join(" "));
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// `cargo run` tells its children which toolchain it is of; Debian's must not believe it.
fn without_cargos_own(mut command: Command) -> Command {
    for name in ["CARGO", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(name);
    }
    command
}
