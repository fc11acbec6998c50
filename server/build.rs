//! The compiler does not see which files the migrations and the embedded site consist of, so this
//! script names them, and cargo recompiles after a change. Relocations of the binary are packed.

use std::{env, fs, io, process::Command};

fn main() -> io::Result<()> {
    if env::var_os("CARGO_FEATURE_EMBED_SITE").is_some() {
        // Cargo would take a folder that is missing for one that has just changed.
        fs::create_dir_all("../target/site")?;
        println!("cargo:rerun-if-changed=../target/site");
    }
    println!("cargo:rerun-if-changed=../migrations");
    if can_unpack_relocations() {
        println!("cargo:rustc-link-arg-bin=svc=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// Whether the binary can apply packed relocations (`DT_RELR`) when it starts. Otherwise, they take
/// 2.5 MB of the binary, all of which is read at every start. glibc 2.36 can; a static binary
/// contains the library of this machine, others need one that is not older.
fn can_unpack_relocations() -> bool {
    let [os, libc] = ["CARGO_CFG_TARGET_OS", "CARGO_CFG_TARGET_ENV"].map(env::var);
    if (os.as_deref(), libc.as_deref()) != (Ok("linux"), Ok("gnu")) {
        return false;
    }
    let Ok(output) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let version = String::from_utf8_lossy(&output.stdout);
    let minor = version.trim().strip_prefix("glibc 2.").and_then(|minor| minor.parse().ok());
    minor.is_some_and(|minor: u32| minor >= 36)
}
