//! Measures the budgets: `make bench`, or parts of it by name:
//!
//! ```sh
//! cargo run --release --package bench -- requests streams --rows 100000 --streams 1000 --rounds 1
//! ```
//!
//! Machines differ, and measurements are noisy. Comparable programs are therefore measured
//! alternately in the same run: read the ratios first. The service is the release binary in a
//! separate process, and so are the programs that it is compared with.
//!
//! Each part returns a [`report::Section`]: rows of the table, and charts. A missed budget is only
//! marked. Only the soak can fail, because it is a test.

mod adversarial;
mod bare;
mod budget;
mod chart;
mod client;
mod context;
mod database;
mod downloads;
mod engine;
mod event_log;
mod growth;
mod instead;
mod limiter;
mod load;
mod machine;
mod memory;
mod mixture;
mod nginx;
mod nodes;
mod novelties;
mod plain;
mod process;
mod questions;
mod report;
mod requests;
mod service;
mod soak;
mod statistics;
mod streams;
mod table;
mod trend;
mod uncached;
mod webhooks;
mod wrk;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

use crate::{
    context::{Context, Sizes},
    engine::Engine,
    report::{Report, Section},
};

/// Measures the performance of svc, compared with other servers in the same run.
#[derive(Debug, Parser)]
#[command(name = "bench", args_conflicts_with_subcommands = true)]
struct Cli {
    /// Parts to measure; everything but the soak by default
    parts: Vec<Part>,
    #[command(flatten)]
    sizes: Sizes,
    /// Output folder of performance.md and its charts
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    docs: PathBuf,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve one file from a bare axum handler, for comparison
    #[command(hide = true)]
    Bare(bare::Bare),
    /// Follow streams, in a process of its own
    #[command(hide = true)]
    Follow(streams::Followers),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Requests per second, compared with bare axum and nginx
    Requests,
    /// Processor time of pages and pictures that are in no cache
    Uncached,
    /// Open streams, compared with nginx with nchan, and all of them reconnecting at once
    Streams,
    /// Memory when idle, and after millions of requests
    Memory,
    /// Reads, imports and start-up with a growing number of reports
    Growth,
    /// Reads of worst-case data, with the largest number of reports of `growth`
    Adversarial,
    /// Downloads of all reports, with the largest number of reports of `growth`
    Downloads,
    /// Deliveries to a local receiver
    Webhooks,
    /// Publications by several nodes at once
    Nodes,
    /// Reads and pruning of a long log of events
    EventLog,
    /// Decisions of the rate limiter
    Limiter,
    /// Everything at once for ten minutes; fails on server errors and on growing memory
    Soak,
}

impl Part {
    /// The limiter comes first: it is measured in this process, whose memory must not have been
    /// used before.
    const BENCH: [Self; 11] = [
        Self::Limiter,
        Self::Requests,
        Self::Uncached,
        Self::Streams,
        Self::Memory,
        Self::Growth,
        Self::Adversarial,
        Self::Downloads,
        Self::Webhooks,
        Self::Nodes,
        Self::EventLog,
    ];

    /// Whether the part is measured on each engine.
    fn depends_on_engine(self) -> bool {
        matches!(
            self,
            Self::Growth | Self::Adversarial | Self::Downloads | Self::Webhooks | Self::Nodes
        )
    }

    async fn measure(self, context: &Context) -> Result<Section> {
        match self {
            Self::Requests => requests::measure(context).await,
            Self::Uncached => uncached::measure(context).await,
            Self::Streams => streams::measure(context).await,
            Self::Memory => memory::measure(context).await,
            Self::Growth => growth::measure(context).await,
            Self::Adversarial => adversarial::measure(context).await,
            Self::Downloads => downloads::measure(context).await,
            Self::Webhooks => webhooks::measure(context).await,
            Self::Nodes => nodes::measure(context).await,
            Self::EventLog => event_log::measure(context).await,
            Self::Limiter => limiter::measure(context).await,
            Self::Soak => soak::measure(context).await,
        }
    }
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    // The load comes from one thread, which leaves the other core to the service.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match cli.command {
        Some(Command::Bare(bare)) => return tokio::runtime::Runtime::new()?.block_on(bare.serve()),
        Some(Command::Follow(followers)) => {
            runtime.block_on(followers.follow())?;
            return Ok(ExitCode::SUCCESS);
        }
        None => {}
    }
    runtime.block_on(async {
        tokio::select! {
            failed = run(cli) => failed,
            // Returning drops the databases and ends the processes.
            interrupted = tokio::signal::ctrl_c() => {
                interrupted?;
                anyhow::bail!("interrupted")
            }
        }
    })
}

async fn run(cli: Cli) -> Result<ExitCode> {
    rlimit::increase_nofile_limit(u64::MAX)?;
    let parts = if cli.parts.is_empty() { Part::BENCH.to_vec() } else { cli.parts };
    let context = Context::new(cli.sizes)?;
    let mut lines = machine::described().await?;
    lines.push(context.sizes.described());
    let mut report = Report::new(lines);
    for part in parts {
        let engines = match part.depends_on_engine() {
            true => context.sizes.engines.as_slice(),
            false => &[Engine::Sqlite],
        };
        for engine in engines {
            context.use_engine(*engine);
            let section = part.measure(&context).await?;
            println!("\n{}", table::text(&section.rows));
            report.sections.push(section);
            // Written after each part, so that a later failure does not lose the results.
            let written = report.write(&cli.docs)?;
            println!("Written: {}", written.display());
        }
    }
    let failures: Vec<&str> =
        report.sections.iter().flat_map(|section| &section.failures).map(String::as_str).collect();
    for failure in &failures {
        eprintln!("Failed: {failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
