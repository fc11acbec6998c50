//! cargo-leptos as it is, except for what `left-out/` leaves out.

use cargo_leptos::{config::Cli, logger, run};
use clap::Parser;

#[tokio::main]
async fn main() -> color_eyre::Result<()> {
    color_eyre::install()?;
    // Called as `cargo leptos`, its first argument is "leptos".
    let mut args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|arg| arg == "leptos") {
        args.remove(1);
    }
    let args = Cli::parse_from(args);
    logger::setup(args.opts().map_or(0, |opts| opts.verbose), &args.log);
    run(args).await
}
