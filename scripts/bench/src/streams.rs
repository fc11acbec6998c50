//! Open streams: memory per stream, delay of the ticks, and time until all streams are back after a
//! restart.

mod crowd;
mod follow;
mod many;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tokio::time;

pub(crate) use self::many::Followers;
use crate::{
    budget::{Budget, Unit, number},
    chart::{Axis, Chart, Series},
    client::Connection,
    context::{Context, say},
    database::Database,
    nginx,
    process::Process,
    report::Section,
    service,
    statistics::percentile,
    streams::{crowd::Crowd, follow::Target},
    table::Row,
};

/// Interval of ticks, as documented in the API.
const TICK: Duration = Duration::from_secs(5);
/// Timeout until all streams are open, or open again.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Budget of each stream, KiB.
const MEMORY: f64 = 2.0;
const LATENESS: f64 = 50.0;

const ABOUT: &str = "Streams are opened over five seconds, twenty from each address of 127.0.0.0/8, and stay open. \
    Memory is what the process has gained since before the first, divided by their number. Ticks are due \
    every five seconds after a stream's first; lateness is how far from that they arrive at the clients, \
    which are one thread on the same machine. nginx has one worker with nchan, and publishes an event of the \
    same size every five seconds. For the restart the process is killed and started again, and all clients \
    connect at once when it serves. The largest number of streams is opened over 25 seconds; where a process \
    may not have as many open files, there are several nodes on one database, and as many processes of clients.";

/// Measurements with `count` open streams.
struct Step {
    count: u32,
    /// Memory per stream, KiB.
    memory: f64,
    /// p99 of the delay, ms.
    lateness: f64,
}

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let database = context.database(context.sizes.rows).await?;
    let process = service::start(&database, None).await?;
    let event = first_event(&process).await?;
    say("Streams of svc");
    let mut crowd = Crowd::new(Target::svc(process.addr));
    let own = grow(context, &mut crowd, || process.resident()).await?;
    let restart = restart(&database, process, &crowd).await?;
    drop(crowd);
    let many = many::measure(context, &database).await?;

    say("Streams of nginx with nchan");
    let nginx = nginx::nchan(context).await?;
    let mut crowd =
        Crowd::new(Target { addr: nginx.addr, path: "/stream", live_on: b"HTTP/1.1 200" });
    let publishing = tokio::spawn(publish(nginx.addr, event));
    let nchan = grow(context, &mut crowd, || nginx.resident_of_worker()).await;
    publishing.abort();
    let nchan = nchan?;
    nginx.stop().await?;

    let (last, last_of_nchan) = (own.last(), nchan.last());
    let (last, last_of_nchan) = last.zip(last_of_nchan).context("no step was measured")?;
    let count = number(last.count.into());
    let mut rows = vec![
        Row::new(
            format!("memory of each of {count} streams"),
            last.memory,
            Unit::Kibibytes,
            Budget::AtMost(MEMORY),
        )
        .against("nginx + nchan", last_of_nchan.memory, last.memory / last_of_nchan.memory),
        Row::new(
            format!("lateness of ticks, {count} streams, p99"),
            last.lateness,
            Unit::Milliseconds,
            Budget::AtMost(LATENESS),
        ),
        Row::new(
            format!("{count} streams back after a restart"),
            restart.took.as_secs_f64(),
            Unit::Seconds,
            Budget::AtMost(5.0),
        ),
        Row::new("other errors than 429", restart.errors as f64, Unit::Errors, Budget::AtMost(0.0)),
    ];
    rows.splice(2..2, many);
    let charts = vec![memory_chart(&own, &nchan), lateness_chart(&own)];
    Ok(Section { charts, ..Section::new("Streams", ABOUT, rows) })
}

