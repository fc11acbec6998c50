//! Logs of all clients, in this process.
//!
//! The logs are in shards, each a map behind its own lock, so decisions hardly ever wait for each other. Up to five
//! requests of a network fit into the 41 bytes of an entry. The map has at worst twice as many entries as it needs,
//! so a million networks take 83 MiB. Longer logs have memory of their own, about 100 bytes for up to eight requests
//! and 320 for sixty; their number is bounded by the requests that the service can answer. [`MAX_NETWORKS`] bounds a
//! flood of addresses: a full [`Shard`] forgets the networks that used least. Keys are few, because the operator
//! issues them, and are not forgotten while in use.

mod shard;

use std::{
    fmt,
    hash::{BuildHasher, Hash, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use base::clock::Clock;

use self::shard::Shard;
use super::{Client, quota::Verdict};

const SHARDS: usize = 64;

/// Maximum number of networks. More than call within a minute, unless addresses are forged.
const MAX_NETWORKS: usize = 1_200_000;

/// The logs of networks and of keys.
pub(super) struct Memory {
    networks: Shards<super::Network>,
    keys: Shards<i64>,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self::with_room(SHARDS, MAX_NETWORKS)
    }

    fn with_room(shards: usize, most_networks: usize) -> Self {
        Self {
            networks: Shards::new(shards, most_networks / shards),
            keys: Shards::new(shards, usize::MAX),
        }
    }

    pub(super) fn take(&self, client: Client, requests: u32, clock: &Clock) -> Verdict {
        self.take_many(client, requests, 1, clock)
    }

    /// Decides on `count` requests together, and counts them if they are accepted.
    pub(super) fn take_many(
        &self,
        client: Client,
        requests: u32,
        count: u32,
        clock: &Clock,
    ) -> Verdict {
        match client {
            Client::Network(network) => self.networks.take(network, requests, count, clock),
            Client::Key(id) => self.keys.take(id, requests, count, clock),
        }
    }

    pub(super) fn peek(&self, client: Client, requests: u32, clock: &Clock) -> Verdict {
        match client {
            Client::Network(network) => self.networks.peek(network, requests, clock),
            Client::Key(id) => self.keys.peek(id, requests, clock),
        }
    }

    /// Adds a request that was accepted elsewhere.
    pub(super) fn note(&self, client: Client, clock: &Clock) {
        match client {
            Client::Network(network) => self.networks.note(network, clock),
            Client::Key(id) => self.keys.note(id, clock),
        }
    }

    /// Times of the requests in each client's log, on the clock, oldest first. Locks one shard at a time.
    pub(super) fn accepted(&self, clock: &Clock) -> impl Iterator<Item = (Client, Vec<Duration>)> {
        let networks = self.networks.accepted(clock, Client::Network);
        networks.chain(self.keys.accepted(clock, Client::Key))
    }

    /// Number of clients with a log. Like a sweep, it locks each shard.
    pub(super) fn clients(&self) -> usize {
        self.networks.len() + self.keys.len()
    }

    pub(super) fn sweep(&self, clock: &Clock) {
        self.networks.sweep(clock);
        self.keys.sweep(clock);
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the logs: there may be a million.
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

struct Shards<K> {
    shards: Box<[Mutex<Shard<K>>]>,
    /// A separate hasher: if the maps used the same one, the keys of a shard would collide in its map.
    hasher: RandomState,
}

impl<K: Eq + Hash> Shards<K> {
    fn new(shards: usize, most: usize) -> Self {
        Self {
            shards: (0..shards).map(|_| Mutex::new(Shard::new(most))).collect(),
            hasher: RandomState::new(),
        }
    }

    fn take(&self, key: K, requests: u32, count: u32, clock: &Clock) -> Verdict {
        let mut shard = self.shard(&key);
        // Read inside the lock, so that a log never sees time move backwards.
        shard.take(key, requests, count, clock.elapsed())
    }

    fn peek(&self, key: K, requests: u32, clock: &Clock) -> Verdict {
        self.shard(&key).peek(&key, requests, clock.elapsed())
    }

    fn note(&self, key: K, clock: &Clock) {
        self.shard(&key).note(key, clock.elapsed());
    }

    fn accepted(
        &self,
        clock: &Clock,
        client: fn(K) -> Client,
    ) -> impl Iterator<Item = (Client, Vec<Duration>)>
    where
        K: Copy,
    {
        let logs = self.shards.iter().flat_map(|shard| lock(shard).accepted(clock.elapsed()));
        logs.map(move |(key, times)| (client(key), times))
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, Shard<K>> {
        lock(&self.shards[self.hasher.hash_one(key) as usize % self.shards.len()])
    }

    fn len(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).len()).sum()
    }

    fn sweep(&self, clock: &Clock) {
        for shard in &self.shards {
            // Locks one shard at a time, so the others keep deciding.
            lock(shard).sweep(clock.elapsed());
        }
    }
}

fn lock<T>(shard: &Mutex<T>) -> MutexGuard<'_, T> {
    // At worst, a panic during a change leaves one log too short or too long.
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
