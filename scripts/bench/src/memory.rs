//! Memory of the service when idle, and during millions of requests.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time;

use crate::{
    budget::{Budget, Unit, number},
    chart::{Axis, Chart, Series},
    context::{Context, say},
    load::Load,
    mixture::Mixture,
    report::Section,
    service::{self, Service},
    table::Row,
    trend,
};

const CONNECTIONS: u64 = 32;
const IDLE: f64 = 24.0;

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let database = context.database(context.sizes.rows).await?;
    say("Memory when idle");
    let process = service::start(&database, None).await?;
    time::sleep(Duration::from_secs(10)).await;
    let idle = process.resident()? / 1024.0;
    process.stop().await?;

    let requests = context.sizes.requests;
    let count = number(requests as f64);
    say(format!("Memory during {count} mixed requests"));
    let service = Service::start(&database).await?;
    let load = Load::start(Mixture::of(&service).await?, CONNECTIONS, requests);
    let start = Instant::now();
    // Millions of requests and MiB, once per second.
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

    let sizes: Vec<f64> = samples.iter().map(|(_, size)| *size).collect();
    let errors = load.tally.server_errors() + load.tally.broken();
    let rows = vec![
        Row::new(
            format!("memory when idle, {} reports", number(database.rows as f64)),
            idle,
            Unit::Mebibytes,
            Budget::AtMost(IDLE),
        ),
        Row::new(
            format!("memory after {count} mixed requests"),
            sizes.last().copied().unwrap_or(f64::NAN),
            Unit::Mebibytes,
            Budget::None,
        ),
        Row::new(
            "its growth from the second to the last quarter",
            trend::growth(&sizes),
            Unit::Times,
            Budget::AtMost(trend::TOLERANCE),
        ),
        Row::new(
            "errors of the server during the run",
            errors as f64,
            Unit::Errors,
            Budget::AtMost(0.0),
        ),
    ];
    let about = format!(
        "Idle means ten seconds after the start, without requests. The requests are those of the soak, from \
         {CONNECTIONS} connections. {}",
        trend::RULE
    );
    let chart = Chart {
        name: "memory".to_owned(),
        title: "Memory during mixed requests",
        x: Axis::counts("Requests (millions)"),
        y: Axis::counts("Memory (MiB)"),
        series: vec![Series::new("svc", samples)],
        budget: None,
    };
    Ok(Section { charts: vec![chart], ..Section::new("Memory", about, rows) })
}
