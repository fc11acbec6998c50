//! Rate limits that several nodes share through a real Redis.

mod decisions;
mod outages;
mod redis_connections;
mod served;
mod streams;
mod urls;

use std::{ops::Deref, time::Duration};

use base::clock::Clock;
use limits::{Client, Limits, Network, OpenStreams, Quota, RedisLimits, Status};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::harness::soon;

/// Limits of a node. Dropping it simulates a kill: the node does not sign off.
struct Node {
    limits: Limits,
    streams: OpenStreams,
    stopping: CancellationToken,
    watching: JoinHandle<()>,
}

impl Node {
    async fn start(url: &str, clock: &Clock) -> Self {
        let (sharing, watcher) =
            RedisLimits::start(&url.parse().unwrap(), clock.clone()).await.unwrap();
        let stopping = CancellationToken::new();
        Self {
            limits: Limits::shared(clock.clone(), sharing.clone()),
            streams: OpenStreams::shared(sharing),
            watching: tokio::spawn(watcher.run(stopping.clone())),
            stopping,
        }
    }

    /// Starts `N` nodes, and waits until each has detected all others.
    async fn several<const N: usize>(url: &str, clock: &Clock) -> [Self; N] {
        let mut nodes = Vec::new();
        for _ in 0..N {
            nodes.push(Self::start(url, clock).await);
        }
        for node in &nodes {
            node.until(|status| status.nodes == N as u32).await;
        }
        nodes.try_into().unwrap_or_else(|_| unreachable!())
    }

    fn status(&self) -> Status {
        self.limits.status().unwrap()
    }

    async fn until(&self, is_so: impl Fn(Status) -> bool) {
        soon("what the node waits for", async {
            while !is_so(self.status()) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
    }

    /// Number of accepted requests out of `requests`.
    async fn accepted(&self, client: Client, quota: &Quota, requests: u32) -> u32 {
        let mut accepted = 0;
        for _ in 0..requests {
            accepted += u32::from(self.limits.take(client, quota).await.accepted);
        }
        accepted
    }

    /// Stops the node as a service does.
    async fn stop(mut self) {
        self.stopping.cancel();
        soon("the end", &mut self.watching).await.unwrap();
    }
}

impl Deref for Node {
    type Target = Limits;

    fn deref(&self) -> &Limits {
        &self.limits
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

fn client(last: u8) -> Client {
    Client::Network(Network::of([192, 0, 2, last].into()))
}

fn limited(requests: u32) -> Quota {
    Quota { name: "test", requests: Some(requests) }
}
