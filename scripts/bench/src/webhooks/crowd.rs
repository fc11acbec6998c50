//! Many endpoints, most of which fail or are slow.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time;

use super::{EVENTS, receiver::Receiver, served, subscribe, subscribed};
use crate::{
    budget::{Budget, Unit},
    context::{Context, say},
    database::{Database, Made},
    table::Row,
};

/// Nothing listens on this port, so connections are refused.
const DEAD_URL: &str = "http://127.0.0.1:9/";
const DEAD: usize = 1_000;
const HANGING: u64 = 100;
const HEALTHY: u64 = 10;
/// Number of reports published before the service starts.
const REPORTS: u64 = 50_000;
/// Budget: maximum ratio of the time among failing endpoints to the time without them.
const SLOWER: f64 = 2.0;
/// Timeout until all events have arrived.
const TIMEOUT: Duration = Duration::from_secs(1_200);

/// Number of reports whose events wait for a paused endpoint, and duration of the measurement.
const WAITING: u64 = 500_000;
const WATCHED: Duration = Duration::from_secs(30);
/// Budget: additional processor time within [`WATCHED`] for one subscription without pending
/// events, compared with a service without subscriptions, ms: one hundredth of a core.
const IDLE: f64 = 300.0;
/// Budget: maximum ratio of that processor time if a million events wait.
const AS_IDLE: f64 = 1.25;

/// Number of slow endpoints, and their response time.
const SLOW: u64 = 1_000;
const SLOWNESS: Duration = Duration::from_millis(1_500);
const GROWTH: f64 = 1.1;

pub(super) async fn measure(context: &Context) -> Result<Vec<Row>> {
    let mut rows = vec![fairness(context).await?];
    rows.extend(waiting(context).await?);
    rows.push(memory(context).await?);
    Ok(rows)
}

/// Publishes reports while the service is stopped.
async fn publish(context: &Context, database: &Database, rows: u64) -> Result<()> {
    database.import(context, &Made { rows, seed: 1, mode: Some("--approve") }).await?;
    Ok(())
}

async fn fairness(context: &Context) -> Result<Row> {
    say("Healthy endpoints alone, and among dead and hanging ones");
    let alone = until_healthy(context, 0).await?;
    let among = until_healthy(context, 1).await?;
    let work = "100,000 events to 10 endpoints among 1,000 dead and 100 hanging ones";
    let row = Row::new(work, among, Unit::Seconds, Budget::RatioAtMost(SLOWER));
    Ok(row.against("alone", alone, among / alone))
}

/// Seconds until the healthy endpoints have received everything. `crowds` is the number of copies
/// of the failing endpoints.
async fn until_healthy(context: &Context, crowds: usize) -> Result<f64> {
    let healthy = Receiver::listen().await?;
    let hanging = Receiver::responding_after(TIMEOUT).await?;
    let mut urls = vec![DEAD_URL.to_owned(); DEAD * crowds];
    urls.extend(hanging.urls(HANGING * crowds as u64));
    urls.extend(healthy.urls(HEALTHY));
    let database = subscribed(context, "crowd", &urls).await?;
    publish(context, &database, REPORTS).await?;
    let start = Instant::now();
    let process = served(&database).await?;
    let end = healthy.until(HEALTHY * REPORTS * EVENTS, TIMEOUT).await?;
    process.kill().await?;
    database.remove()?;
    Ok((end - start).as_secs_f64())
}

async fn waiting(context: &Context) -> Result<[Row; 2]> {
    say("A million events behind an endpoint that is paused");
    let dead = [DEAD_URL.to_owned()];
    let paused = subscribed(context, "paused", &dead).await?;
    publish(context, &paused, WAITING).await?;
    let idle = subscribed(context, "idle", &[]).await?;
    publish(context, &idle, WAITING).await?;
    subscribe(&idle, &dead).await?;
    let none = subscribed(context, "none", &[]).await?;
    publish(context, &none, WAITING).await?;
    let [paused, idle, none] = processor_times([paused, idle, none]).await?;
    let row = |work: &str, figure, budget| {
        let work = format!("processor time in 30 s {work}");
        Row::new(work, figure, Unit::Milliseconds, budget)
    };
    let paused_row = row(
        "while a million events wait for a paused endpoint",
        paused,
        Budget::RatioAtMost(AS_IDLE),
    );
    let idle_row =
        row("with a subscription that has everything", idle, Budget::AtMost(none + IDLE));
    Ok([
        paused_row.against("with one that has everything", idle, paused / idle),
        idle_row.against("without subscriptions", none, idle / none),
    ])
}

/// Processor time in milliseconds of concurrent services while nothing happens.
async fn processor_times<const N: usize>(databases: [Database; N]) -> Result<[f64; N]> {
    let mut processes = Vec::new();
    for database in &databases {
        processes.push(served(database).await?);
    }
    // By then, the endpoints are paused for minutes.
    time::sleep(Duration::from_secs(60)).await;
    let mut used = [0.0; N];
    for (used, process) in used.iter_mut().zip(&processes) {
        *used = -process.processor_time()?;
    }
    time::sleep(WATCHED).await;
    for (used, process) in used.iter_mut().zip(&processes) {
        *used += process.processor_time()?;
    }
    for process in processes {
        process.stop().await?;
    }
    for database in databases {
        database.remove()?;
    }
    Ok(used)
}

async fn memory(context: &Context) -> Result<Row> {
    say("Memory with a thousand slow endpoints");
    let slow = Receiver::responding_after(SLOWNESS).await?;
    let database = subscribed(context, "slow", &slow.urls(SLOW)).await?;
    publish(context, &database, REPORTS).await?;
    let process = served(&database).await?;
    let mut sizes = Vec::new();
    for _ in 0..2 {
        time::sleep(Duration::from_secs(45)).await;
        sizes.push(process.resident()? / 1024.0);
    }
    process.kill().await?;
    database.remove()?;
    let [first, last] = [sizes[0], sizes[1]];
    let work = "memory after 90 s with 1,000 slow endpoints";
    let row = Row::new(work, last, Unit::Mebibytes, Budget::RatioAtMost(GROWTH));
    Ok(row.against("after 45 s", first, last / first))
}
