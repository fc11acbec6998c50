//! The `svc` binary: logging, then the command line.

use std::process::ExitCode;

use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = svc::cli::Cli::parse_from(svc::config::arguments());
    cli.start_log();
    svc::cli::run(cli).await
}
