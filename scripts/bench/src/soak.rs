//! Everything at once for ten minutes: requests of all kinds, streams that open and close, and
//! publications and withdrawals. Fails on errors of the server, and on memory that keeps growing.

mod editors;
mod visitors;

use std::time::Duration;

use anyhow::Result;
use tokio::time;

use crate::{
    budget::{Budget, Unit},
    chart::{Axis, Chart, Series},
    context::{Context, say},
    database::Database,
    load::Load,
    mixture::Mixture,
    report::Section,
    service::Service,
    soak::{editors::Editors, visitors::Visitors},
    statistics::{median, percentile},
    table::Row,
    trend,
};

const SECONDS: u64 = 600;
const CONNECTIONS: u64 = 8;
/// Maximum number of reports in the database at the start.
const MAX_ROWS: u64 = 100_000;

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let seconds = context.seconds(SECONDS);
    // A separate database, because the soak writes to it.
    let rows = context.sizes.rows.min(MAX_ROWS);
    let database = Database::fill(context, "soak", rows).await?;
    let editors = Editors::prepare(context, &database, seconds).await?;
    let service = Service::start(&database).await?;
    say(format!("Soaking for {seconds} seconds"));
    let visitors = Visitors::start(service.addr());
    let load = Load::start(Mixture::of(&service).await?, CONNECTIONS, u64::MAX);
    let mut editing = tokio::spawn(editors.edit());
    let mut record = Record::default();
    let mut turns = time::interval(Duration::from_secs(1));
    turns.tick().await;
    for second in 1..=seconds {
        turns.tick().await;
        record.add(second, service.process.resident()?, &load.tally.take_latencies());
        if editing.is_finished() {
            // Ends only if a command failed.
            (&mut editing).await??;
        }
    }
    editing.abort();
    let server_errors = load.tally.server_errors() + visitors.server_errors();
    let outcome = Outcome {
        requests: load.tally.answers(),
        streams: visitors.opened(),
        errors: server_errors + load.tally.broken(),
        growth: trend::growth(&record.sizes()),
    };
    Ok(section(seconds, rows, &record, &outcome))
}

/// Measurements, once per second.
#[derive(Default)]
struct Record {
    seconds: Vec<Second>,
}

struct Second {
    minutes: f64,
    /// Resident memory, MiB.
    size: f64,
    /// p50 and p99 of the latencies in this second, ms.
    latencies: [f64; 2],
}

impl Record {
    fn add(&mut self, second: u64, resident: f64, latencies: &[f64]) {
        self.seconds.push(Second {
            minutes: second as f64 / 60.0,
            size: resident / 1024.0,
            latencies: [0.5, 0.99].map(|share| percentile(latencies, share)),
        });
    }

    fn sizes(&self) -> Vec<f64> {
        self.seconds.iter().map(|second| second.size).collect()
    }

    fn middle(&self, value: impl Fn(&Second) -> f64) -> f64 {
        median(&self.seconds.iter().map(value).collect::<Vec<_>>())
    }

    fn points(&self, value: impl Fn(&Second) -> f64) -> Vec<(f64, f64)> {
        self.seconds.iter().map(|second| (second.minutes, value(second))).collect()
    }
}

struct Outcome {
    requests: u64,
    streams: u64,
    /// Number of responses with a status of 500 or more, and of broken connections.
    errors: u64,
    growth: f64,
}

fn section(seconds: u64, reports: u64, record: &Record, outcome: &Outcome) -> Section {
    let Outcome { requests, streams, errors, growth } = *outcome;
    let about = format!(
        "{seconds} seconds with {reports} reports to begin with: {requests} requests of all kinds from \
         {CONNECTIONS} connections, bad ones among them, {streams} streams that opened and closed, and reports \
         that were published and withdrawn each second. It fails on any error of the server, and if memory \
         keeps growing. {}",
        trend::RULE
    );
    let last = record.seconds.last().map_or(f64::NAN, |second| second.size);
    let rows = vec![
        Row::new("errors of the server", errors as f64, Unit::Errors, Budget::AtMost(0.0)),
        Row::new("memory at the end", last, Unit::Mebibytes, Budget::None),
        Row::new(
            "its growth from the second to the last quarter",
            growth,
            Unit::Times,
            Budget::AtMost(trend::TOLERANCE),
        ),
        Row::new(
            "latency, p50 of a second, median",
            record.middle(|second| second.latencies[0]),
            Unit::Milliseconds,
            Budget::None,
        ),
        Row::new(
            "latency, p99 of a second, median",
            record.middle(|second| second.latencies[1]),
            Unit::Milliseconds,
            Budget::None,
        ),
    ];
    let (charts, failures) = (charts(record), failures(outcome));
    Section { charts, failures, ..Section::new("Soak", about, rows) }
}

fn failures(outcome: &Outcome) -> Vec<String> {
    let mut failures = Vec::new();
    if outcome.errors > 0 {
        failures.push(format!("{} requests ended in an error of the server", outcome.errors));
    }
    // NaN fails as well.
    if outcome.growth.is_nan() || outcome.growth > trend::TOLERANCE {
        failures.push(format!("memory keeps growing: {:.2} ×", outcome.growth));
    }
    failures
}

fn charts(record: &Record) -> Vec<Chart> {
    let minutes = || Axis::counts("Time (minutes)");
    vec![
        Chart {
            name: "soak-memory".to_owned(),
            title: "Memory during the soak",
            x: minutes(),
            y: Axis::counts("Memory (MiB)"),
            series: vec![Series::new("svc", record.points(|second| second.size))],
            budget: None,
        },
        Chart {
            name: "soak-latency".to_owned(),
            title: "Latency during the soak",
            x: minutes(),
            y: Axis::powers("Latency in each second (ms)"),
            series: vec![
                Series::new("p50", record.points(|second| second.latencies[0])),
                Series::new("p99", record.points(|second| second.latencies[1])),
            ],
            budget: None,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(errors: u64, growth: f64) -> Outcome {
        Outcome { requests: 9, streams: 1, errors, growth }
    }

    #[test]
    fn a_soak_fails_on_errors_and_on_growth_alone() {
        assert!(failures(&outcome(0, 1.0)).is_empty());
        assert!(failures(&outcome(0, trend::TOLERANCE)).is_empty());
        assert_eq!(failures(&outcome(2, 1.0)), ["2 requests ended in an error of the server"]);
        assert_eq!(failures(&outcome(0, 1.2)), ["memory keeps growing: 1.20 ×"]);
        assert_eq!(failures(&outcome(0, f64::NAN)).len(), 1);
    }
}
