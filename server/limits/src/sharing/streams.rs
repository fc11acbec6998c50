//! Open streams of a client on all nodes together.
//!
//! Each node notes in Redis how many it has, under a lease, rather than counting up and down: a count
//! that went missing is put right by the next one. Counts have numbers, so that they may overtake each
//! other. A stream about to be opened is counted before Redis is asked, so that of two at once each
//! knows of the other.
//!
//! A node that was killed renews no lease, and its streams are back at other nodes long before its leases end. So the
//! counts of a node that has missed its [beats](super::watch) don't count.

use std::{
    collections::HashSet,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use tokio::{
    sync::Notify,
    time::{Instant, sleep, timeout, timeout_at},
};

use super::{
    super::{Client, Slot, Slots},
    Sharing,
    ask::{Asked, Question},
    decide::micros,
    line::Phase,
    scripts::{Argument, Script},
};

/// For how long the counts of a node that is gone remain.
const LEASE: Duration = Duration::from_secs(30);
/// How often leases are renewed.
const RENEW: Duration = Duration::from_secs(10);
/// How long changes are collected: many streams may end at once.
const COLLECT: Duration = Duration::from_millis(50);
/// How many counts are under way at once.
const AT_ONCE: usize = 64;
/// How long one may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the streams of a service that stops may take to end.
const ENDING: Duration = Duration::from_secs(10);

/// The streams that this node has open and that have a limit.
#[derive(Default)]
pub(crate) struct SharedStreams {
    open: Slots<Client>,
    /// The number of the last count.
    number: Mutex<u64>,
    /// Whose counts Redis does not know yet.
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

    /// How many streams a client has open here, and the number of this count.
    fn count(&self, client: Client) -> (u32, u64) {
        // What is counted later has a higher number.
        let mut number = lock(&self.number);
        *number += 1;
        (self.open.of(client), *number)
    }
}

impl Sharing {
    /// How many limited streams this node has open.
    pub(crate) fn open_streams(&self) -> u64 {
        self.0.streams.open.count()
    }

    /// Opens a stream of a client that may have `most`, if that can be decided without waiting.
    pub(crate) fn open_now(&self, client: Client, most: u32) -> Option<Slot> {
        if self.0.line.phase().is_up() {
            return None;
        }
        let held = self.hold(client)?;
        self.count_alone();
        self.is_within_share(client, most).then(|| Slot::new(held))
    }

    /// Opens a stream of a client that may have `most`; `None` if it has them.
    pub(crate) async fn open(&self, client: Client, most: u32) -> Option<Slot> {
        let held = self.hold(client)?;
        let phase = self.0.line.phase();
        let is_within_share = self.is_within_share(client, most);
        let asks = phase == Phase::Shared || (phase == Phase::Settling && is_within_share);
        let answer =
            if asks { self.ask(self.about_opening(client, most)).await } else { Asked::Failed };
        let is_open = match answer {
            Asked::Answered(is_open) => is_open,
            Asked::Failed | Asked::Late(_) => {
                self.count_alone();
                is_within_share
            }
        };
        if is_open && !matches!(answer, Asked::Answered(_)) {
            self.0.streams.note_change([client]);
        }
        is_open.then(|| Slot::new(held))
    }

    fn hold(&self, client: Client) -> Option<Held> {
        let slot = Some(self.0.streams.open.take(client, None)?);
        Some(Held { slot, client, sharing: self.clone() })
    }

    fn is_within_share(&self, client: Client, most: u32) -> bool {
        self.0.streams.open.of(client) <= self.0.line.share(most)
    }

    fn about_opening(&self, client: Client, most: u32) -> Question {
        let mut question = self.about_count(client, Script::Open);
        question.arguments.push(Argument::Number(u64::from(most)));
        question.arguments.extend(self.0.line.silent().iter().cloned().map(Argument::Other));
        question
    }

    fn about_count(&self, client: Client, script: Script) -> Question {
        let (count, number) = self.0.streams.count(client);
        let numbers = [u64::from(count), number, micros(LEASE)].map(Argument::Number);
        let arguments = [&[Argument::Node], numbers.as_slice()].concat();
        Question { script, key: self.0.names.streams(client), arguments }
    }

    /// Keeps what Redis knows of this node's streams up to date. Never ends.
    pub(super) async fn keep_streams(&self) {
        let streams = &self.0.streams;
        let mut renewed = Instant::now();
        loop {
            if timeout_at(renewed + RENEW, streams.wake.notified()).await.is_err() {
                renewed = Instant::now();
                self.recount_streams();
            }
            sleep(COLLECT).await;
            if self.0.line.phase().is_up() {
                self.tell_counts().await;
            }
        }
    }

    /// Has all counts told anew, with new leases.
    pub(super) fn recount_streams(&self) {
        let streams = &self.0.streams;
        streams.note_change(streams.open.clients());
    }

    /// Tells Redis the end of the streams of a service that stops.
    pub(super) async fn end_streams(&self) {
        let streams = &self.0.streams;
        let ending = async {
            loop {
                self.tell_counts().await;
                if streams.open.count() == 0 && lock(&streams.changed).is_empty() {
                    break;
                }
                sleep(COLLECT).await;
            }
        };
        // What remains ends with its lease.
        let _ = timeout(ENDING, ending).await;
    }

    /// Tells Redis the counts that have changed. If that fails, they are told with the next ones.
    async fn tell_counts(&self) {
        let changed = mem::take(&mut *lock(&self.0.streams.changed));
        let told = changed.into_iter().map(|client| self.tell_count(client));
        let failed: Vec<Client> = stream::iter(told)
            .buffer_unordered(AT_ONCE)
            .filter_map(|failed| async move { failed })
            .collect()
            .await;
        lock(&self.0.streams.changed).extend(failed);
    }

    /// The client, if that failed.
    async fn tell_count(&self, client: Client) -> Option<Client> {
        if !self.0.line.phase().is_up() {
            return Some(client);
        }
        let question = self.about_count(client, Script::Count);
        let key = question.key.clone();
        let reason = match timeout(PATIENCE, self.clone().reply::<u8>(question)).await {
            Ok(Ok(_)) => return None,
            Ok(Err(error)) => error.to_string(),
            Err(_) => self.no_reply(),
        };
        self.0.line.suspect(reason, &key);
        Some(client)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in there is ever left half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
