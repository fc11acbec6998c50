//! What one client may ask for. [`ClientNetworks`] finds whose request it is, behind the operator's
//! proxies too, and warns of one that is not listed; [`Network`] is what of that address counts as one
//! client; [`Limits`] decides by a [`Quota`], the [`Decision`] tells the client, and [`Slots`] count what
//! stays open. A [`Budget`] is for what is made for those without a key.
//!
//! [`Limits`] is a sliding log: it keeps the instant of every accepted request until it is
//! [`WINDOW`] old, and accepts while fewer than the quota are kept. So in no window are more than
//! the quota accepted, and who was idle may use the whole quota at once; a token bucket, which
//! refills while it is emptied, would accept nearly twice the quota in some windows. Refused
//! requests leave no trace: who keeps knocking is let in as soon as who waits.
//!
//! The logs are in the [memory](memory) of this process, within bounds that a flood of addresses
//! cannot break, and nothing is awaited; or nodes [share](sharing) them by a server that speaks
//! Redis's protocol. [`OpenStreams`] are counted in the same place.

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
mod sharing;
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
    heavy_work::{Busy, HeavyWork, Place},
    network::Network,
    open_streams::OpenStreams,
    proxies::TrustedProxies,
    proxy_warnings::ProxyWarnings,
    quota::{Decision, Quota},
    sharing::{RedisUrl, Sharing, Status, UrlError, Watcher},
    slots::{Slot, Slots},
};
use self::{memory::Memory, quota::Verdict};

/// The time over which requests are counted.
pub const WINDOW: Duration = Duration::from_secs(60);

/// The client that a request counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Who has no key.
    Network(Network),
    /// The holder of a key, by the key's id, wherever the request comes from.
    Key(i64),
}

/// Who has used how much of a quota. Clones share what they count.
#[derive(Clone, Debug)]
pub struct Limits {
    clock: Clock,
    backend: Backend,
}

/// Where the logs are.
#[derive(Clone, Debug)]
enum Backend {
    Memory(Arc<Memory>),
    Shared(Sharing),
}

impl Limits {
    /// Limits of which nobody has used anything yet, in the memory of this process.
    pub fn new(clock: Clock) -> Self {
        Self { clock, backend: Backend::Memory(Arc::new(Memory::new())) }
    }

    /// Limits that this node shares with others.
    pub fn shared(clock: Clock, sharing: Sharing) -> Self {
        Self { clock, backend: Backend::Shared(sharing) }
    }

    /// Decides one request of a client and, if it is accepted, counts it.
    pub async fn take(&self, client: Client, quota: &Quota) -> Decision {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => memory.take(client, requests, &self.clock),
            (Some(requests), Backend::Shared(sharing)) => sharing.take(client, requests).await,
        };
        Decision::new(*quota, verdict)
    }

    /// The same, if it needs no waiting; else nothing is counted.
    pub fn take_now(&self, client: Client, quota: &Quota) -> Option<Decision> {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => memory.take(client, requests, &self.clock),
            (Some(requests), Backend::Shared(sharing)) => sharing.take_now(client, requests)?,
        };
        Some(Decision::new(*quota, verdict))
    }

    /// What is left of a client's quota. Counts nothing.
    pub async fn look(&self, client: Client, quota: &Quota) -> Decision {
        let verdict = match (quota.requests, &self.backend) {
            (None, _) => Verdict::UNLIMITED,
            (Some(requests), Backend::Memory(memory)) => memory.look(client, requests, &self.clock),
            (Some(requests), Backend::Shared(sharing)) => sharing.look(client, requests).await,
        };
        Decision::new(*quota, verdict)
    }

    /// How sharing goes, if limits are shared.
    pub fn status(&self) -> Option<Status> {
        match &self.backend {
            Backend::Memory(_) => None,
            Backend::Shared(sharing) => Some(sharing.status()),
        }
    }

    /// How many clients this process has a log of.
    pub fn clients(&self) -> usize {
        match &self.backend {
            Backend::Memory(memory) => memory.clients(),
            Backend::Shared(sharing) => sharing.clients(),
        }
    }

    /// Forgets who has been idle for a [`WINDOW`] and gives their memory back. It must be called
    /// once a minute, and at least once in 49 days, after which instants look new again. It blocks:
    /// after a flood for some tens of milliseconds, half a second if every client made many
    /// requests. Decisions go on meanwhile.
    pub fn sweep(&self) {
        match &self.backend {
            Backend::Memory(memory) => memory.sweep(&self.clock),
            Backend::Shared(sharing) => sharing.sweep(),
        }
    }
}

#[cfg(test)]
mod tests;
