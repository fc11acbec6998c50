//! The compiler does not see which files the site and the migrations consist of, so cargo is told
//! here when to embed them again.

use std::{fs, io};

fn main() -> io::Result<()> {
    // Cargo would take a folder that is missing for one that has just changed.
    fs::create_dir_all("../target/site")?;
    println!("cargo:rerun-if-changed=../target/site");
    println!("cargo:rerun-if-changed=../migrations");
    Ok(())
}
