//! Maintains the connection to Redis: sends heartbeats of this node, detects when Redis is away and back, and reports
//! the requests that Redis has missed.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures_util::future::join_all;
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{super::WINDOW, Client, RedisLimits, connection::Connection, micros};

/// Interval between heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// Time after its last heartbeat for which a node counts.
const COUNTED: Duration = Duration::from_secs(10);
/// Time without a heartbeat after which a node was probably killed: its streams have reconnected elsewhere by then.
const SILENCE: Duration = Duration::from_millis(2_500);
/// Time for which Redis remembers a node: longer than a [`WINDOW`]. If Redis does not remember a node that has
/// something to report, Redis has lost its data.
const REMEMBERED: Duration = Duration::from_secs(70);
/// Interval between attempts while Redis is away.
const RETRY: Duration = Duration::from_millis(250);
/// Time without a reply after which a new connection is opened.
const REPLY_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum number of requests that are reported at once.
const REPORTED_AT_ONCE: usize = 1_000;

/// The worker behind a [`RedisLimits`].
#[derive(Debug)]
pub struct Heartbeat {
    redis: RedisLimits,
    connection: Option<Connection>,
    away_since: Option<Instant>,
}

/// Reply of Redis to a heartbeat: whether the node was remembered, the number of nodes, and the names of those that
/// are silent.
type Reply = (bool, u32, Vec<String>);

impl Heartbeat {
    pub(super) async fn start(redis: RedisLimits) -> Self {
        let mut heartbeat = Self { redis, connection: None, away_since: None };
        // No request waits yet.
        heartbeat.check(heartbeat.redis.0.target.timeout.max(REPLY_TIMEOUT)).await;
        heartbeat
    }

    /// Runs until the service stops, and then removes this node from Redis.
    pub async fn run(mut self, stopping: CancellationToken) {
        let redis = self.redis.clone();
        tokio::select! {
            () = stopping.cancelled() => {}
            () = self.watch() => {}
            () = redis.keep_streams() => {}
        }
        let shared = &redis.0;
        if let Some(connection) = shared.redis.load_full() {
            redis.end_streams().await;
            let mut leave = shared.scripts.leave.key(nodes_key(&redis));
            // If that fails, the node counts a little longer.
            let left = connection.run::<u32>(leave.arg(&shared.node));
            let _ = timeout(REPLY_TIMEOUT, left).await;
        }
    }

    async fn watch(&mut self) {
        let shared = self.redis.0.clone();
        loop {
            if self.away_since.is_some() {
                sleep(RETRY).await;
            } else if shared.unreported.is_empty() {
                // A failed request ends the pause.
                let _ = timeout(HEARTBEAT, shared.failed.notified()).await;
            }
            self.check(shared.target.timeout).await;
        }
    }

    /// Polls Redis. If it replies within `max_delay` and accepts the missed requests, Redis decides from then on;
    /// otherwise this node does.
    async fn check(&mut self, max_delay: Duration) {
        let had_connection = self.connection.is_some();
        let reached = match self.reach(max_delay).await {
            // A proxy may have closed the connection while Redis is up.
            Err(reason) if had_connection && self.connection.is_none() => {
                self.reach(max_delay).await.map_err(|_| reason)
            }
            reached => reached,
        };
        let shared = &self.redis.0;
        let redis = &shared.target.shown;
        match reached {
            Ok(connection) => {
                let before = shared.redis.swap(Some(Arc::new(connection)));
                if before.is_none() {
                    self.redis.recount_streams();
                }
                if let Some(since) = self.away_since.take() {
                    let seconds = since.elapsed().as_secs();
                    tracing::info!(%redis, away_seconds = seconds, "Redis is available again: limits are shared");
                }
            }
            Err(reason) => {
                shared.redis.store(None);
                if self.away_since.is_none() {
                    self.away_since = Some(Instant::now());
                    shared.outages.fetch_add(1, Ordering::Relaxed);
                    tracing::warn!(
                        %redis, reason, nodes = shared.nodes(),
                        "Redis cannot be used: until it can, this node applies its share of each limit"
                    );
                }
            }
        }
    }

