//! `svc demo`: made-up data.

use std::io;

use clap::Subcommand;

use super::Exit;
use crate::demo;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write realistic reports of ten years as CSV; the same for the same seed
    Csv {
        /// How many
        #[arg(long, value_name = "N")]
        rows: u64,
        /// Which of the possible files
        #[arg(long, value_name = "S")]
        seed: u64,
    },
}

pub(super) fn run(command: &Command) -> anyhow::Result<Exit> {
    let Command::Csv { rows, seed } = command;
    demo::write_csv(&mut io::stdout().lock(), *rows, *seed, demo::UNTIL)?;
    Ok(Exit::Done)
}