/// Opens more and more streams, and measures at certain numbers of them.
async fn grow(
    context: &Context,
    crowd: &mut Crowd,
    resident: impl Fn() -> Result<f64>,
) -> Result<Vec<Step>> {
    let before = resident()?;
    let mut steps = Vec::new();
    for count in numbers(context.sizes.streams) {
        crowd.open(count, TICK).await;
        crowd.all_live(TIMEOUT).await?;
        // After one tick, delays caused by opening the streams are over.
        time::sleep(TICK).await;
        crowd.take_lateness();
        time::sleep(Duration::from_secs(context.seconds(20))).await;
        let lateness = crowd.take_lateness();
        let errors = crowd.errors();
        ensure!(errors.is_empty(), "streams failed: {errors:?}");
        let memory = (resident()? - before) / f64::from(count);
        let lateness = percentile(&lateness, 0.99);
        say(format!("{count} streams: {memory:.2} KiB each, late by {lateness:.1} ms at p99"));
        steps.push(Step { count, memory, lateness });
    }
    Ok(steps)
}

/// Numbers of streams, from 1,000 up to `most`.
fn numbers(most: u32) -> Vec<u32> {
    let below = [1_000, 2_500, 5_000, 10_000].into_iter().filter(|number| *number < most);
    below.chain([most]).collect()
}

struct Restart {
    took: Duration,
    errors: u64,
}

async fn restart(database: &Database, process: Process, crowd: &Crowd) -> Result<Restart> {
    say("Restarting svc");
    let addr = process.addr;
    process.kill().await?;
    crowd.all_lost(TIMEOUT).await?;
    let process = service::start(database, Some(addr)).await?;
    let start = Instant::now();
    crowd.come_back();
    crowd.all_live(TIMEOUT).await?;
    let took = start.elapsed();
    let (refusals, errors) = (crowd.refusals(), crowd.errors());
    say(format!("All are back after {took:.2?}; {refusals} refusals, errors {errors:?}"));
    process.stop().await?;
    Ok(Restart { took, errors: errors.values().sum() })
}

/// The event that the service sends at a tick.
async fn first_event(process: &Process) -> Result<String> {
    let mut connection = Connection::open(process.addr).await?;
    let metrics = connection.get("/api/v1/metrics", &[]).await?;
    let reports = connection.get("/api/v1/reports", &[]).await?;
    let data = [metrics.body, reports.body].concat();
    Ok(String::from_utf8(data)?)
}

/// Publishes `event` at every tick.
async fn publish(addr: std::net::SocketAddr, event: String) -> Result<()> {
    let event = serde_json::Value::String(event);
    let mut ticks = time::interval(TICK);
    loop {
        ticks.tick().await;
        let mut connection = Connection::open(addr).await?;
        connection.post("/publish", "", &event).await?;
    }
}

fn memory_chart(own: &[Step], nchan: &[Step]) -> Chart {
    let points =
        |steps: &[Step]| steps.iter().map(|step| (f64::from(step.count), step.memory)).collect();
    Chart {
        name: "streams-memory".to_owned(),
        title: "Memory of an open stream",
        x: Axis::counts("Open streams"),
        y: Axis::counts("Memory of each (KiB)"),
        series: vec![Series::new("svc", points(own)), Series::new("nginx + nchan", points(nchan))],
        budget: Some(MEMORY),
    }
}

fn lateness_chart(own: &[Step]) -> Chart {
    let points = own.iter().map(|step| (f64::from(step.count), step.lateness)).collect();
    Chart {
        name: "streams-lateness".to_owned(),
        title: "How late ticks come",
        x: Axis::counts("Open streams"),
        y: Axis::counts("Lateness, p99 (ms)"),
        series: vec![Series::new("svc", points)],
        budget: Some(LATENESS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_the_one_asked_for() {
        assert_eq!(numbers(15_000), [1_000, 2_500, 5_000, 10_000, 15_000]);
        assert_eq!(numbers(2_500), [1_000, 2_500]);
        assert_eq!(numbers(300), [300]);
    }
}
