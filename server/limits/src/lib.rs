//! Limits of each client. [`ClientNetworks`] finds the client of a request, also behind the operator's proxies, and
//! warns about a proxy that is not listed. [`Network`] is the part of an address that counts as one client.
//! [`Limits`] decides by a [`Quota`] and returns a [`Decision`], which is sent to the client in headers. [`Slots`]
//! count open streams and the like. A [`Budget`] limits the computing time spent on clients without a key.
//!
//! [`Limits`] is a sliding log: it keeps the instant of every accepted request until it is [`WINDOW`] old, and
//! accepts requests while fewer than the quota are kept. So no window has more accepted requests than the quota, and
//! an idle client may use the whole quota at once. A token bucket refills while it is emptied, so it would accept
//! nearly twice the quota in some windows. Rejected requests leave no trace: a client that keeps retrying is accepted
//! as soon as one that waits.
//!
//! The logs are in the [memory](memory) of this process, bounded even under a flood of addresses, and decisions await
//! nothing. Alternatively, nodes [share](redis) the logs through a server that speaks Redis's protocol.
//! [`OpenStreams`] are counted in the same place.

mod budget;
mod client_ip;
mod client_networks;
mod forwarded;
mod forwarded_origin;
mod headers;
mod heavy_work;
mod memory;
mod network;
mod open_streams;
mod proxies;
mod proxy_warnings;
mod quota;
mod redis;
mod sliding_log;
mod slots;

use std::{sync::Arc, time::Duration};

use base::clock::Clock;

pub use self::forwarded_origin::host;
pub use self::{
    budget::{Budget, Size},
    client_ip::client_ip,
    client_networks::ClientNetworks,
    forwarded_origin::{ForwardedOrigin, forwarded_origin},
    heavy_work::{Busy, HeavyWork, Permit},
    network::Network,
    open_streams::OpenStreams,
    proxies::TrustedProxies,
    proxy_warnings::ProxyWarnings,
    quota::{Decision, Quota},
    redis::{Heartbeat, RedisLimits, RedisUrl, Status, UrlError},
    slots::{Slot, Slots},
};
use self::{memory::Memory, quota::Verdict};

/// Period over which requests are counted.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Client that a request counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Client without a key.
    Network(Network),
    /// Holder of a key, by the key's id, from any address.
    Key(i64),
}

/// Use of quotas by each client. Clones share their counts.
#[derive(Clone, Debug)]
pub struct Limits {
    clock: Clock,
    backend: Backend,
}

/// Storage of the logs.
#[derive(Clone, Debug)]
enum Backend {
    Memory(Arc<Memory>),
    Shared(RedisLimits),
}

impl Limits {
    /// Limits in the memory of this process, with nothing used yet.
    pub fn new(clock: Clock) -> Self {
        Self { clock, backend: Backend::Memory(Arc::new(Memory::new())) }
    }

    /// Limits that this node shares with others.
    pub fn shared(clock: Clock, redis: RedisLimits) -> Self {
        Self { clock, backend: Backend::Shared(redis) }
    }

    /// Decides a request and, if it is accepted, counts it.
    pub async fn take(&self, client: Client, quota: &Quota) -> Decision {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => memory.take(client, requests, &self.clock),
            (Some(requests), Backend::Shared(redis)) => redis.take(client, requests).await,
        };
        Decision::new(*quota, verdict)
    }

    /// Decides on `count` requests together and, if they are accepted, counts them.
    pub async fn take_many(&self, client: Client, quota: &Quota, count: u32) -> Decision {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => {
                memory.take_many(client, requests, count, &self.clock)
            }
            (Some(requests), Backend::Shared(redis)) => {
                redis.take_many(client, requests, count).await
            }
        };
        Decision::new(*quota, verdict)
    }

    /// Decides and counts a request like [`take`](Self::take), if that needs no waiting; otherwise counts nothing.
    pub fn take_now(&self, client: Client, quota: &Quota) -> Option<Decision> {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => memory.take(client, requests, &self.clock),
            (Some(requests), Backend::Shared(redis)) => redis.take_now(client, requests)?,
        };
        Some(Decision::new(*quota, verdict))
    }

    /// Remaining quota of a client. Counts nothing.
    pub async fn peek(&self, client: Client, quota: &Quota) -> Decision {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => memory.peek(client, requests, &self.clock),
            (Some(requests), Backend::Shared(redis)) => redis.peek(client, requests).await,
        };
        Decision::new(*quota, verdict)
    }

    /// State of sharing, if limits are shared.
    pub fn status(&self) -> Option<Status> {
        match &self.backend {
            Backend::Memory(_) => None,
            Backend::Shared(redis) => Some(redis.status()),
        }
    }

    /// Number of clients with a log in this process.
    pub fn clients(&self) -> usize {
        match &self.backend {
            Backend::Memory(memory) => memory.clients(),
            Backend::Shared(redis) => redis.clients(),
        }
    }

    /// Forgets clients that were idle for a [`WINDOW`] and frees their memory. Must be called once a minute, and at
    /// least once in 49 days, after which old instants look new again. It blocks: after a flood for some tens of
    /// milliseconds, for half a second if every client made many requests. Decisions continue during a sweep.
    pub fn sweep(&self) {
        match &self.backend {
            Backend::Memory(memory) => memory.sweep(&self.clock),
            Backend::Shared(redis) => redis.sweep(),
        }
    }
}

#[cfg(test)]
mod tests;
