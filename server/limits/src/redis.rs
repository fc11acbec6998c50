//! Limits that nodes share through a server that speaks Redis's protocol.
//!
//! Each client has a log in Redis, the same sliding log as in [memory](super::memory). Each decision is one script
//! that reads the log, decides and writes (`scripts/take.lua`): one round trip, atomic, by Redis's clock. While Redis
//! is up, no window has more requests than the limit, no matter which nodes they reach.
//!
//! A request waits for Redis at most [`TIMEOUT`]. If Redis is late or fails, the node decides alone. So do all later
//! requests, without waiting, until the [heartbeat](heartbeat) has reached Redis. A node on its own accepts its
//! share: the
//! limit divided by the last known number of nodes, minus what the node accepted in the window, alone or through
//! Redis. When Redis is back, the node adds to the logs what it accepted alone or, if Redis has lost its data,
//! everything that it accepted in the window. Only then does it use Redis again.
//!
//! So in a window around an outage, all nodes together accept at most the limit plus one share for each node: twice
//! the limit. That worst case takes a client that used the limit on one node just before; a client that spreads its
//! requests evenly gets the limit. If Redis has lost its data, nodes that are back may, for a moment, accept again
//! what others have yet to report. Three more cases are inexact: a node that is cut off has its share while the
//! others have the whole limit; a node that has never reached Redis assumes that it is the only one; and a request
//! that Redis counted too late counts twice.

mod connection;
mod decide;
mod heartbeat;
mod scripts;
mod streams;
mod unreported;
mod url;

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::{ArcSwap, ArcSwapOption};
use base::{clock::Clock, random::Random};
use redis::{FromRedisValue, ScriptInvocation};
use tokio::{sync::Notify, time::timeout};

use self::{
    connection::Connection, scripts::Scripts, streams::SharedStreams, unreported::Unreported,
    url::Target,
};
pub use self::{
    heartbeat::Heartbeat,
    url::{RedisUrl, UrlError},
};
use super::{Client, memory::Memory};

/// Default for the maximum wait of a request for Redis. Longer than Redis takes under load, because decisions without
/// Redis are inexact.
const TIMEOUT: Duration = Duration::from_millis(50);

/// State that this node shares with others. Clones share it.
#[derive(Clone)]
pub struct RedisLimits(Arc<Shared>);

struct Shared {
    clock: Clock,
    /// Name of this node, different after each start.
    node: String,
    target: Target,
    scripts: Scripts,
    /// Connection that requests use; `None` while this node decides alone.
    redis: ArcSwapOption<Connection>,
    /// Wakes the heartbeat after a request that failed.
    failed: Notify,
    /// Last known number of nodes; 0 if Redis was never reached.
    nodes: AtomicU32,
    /// Nodes whose heartbeats are missing.
    silent: ArcSwap<Vec<String>>,
    /// Requests that this node accepted, alone or through Redis.
    own: Memory,
    /// Requests that Redis does not have, by client: time at which this node accepted each.
    unreported: Unreported,
    streams: SharedStreams,
    /// Number of decisions that this node took alone.
    alone: AtomicU64,
    outages: AtomicU64,
}

/// State of sharing, for metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether Redis decides.
    pub up: bool,
    /// Last known number of nodes.
    pub nodes: u32,
    /// Number of decisions that this node took alone since its start.
    pub alone: u64,
    /// Number of outages of Redis since the start.
    pub outages: u64,
}

impl RedisLimits {
    /// Connects to Redis, waiting at most a second. If that fails, the node starts alone. The heartbeat must
    /// [run](Heartbeat::run).
    ///
    /// # Errors
    /// The URL is invalid or names files that cannot be used.
    pub async fn start(url: &RedisUrl, clock: Clock) -> Result<(Self, Heartbeat), UrlError> {
        let target = url.target()?;
        // Otherwise the default would depend on linked features. Another component may have installed one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let redis = Self(Arc::new(Shared {
            // Not the random source of a test, which is the same for all nodes.
            node: Random::system().token(),
            scripts: Scripts::new(clock.is_stepped()),
            target,
            clock,
            redis: ArcSwapOption::empty(),
            failed: Notify::new(),
            nodes: AtomicU32::new(0),
            silent: ArcSwap::default(),
            own: Memory::new(),
            unreported: Unreported::default(),
            streams: SharedStreams::default(),
            alone: AtomicU64::new(0),
            outages: AtomicU64::new(0),
        }));
        let heartbeat = Heartbeat::start(redis.clone()).await;
        Ok((redis, heartbeat))
    }

    pub fn status(&self) -> Status {
        Status {
            up: self.is_up(),
            nodes: self.0.nodes(),
            alone: self.0.alone.load(Ordering::Relaxed),
            outages: self.0.outages.load(Ordering::Relaxed),
        }
    }

    /// Number of clients that this node remembers.
    pub(super) fn clients(&self) -> usize {
        self.0.own.clients()
    }

    /// Forgets clients that were idle for a window, see [`super::Limits::sweep`].
    pub(super) fn sweep(&self) {
        self.0.own.sweep(&self.0.clock);
    }

    /// Whether Redis decides.
    fn is_up(&self) -> bool {
        self.0.redis.load().is_some()
    }

    /// Runs a script for a request; `None` without a reply in time. After that, no request waits until the heartbeat
    /// has reached Redis.
    async fn ask<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> Option<T> {
        let connection = self.0.redis.load_full()?;
        let reply = timeout(self.0.target.timeout, connection.run(script)).await;
        let reply = reply.ok().and_then(Result::ok);
        if reply.is_none() {
            self.0.redis.store(None);
            self.0.failed.notify_one();
        }
        reply
    }
}

impl Shared {
    fn nodes(&self) -> u32 {
        self.nodes.load(Ordering::Relaxed).max(1)
    }

    /// This node's share of a limit.
    fn share(&self, limit: u32) -> u32 {
        share(limit, self.nodes())
    }

    /// Redis key of a client.
    fn key(&self, kind: &str, client: Client) -> String {
        let prefix = &self.target.prefix;
        match client {
            Client::Network(network) => format!("{prefix}:{kind}:network:{network}"),
            Client::Key(id) => format!("{prefix}:{kind}:key:{id}"),
        }
    }
}

/// A node's share of a limit: at least 1, unless the limit is 0.
fn share(limit: u32, nodes: u32) -> u32 {
    (limit / nodes).max(limit.min(1))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Data in there is never left half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

impl fmt::Debug for RedisLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharing").field("redis", &self.0.target.shown).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_the_limit_by_the_nodes_and_at_least_one() {
        assert_eq!([60, 1, 0].map(|limit| share(limit, 1)), [60, 1, 0], "alone");
        assert_eq!([60, 20, 3, 2, 1, 0].map(|limit| share(limit, 3)), [20, 6, 1, 1, 1, 0]);
    }
}
