//! Open streams of a client on all nodes together.
//!
//! Each node writes its number of streams to Redis, under a lease, instead of incrementing and decrementing: the next
//! write corrects one that got lost. Writes are numbered, so that they may overtake each other. A stream that is
//! about to open is counted before Redis is queried, so two concurrent ones see each other.
//!
//! A node that was killed renews no lease, but its streams reconnect to other nodes long before its leases end. So
//! the counts of a node that has missed its [heartbeats](super::heartbeat) are ignored.

use std::{
    collections::HashSet,
    mem,
    sync::{Mutex, atomic::Ordering},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use redis::ScriptInvocation;
use tokio::{
    sync::Notify,
    time::{Instant, sleep, timeout, timeout_at},
};

use super::{
    super::{Client, Slot, Slots},
    RedisLimits, lock, micros,
};

/// Lifetime of the counts of a node that is gone.
const LEASE: Duration = Duration::from_secs(30);
/// Interval between renewals of leases.
const RENEW: Duration = Duration::from_secs(10);
/// Time for which changes are collected: many streams may end at once.
const COLLECT: Duration = Duration::from_millis(50);
/// Maximum number of concurrent count updates.
const AT_ONCE: usize = 64;
/// Maximum time to send the end of all streams when the service stops.
const ENDING: Duration = Duration::from_secs(10);

/// Open streams of this node that have a limit.
#[derive(Default)]
pub(crate) struct SharedStreams {
    open: Slots<Client>,
    /// Number of the last count.
    number: Mutex<u64>,
    /// Clients whose counts Redis does not have yet.
    changed: Mutex<HashSet<Client>>,
    wake: Notify,
}

/// Stream that is open or about to open.
struct OpenStreamEntry {
    slot: Option<Slot>,
    client: Client,
    redis: RedisLimits,
}

impl Drop for OpenStreamEntry {
    fn drop(&mut self) {
        drop(self.slot.take());
        self.redis.0.streams.note_change([self.client]);
    }
}

impl SharedStreams {
    fn note_change(&self, clients: impl IntoIterator<Item = Client>) {
        lock(&self.changed).extend(clients);
        self.wake.notify_one();
    }

    /// Number of streams that a client has open here, and the number of this count.
    fn count(&self, client: Client) -> (u32, u64) {
        // Later counts have higher numbers.
        let mut number = lock(&self.number);
        *number += 1;
        (self.open.of(client), *number)
    }
}

impl RedisLimits {
    /// Number of limited streams that this node has open.
    pub(crate) fn open_streams(&self) -> u64 {
        self.0.streams.open.count()
    }

    /// Opens a stream of a client that may have `most`, if nothing has to be waited for.
    pub(crate) fn open_now(&self, client: Client, most: u32) -> Option<Slot> {
        if self.is_up() {
            return None;
        }
        let held = self.hold(client)?;
        self.open_alone(client, most).then(|| Slot::new(held))
    }

    /// Opens a stream of a client; `None` if it already has `most`.
    pub(crate) async fn open(&self, client: Client, most: u32) -> Option<Slot> {
        let held = self.hold(client)?;
        let mut open = self.about_count(client, most);
        open.arg(&**self.0.silent.load());
        let is_open = match self.ask(&open).await {
            Some(is_open) => is_open,
            None => self.open_alone(client, most),
        };
        is_open.then(|| Slot::new(held))
    }

    fn hold(&self, client: Client) -> Option<OpenStreamEntry> {
        let slot = Some(self.0.streams.open.take(client, None)?);
        Some(OpenStreamEntry { slot, client, redis: self.clone() })
    }

    /// Whether a held stream is within this node's share.
    fn open_alone(&self, client: Client, most: u32) -> bool {
        self.0.alone.fetch_add(1, Ordering::Relaxed);
        self.0.streams.note_change([client]);
        self.0.streams.open.of(client) <= self.0.share(most)
    }

    fn about_count(&self, client: Client, most: u32) -> ScriptInvocation<'_> {
        let (count, number) = self.0.streams.count(client);
        let mut invocation = self.0.scripts.open.key(self.0.key("streams", client));
        invocation.arg(&self.0.node).arg(count).arg(number).arg(micros(LEASE)).arg(most);
        invocation
    }

    /// Keeps the counts of this node in Redis up to date. Never returns.
    pub(super) async fn keep_streams(&self) {
        let streams = &self.0.streams;
        let mut renewed = Instant::now();
        loop {
            if timeout_at(renewed + RENEW, streams.wake.notified()).await.is_err() {
                renewed = Instant::now();
                self.recount_streams();
            }
            sleep(COLLECT).await;
            if self.is_up() {
                self.send_counts().await;
            }
        }
    }

    /// Sends all counts again, with new leases.
    pub(super) fn recount_streams(&self) {
        let streams = &self.0.streams;
        streams.note_change(streams.open.clients());
    }

    /// Sends Redis the end of all streams when the service stops.
    pub(super) async fn end_streams(&self) {
        let streams = &self.0.streams;
        let ending = async {
            loop {
                self.send_counts().await;
                if streams.open.count() == 0 && lock(&streams.changed).is_empty() {
                    break;
                }
                sleep(COLLECT).await;
            }
        };
        // Remaining counts end with their leases.
        let _ = timeout(ENDING, ending).await;
    }

    /// Sends the changed counts to Redis. Those that fail are sent with the next ones.
    async fn send_counts(&self) {
        let changed = mem::take(&mut *lock(&self.0.streams.changed));
        let send = async |client| {
            let sent = self.ask::<u8>(&self.about_count(client, u32::MAX)).await;
            sent.is_none().then_some(client)
        };
        let sent = stream::iter(changed).map(send).buffer_unordered(AT_ONCE);
        let failed: Vec<Option<Client>> = sent.collect().await;
        lock(&self.0.streams.changed).extend(failed.into_iter().flatten());
    }
}
