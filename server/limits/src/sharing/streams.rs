//! Open streams of a client on all nodes together.
//!
//! Each node notes in Redis how many it has, under a lease, rather than counting up and down: a count
//! that went missing is put right by the next one. Counts have numbers, so that they may overtake each
//! other. A stream about to be opened is counted before Redis is asked, so that of two at once each
//! is in the other's count.
//!
//! A node that was killed renews no lease, and its streams are back at other nodes long before its leases end. So the
//! counts of a node that has missed its [heartbeats](super::watch) don't count.

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
    Sharing, lock, micros,
};

/// Time for which the counts of a node that is gone remain.
const LEASE: Duration = Duration::from_secs(30);
/// Interval of renewals of leases.
const RENEW: Duration = Duration::from_secs(10);
/// Time for which changes are collected: many streams may end at once.
const COLLECT: Duration = Duration::from_millis(50);
/// Maximum number of counts that are under way at once.
const AT_ONCE: usize = 64;
/// Maximum time that the streams of a service that stops may take to end.
const ENDING: Duration = Duration::from_secs(10);

/// The streams that this node has open and that have a limit.
#[derive(Default)]
pub(crate) struct SharedStreams {
    open: Slots<Client>,
    /// Number of the last count.
    number: Mutex<u64>,
    /// Clients whose counts Redis does not have yet.
    changed: Mutex<HashSet<Client>>,
    wake: Notify,
}

/// A stream that is open, or about to be.
struct Held {
    slot: Option<Slot>,
    client: Client,
    sharing: Sharing,
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.slot.take());
        self.sharing.0.streams.note_change([self.client]);
    }
}

impl SharedStreams {
    fn note_change(&self, clients: impl IntoIterator<Item = Client>) {
        lock(&self.changed).extend(clients);
        self.wake.notify_one();
    }

    /// Number of streams that a client has open here, and the number of this count.
    fn count(&self, client: Client) -> (u32, u64) {
        // What is counted later has a higher number.
        let mut number = lock(&self.number);
        *number += 1;
        (self.open.of(client), *number)
    }
}

impl Sharing {
    /// Number of limited streams that this node has open.
    pub(crate) fn open_streams(&self) -> u64 {
        self.0.streams.open.count()
    }

    /// Opens a stream of a client that may have `most`, if that can be decided without waiting.
    pub(crate) fn open_now(&self, client: Client, most: u32) -> Option<Slot> {
        if self.is_up() {
            return None;
        }
        let held = self.hold(client)?;
        self.open_alone(client, most).then(|| Slot::new(held))
    }

    /// Opens a stream of a client that may have `most`; `None` if it has them.
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

    fn hold(&self, client: Client) -> Option<Held> {
        let slot = Some(self.0.streams.open.take(client, None)?);
        Some(Held { slot, client, sharing: self.clone() })
    }

    /// Whether a stream that is held is within this node's share.
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

    /// Keeps what Redis has of this node's streams up to date. Never ends.
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

    /// Has all counts sent again, with new leases.
    pub(super) fn recount_streams(&self) {
        let streams = &self.0.streams;
        streams.note_change(streams.open.clients());
    }

    /// Sends Redis the end of the streams of a service that stops.
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
        // What remains ends with its lease.
        let _ = timeout(ENDING, ending).await;
    }

    /// Sends Redis the counts that have changed. Those that fail are sent with the next ones.
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
