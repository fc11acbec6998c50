//! The compiler does not see which files the migrations and the embedded site consist of, so this
//! script names them, and cargo recompiles after a change.

use std::{env, fs, io};

fn main() -> io::Result<()> {
    if env::var_os("CARGO_FEATURE_EMBED_SITE").is_some() {
        // Cargo would take a folder that is missing for one that has just changed.
        fs::create_dir_all("../target/site")?;
        println!("cargo:rerun-if-changed=../target/site");
    }
    println!("cargo:rerun-if-changed=../migrations");
    Ok(())
}
