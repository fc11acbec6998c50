//! Sets `cfg(unsplit)` in builds without `cargo leptos … --split`, where all islands are in one module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unsplit)");
    // Link arguments of cargo-leptos for `--split`.
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if !flags.contains("--emit-relocs") {
        println!("cargo::rustc-cfg=unsplit");
    }
}
