//! Limits that nodes share, by a server that speaks Redis's protocol.
//!
//! Each client has a log there, the same sliding log as in [memory](super::memory), and each decision is
//! one script that reads it, decides and writes (`scripts/take.lua`): one round trip, atomic, by Redis's
//! clock. While Redis is up, no window has more than the limit, whichever nodes the requests reach.
//!
//! A request waits for Redis no longer than [`TIMEOUT`]. If Redis is late or fails, the node decides alone, and
//! so do all requests after it, without any wait, until the [watcher](watch) has reached Redis. Alone, a node
//! accepts its share: the limit divided by the last known number of nodes, less what the node accepted in
//! the window, by itself or through Redis. When Redis is back, the node adds to the logs what it accepted alone, or, if
//! Redis has lost its data, all that it accepted in the window. Only then does it ask Redis again.
//!
//! So in a window around an outage, all nodes together accept no more than the limit and, in the worst
//! case, one share for each node: twice the limit. It takes a client that used the limit on one node just
//! before; a client that spreads its requests evenly gets the limit. If Redis has lost its data, what a node has yet to
//! report may be accepted once more by those that are back before it, for a moment. Three more things
//! are inexact: a node that is cut off alone has its share while the others have the whole limit, one
//! that has never reached Redis takes itself for the only one, and a request that Redis counted too late counts twice.

mod connection;
mod decide;
mod scripts;
mod streams;
mod url;
mod watch;

use std::{
    collections::HashMap,
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

use self::{connection::Connection, scripts::Scripts, streams::SharedStreams, url::Target};
pub use self::{
    url::{RedisUrl, UrlError},
    watch::Watcher,
};
use super::{Client, WINDOW, memory::Memory};

/// Maximum wait of a request for Redis, unless the URL has another. Longer than Redis takes under load: each
/// decision without it is one that is not exact.
const TIMEOUT: Duration = Duration::from_millis(50);

/// What this node shares with others. Clones are the same.
#[derive(Clone)]
pub struct Sharing(Arc<Shared>);

struct Shared {
    clock: Clock,
    /// Name of this node, different at each start.
    node: String,
    target: Target,
    scripts: Scripts,
    /// Connection that requests use; `None` while this node decides alone.
    redis: ArcSwapOption<Connection>,
    /// Wakes the watcher after a request that failed.
    failed: Notify,
    /// Number of nodes when Redis was last asked; 0 is never.
    nodes: AtomicU32,
    /// Nodes whose heartbeats are missing.
    silent: ArcSwap<Vec<String>>,
    /// Requests that this node accepted, alone or by Redis.
    own: Memory,
    /// Requests that Redis does not have, by client: when this node accepted each.
    unreported: Mutex<HashMap<Client, Vec<Duration>>>,
    streams: SharedStreams,
    /// Decisions that this node took alone.
    alone: AtomicU64,
    outages: AtomicU64,
}

/// State of sharing, for the operator's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether Redis decides.
    pub up: bool,
    /// Number of nodes, as far as is known.
    pub nodes: u32,
    /// Decisions that this node took alone, since its start.
    pub alone: u64,
    /// Number of outages of Redis, since the start.
    pub outages: u64,
}

impl Sharing {
    /// Looks for Redis, for a second at most. Without it, the node begins alone. The watcher must
    /// [run](Watcher::run).
    ///
    /// # Errors
    /// The URL is not one, or names files that cannot be used.
    pub async fn start(url: &RedisUrl, clock: Clock) -> Result<(Self, Watcher), UrlError> {
        let target = url.target()?;
        // Else it would depend on what is linked. Another part may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let sharing = Self(Arc::new(Shared {
            // Not the one of a test, which is the same for all nodes.
            node: Random::system().token(),
            scripts: Scripts::new(clock.is_stepped()),
            target,
            clock,
            redis: ArcSwapOption::empty(),
            failed: Notify::new(),
            nodes: AtomicU32::new(0),
            silent: ArcSwap::default(),
            own: Memory::new(),
            unreported: Mutex::default(),
            streams: SharedStreams::default(),
            alone: AtomicU64::new(0),
            outages: AtomicU64::new(0),
        }));
        let watcher = Watcher::start(sharing.clone()).await;
        Ok((sharing, watcher))
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

    /// Forgets who has been idle for a window, see [`super::Limits::sweep`].
    pub(super) fn sweep(&self) {
        self.0.own.sweep(&self.0.clock);
        let oldest = self.0.clock.elapsed().saturating_sub(WINDOW);
        lock(&self.0.unreported).retain(|_, times| {
            times.retain(|at| *at >= oldest);
            !times.is_empty()
        });
    }

    /// Whether Redis decides.
    fn is_up(&self) -> bool {
        self.0.redis.load().is_some()
    }

    /// Runs a script for a request; `None` without a reply in time. Then nobody else waits until the watcher
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

    /// Part of a limit that is this node's.
    fn share(&self, limit: u32) -> u32 {
        share(limit, self.nodes())
    }

    /// Name of a client's key.
    fn key(&self, kind: &str, client: Client) -> String {
        let prefix = &self.target.prefix;
        match client {
            Client::Network(network) => format!("{prefix}:{kind}:network:{network}"),
            Client::Key(id) => format!("{prefix}:{kind}:key:{id}"),
        }
    }
}

/// A node's part of a limit: at least 1, unless nothing is allowed.
fn share(limit: u32, nodes: u32) -> u32 {
    (limit / nodes).max(limit.min(1))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in there is ever left half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

impl fmt::Debug for Sharing {
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
