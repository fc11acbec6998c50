//! The `svc` binary: logging, then the command line.

use std::{io::IsTerminal, process::ExitCode};

use clap::Parser;
use tracing_subscriber::{layer::SubscriberExt, util::SubscriberInitExt};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = svc::cli::Cli::parse_from(svc::config::arguments());
    // To standard error: standard output belongs to what a command answers.
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    tracing_subscriber::registry().with(cli.log_filter()).with(lines).init();
    svc::cli::run(cli).await
}
