//! `svc demo`: made-up data.

use std::io;

use clap::Subcommand;

use super::Exit;
use crate::demo;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write ten years of realistic reports as CSV; the same number and seed give the same file
    #[command(after_help = "Example: svc demo csv --rows 1000")]
    Csv {
        /// Number of reports
        #[arg(long, value_name = "N")]
        rows: u64,
        /// Seed of the random numbers; another seed gives other reports, with other ids
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
    },
}

pub(super) fn run(command: &Command) -> anyhow::Result<Exit> {
    let Command::Csv { rows, seed } = command;
    demo::write_csv(&mut io::stdout().lock(), *rows, *seed, demo::UNTIL)?;
    Ok(Exit::Done)
}
