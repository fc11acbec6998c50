//! Many endpoints, most of which are not well.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time;

use super::{EVENTS, receiver::Receiver, served, subscribed};
use crate::{
    budget::{Budget, Unit},
    context::{Context, say},
    database::{Database, Made},
    table::Row,
};

/// Nobody listens there, so that connections are refused.
const DEAD_URL: &str = "http://127.0.0.1:9/";
const DEAD: usize = 1_000;
const HANGING: u64 = 100;
const HEALTHY: u64 = 10;
/// Reports that are published before the service starts.
const REPORTS: u64 = 50_000;
/// How much longer it may take among the others.
const SLOWER: f64 = 2.0;
/// How long all may take to arrive.
const PATIENCE: Duration = Duration::from_secs(1_200);

/// Reports whose events wait for an endpoint that is paused, and how long that is watched.
const WAITING: u64 = 500_000;
const WATCHED: Duration = Duration::from_secs(30);
/// Processor time in that time beyond that of a service without subscriptions, ms: one hundredth of a core.
const IDLE: f64 = 300.0;

/// Endpoints that respond slowly, and how slowly.
const SLOW: u64 = 1_000;
const SLOWNESS: Duration = Duration::from_millis(1_500);
const GROWTH: f64 = 1.1;

pub(super) async fn measure(context: &Context) -> Result<Vec<Row>> {
    Ok(vec![fairness(context).await?, waiting(context).await?, memory(context).await?])
}

/// Publishes reports while the service is stopped.
async fn publish(context: &Context, database: &Database, rows: u64) -> Result<()> {
    database.import(context, &Made { rows, seed: 1, mode: Some("--approve") }).await?;
    Ok(())
}

async fn fairness(context: &Context) -> Result<Row> {
    say("Healthy endpoints by themselves, and among dead and hanging ones");
    let alone = until_healthy(context, 0).await?;
    let among = until_healthy(context, 1).await?;
    let work = "100,000 events to 10 endpoints among 1,000 dead and 100 hanging ones";
    let row = Row::new(work, among, Unit::Seconds, Budget::RatioAtMost(SLOWER));
    Ok(row.against("by themselves", alone, among / alone))
}

/// Seconds until the healthy endpoints have everything. `crowds`: how many times the others are there.
async fn until_healthy(context: &Context, crowds: usize) -> Result<f64> {
    let healthy = Receiver::listen().await?;
    let hanging = Receiver::responding_after(PATIENCE).await?;
    let mut urls = vec![DEAD_URL.to_owned(); DEAD * crowds];
    urls.extend(hanging.urls(HANGING * crowds as u64));
    urls.extend(healthy.urls(HEALTHY));
    let database = subscribed(context, "crowd", &urls).await?;
    publish(context, &database, REPORTS).await?;
    let start = Instant::now();
    let process = served(&database).await?;
    let end = healthy.until(HEALTHY * REPORTS * EVENTS, PATIENCE).await?;
    process.kill().await?;
    database.remove()?;
    Ok((end - start).as_secs_f64())
}

async fn waiting(context: &Context) -> Result<Row> {
    say("A million events behind an endpoint that is paused");
    let [paused, none] = [
        processor_time(context, &[DEAD_URL.to_owned()]).await?,
        processor_time(context, &[]).await?,
    ];
    let work = "processor time in 30 s while a million events wait for a paused endpoint";
    let row = Row::new(work, paused, Unit::Milliseconds, Budget::AtMost(none + IDLE));
    Ok(row.against("without subscriptions", none, paused / none))
}

/// Milliseconds of processor time that a service uses while nothing happens.
async fn processor_time(context: &Context, urls: &[String]) -> Result<f64> {
    let database = subscribed(context, "waiting", urls).await?;
    publish(context, &database, WAITING).await?;
    let process = served(&database).await?;
    // By then the pauses are minutes long.
    time::sleep(Duration::from_secs(60)).await;
    let before = process.processor_time()?;
    time::sleep(WATCHED).await;
    let used = process.processor_time()? - before;
    process.stop().await?;
    database.remove()?;
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
