//! The site is embedded from `target/site`, which the compiler does not see: tell it when to look
//! again.

fn main() {
    println!("cargo:rerun-if-changed=../target/site/manifest.json");
    println!("cargo:rerun-if-changed=../migrations");
}
