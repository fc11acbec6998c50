//! wasm-bindgen with the arguments that cargo-leptos gives it. The program on crates.io comes with a test
//! runner, which needs a web server and a client.

use std::path::PathBuf;

use clap::Parser;
use wasm_bindgen_cli_support::Bindgen;

/// Makes the JavaScript that loads a wasm module, for browsers.
#[derive(Parser)]
#[command(name = "wasm-bindgen", version)]
struct Args {
    input: PathBuf,
    /// Only `web` is supported.
    #[arg(long, value_parser = ["web"])]
    target: String,
    #[arg(long)]
    out_dir: PathBuf,
    #[arg(long)]
    out_name: String,
    #[arg(long)]
    debug: bool,
    #[arg(long)]
    keep_debug: bool,
    #[arg(long)]
    keep_lld_exports: bool,
    #[arg(long)]
    no_demangle: bool,
}

fn main() -> color_eyre::Result<()> {
    let args = Args::parse();
    let mut bindgen = Bindgen::new();
    bindgen
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .input_path(args.input)
                .out_name(&args.out_name)
                .debug(args.debug)
                .keep_debug(args.keep_debug)
                .keep_lld_exports(args.keep_lld_exports)
                .demangle(!args.no_demangle)
                .generate(args.out_dir)
        })
        .map_err(|error| color_eyre::eyre::eyre!(error))
}
