//! Decisions that nodes share through Redis, here on the same machine.

use std::{process::Stdio, time::Instant};

use anyhow::{Context as _, Result};
use base::clock::Clock;
use futures_util::{StreamExt, stream};
use limits::{Limits, Quota, RedisLimits};
use tokio::{
    process::Command,
    time::{Duration, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::distinct;
use crate::{
    budget::{Budget, Unit},
    context::{Context, say},
    table::Row,
};

const ONE_BY_ONE: u32 = 20_000;
const AT_ONCE: u32 = 200_000;
/// Number of concurrent requests to Redis.
const CONCURRENCY: usize = 64;
/// Timeout for the start of Redis.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(super) async fn measure(context: &Context) -> Result<Vec<Row>> {
    say("The limiter, shared through Redis");
    let socket = context.folder().join("redis.sock");
    let _redis = Command::new("redis-server")
        .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
        .arg(&socket)
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("redis-server does not start")?;
    timeout(TIMEOUT, async {
        while !socket.exists() {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await?;
    // A long timeout, so that the measurement includes slow responses.
    let url = format!("unix://{}?timeout_ms=10000", socket.display());
    let (sharing, watcher) = RedisLimits::start(&url.parse()?, Clock::system()).await?;
    let stopping = CancellationToken::new();
    let watching = tokio::spawn(watcher.run(stopping.clone()));
    let limits = &Limits::shared(Clock::system(), sharing);
    let start = Instant::now();
    for number in 0..ONE_BY_ONE {
        limits.take(distinct(number), &Quota::PUBLIC).await;
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / f64::from(ONE_BY_ONE);
    let start = Instant::now();
    let decisions = stream::iter(0..AT_ONCE)
        .map(|number| limits.take(distinct(number % 20_000), &Quota::PUBLIC));
    decisions.buffer_unordered(CONCURRENCY).count().await;
    let rate = f64::from(AT_ONCE) / start.elapsed().as_secs_f64();
    stopping.cancel();
    watching.await?;
    let row = |work, figure, unit| Row::new(work, figure, unit, Budget::None);
    Ok(vec![
        row("a decision shared through Redis, one after the other", each, Unit::Milliseconds),
        row("decisions shared through Redis, 64 at once", rate, Unit::PerSecond),
    ])
}
