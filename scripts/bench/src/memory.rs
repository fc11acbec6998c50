//! Memory of the service when idle, and during millions of requests.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use tokio::{process::Command, time};

use crate::{
    budget::{Budget, Unit, number},
    chart::{Axis, Chart, Series},
    context::{Context, say},
    load::{Load, Requests},
    mixture::Mixture,
    novelties::Novelties,
    report::Section,
    service::{self, Service},
    table::Row,
    trend,
};

const CONNECTIONS: u64 = 32;
/// Budget, MiB.
const IDLE: f64 = 20.0;
/// Budget of the growth during a run.
const GROWTH: f64 = 1.05;
/// Millions of requests that are always new after which memory must not grow.
const SETTLED: f64 = 2.0;
/// Budget of the machine code, MB.
const TEXT: f64 = 24.0;

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let database = context.database(context.sizes.rows).await?;
    say("Memory when idle");
    let process = service::start(&database, None).await?;
    time::sleep(Duration::from_secs(10)).await;
    let (idle, own) = (process.resident()? / 1024.0, process.anonymous()? / 1024.0);
    process.stop().await?;

    let (requests, new) = (context.sizes.requests, context.sizes.new_requests);
    let [count, new_count] = [requests, new].map(|count| number(count as f64));
    say(format!("Memory during {count} mixed requests"));
    let service = Service::start(&database).await?;
    let mixed = run(&service, Mixture::of(&service).await?, requests).await?;
    service.process.stop().await?;
    say(format!("Memory during {new_count} requests that are always new"));
    let service = Service::start(&database).await?;
    let always_new = run(&service, Novelties::of(&service).await?, new).await?;
    service.process.stop().await?;

    let rows = vec![
        Row::new(
            "machine code of the binary (`.text`)",
            text(&context.sizes.svc).await?,
            Unit::Megabytes,
            Budget::AtMost(TEXT),
        ),
        Row::new(
            format!("memory when idle, {} reports", number(database.rows as f64)),
            idle,
            Unit::Mebibytes,
            Budget::AtMost(IDLE),
        ),
        Row::new("of that, not pages of the binary", own, Unit::Mebibytes, Budget::None),
        mixed.row(format!("memory after {count} mixed requests")),
        mixed.growth(0.0),
        always_new.row(format!("memory after {new_count} requests that are always new")),
        always_new.growth(SETTLED),
        Row::new(
            "errors of the server during both runs",
            (mixed.errors + always_new.errors) as f64,
            Unit::Errors,
            Budget::AtMost(0.0),
        ),
    ];
    let about = format!(
        "Idle means ten seconds after the start, without requests. Linux counts pages of the binary as memory of the \
         process, in groups of 64 KiB around each page that was used. The mixed requests are those of the soak, from \
         {CONNECTIONS} connections. Of the others, no two are alike: places, paths, keys, headers and addresses of \
         clients are random. {} Its budgets are lower here.",
        trend::RULE
    );
    let chart = Chart {
        name: "memory".to_owned(),
        title: "Memory during requests",
        x: Axis::counts("Requests (millions)"),
        y: Axis::counts("Memory (MiB)"),
        series: vec![
            Series::new("mixed", mixed.samples),
            Series::new("always new", always_new.samples),
        ],
        budget: None,
    };
    Ok(Section { charts: vec![chart], ..Section::new("Memory", about, rows) })
}

struct Run {
    /// Millions of requests and MiB, once per second.
    samples: Vec<(f64, f64)>,
    errors: u64,
}

impl Run {
    /// Row for the size at the end.
    fn row(&self, name: String) -> Row {
        let last = self.samples.last().map_or(f64::NAN, |(_, size)| *size);
        Row::new(name, last, Unit::Mebibytes, Budget::None)
    }

    /// Row for the growth after this many million requests.
    fn growth(&self, after: f64) -> Row {
        let late = self.samples.iter().filter(|(millions, _)| *millions >= after);
        let sizes: Vec<f64> = late.map(|(_, size)| *size).collect();
        let since =
            if after > 0.0 { format!(" of what follows {after} million") } else { String::new() };
        Row::new(
            format!("its growth from the second to the last quarter{since}"),
            trend::growth(&sizes),
            Unit::Times,
            Budget::AtMost(GROWTH),
        )
    }
}

/// Size of the machine code, MB.
async fn text(binary: &Path) -> Result<f64> {
    let output = Command::new("size").args(["--format=sysv"]).arg(binary).output().await?;
    let sections = String::from_utf8(output.stdout)?;
    let section = sections.lines().find_map(|line| line.strip_prefix(".text "));
    let size = section.and_then(|rest| rest.split_whitespace().next()).context("no .text")?;
    Ok(size.parse::<f64>()? / 1e6)
}

/// Sends requests, and records the memory of the service.
async fn run(service: &Service, source: impl Requests, requests: u64) -> Result<Run> {
    let load = Load::start(source, CONNECTIONS, requests);
    let start = Instant::now();
    let mut samples = Vec::new();
    let mut looks = time::interval(Duration::from_secs(1));
    while load.tally.answers() < requests {
        looks.tick().await;
        let millions = load.tally.answers() as f64 / 1e6;
        samples.push((millions, service.process.resident()? / 1024.0));
        load.tally.take_latencies();
    }
    let rate = load.tally.answers() as f64 / start.elapsed().as_secs_f64();
    say(format!("{rate:.0} requests a second"));
    Ok(Run { samples, errors: load.tally.server_errors() + load.tally.broken() })
}