    async fn reach(&mut self, max_delay: Duration) -> Result<Connection, String> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                Connection::open(&self.redis.0.target).await.map_err(|error| error.to_string())?
            }
        };
        let asked = Instant::now();
        let reply = timeout(max_delay.max(REPLY_TIMEOUT), self.heartbeat(&connection)).await;
        let (is_known, nodes, silent) =
            reply.map_err(|_| self.no_reply())?.map_err(|error| error.to_string())?;
        self.connection = Some(connection.clone());
        if asked.elapsed() > max_delay {
            return Err(self.no_reply());
        }
        let shared = &self.redis.0;
        // Other nodes may not be back yet.
        let at_least = if is_known && self.away_since.is_none() { 0 } else { shared.nodes() };
        shared.nodes.store(nodes.max(at_least), Ordering::Relaxed);
        // Nearly always empty.
        if !silent.is_empty() || !shared.silent.load().is_empty() {
            shared.silent.store(Arc::new(silent));
        }
        if !is_known {
            self.report_all().await;
        }
        self.report(&connection).await?;
        Ok(connection)
    }

    async fn heartbeat(&self, connection: &Connection) -> redis::RedisResult<Reply> {
        let shared = &self.redis.0;
        let mut heartbeat = shared.scripts.heartbeat.key(nodes_key(&self.redis));
        heartbeat.arg(&shared.node);
        for time in [COUNTED, REMEMBERED, SILENCE] {
            heartbeat.arg(micros(time));
        }
        connection.run(&heartbeat).await
    }

    /// Marks everything that this node accepted in the last [`WINDOW`], and its streams, as missing in Redis.
    async fn report_all(&self) {
        self.redis.recount_streams();
        let shared = self.redis.0.clone();
        // There may be a million clients.
        let noted = spawn_blocking(move || {
            shared.unreported.clear();
            for (client, times) in shared.own.accepted(&shared.clock) {
                times.into_iter().for_each(|at| shared.unreported.push(client, at));
            }
        });
        let _ = noted.await;
    }

    /// Adds the missed requests to the logs in Redis.
    ///
    /// # Errors
    /// Redis did not accept all of them; the rest is kept for the next report.
    async fn report(&self, connection: &Connection) -> Result<(), String> {
        let unreported = &self.redis.0.unreported;
        while !unreported.is_empty() {
            let logs = unreported.take(REPORTED_AT_ONCE).into_iter();
            let reports = logs.map(async |(client, times)| {
                let result = self.report_log(connection, client, &times).await;
                if result.is_err() {
                    times.into_iter().for_each(|at| unreported.push(client, at));
                }
                result
            });
            join_all(reports).await.into_iter().collect::<Result<(), _>>()?;
        }
        Ok(())
    }

    async fn report_log(
        &self,
        connection: &Connection,
        client: Client,
        times: &[Duration],
    ) -> Result<(), String> {
        let shared = &self.redis.0;
        let now = shared.clock.elapsed();
        let ages = times.iter().map(|at| micros(now.saturating_sub(*at)));
        let arguments = std::iter::once(micros(WINDOW)).chain(ages);
        let report = self.redis.about_log(&shared.scripts.report, client, arguments);
        let reply = timeout(REPLY_TIMEOUT, connection.run::<u32>(&report)).await;
        reply.map_err(|_| self.no_reply())?.map_err(|error| error.to_string()).map(drop)
    }

    fn no_reply(&self) -> String {
        format!("no reply within {} ms", self.redis.0.target.timeout.as_millis())
    }
}

fn nodes_key(redis: &RedisLimits) -> String {
    format!("{}:nodes", redis.0.target.prefix)
}
