//! The `svc` binary: settings, logging, then the command line.

use std::process::ExitCode;

use svc::{
    cli::{self, Invocation},
    config,
};

#[tokio::main]
async fn main() -> ExitCode {
    let invocation = match Invocation::read(config::arguments()) {
        Ok(invocation) => invocation,
        Err(refused) => refused.exit(),
    };
    let log = invocation.cli.start_log();
    cli::run(invocation, log).await
}
