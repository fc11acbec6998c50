use std::{
    collections::HashMap,
    hash::{Hash, RandomState},
    time::Duration,
};

use super::super::{
    quota::Verdict,
    sliding_log::{Log, Now},
};

/// Time after which a rejected new client may try again, and during which no room is searched for.
const PAUSE: Duration = Duration::from_secs(1);

/// Logs of at most `most` clients.
///
/// To make room for a new client, a full shard forgets others: first those that were idle for a whole window, which
/// changes nothing, then those that used least, which get their quota back. A client that used half of its quota or
/// more is never forgotten, so it cannot reset its quota by filling the shard. If nobody can be forgotten, new
/// clients are rejected.
pub(super) struct Shard<K> {
    /// The hasher is seeded at random, so that nobody can forge networks that collide.
    logs: HashMap<K, Log, RandomState>,
    most: usize,
    /// Time of the next search for room, after a search that found too little. A search visits every log. It frees a
    /// quarter of them, so the cost per new client is a few visits.
    search_after: Duration,
}

impl<K: Eq + Hash> Shard<K> {
    pub(super) fn new(most: usize) -> Self {
        Self { logs: HashMap::default(), most, search_after: Duration::ZERO }
    }

    /// Decides on `count` requests together, and counts them if they are accepted.
    pub(super) fn take(&mut self, key: K, requests: u32, count: u32, elapsed: Duration) -> Verdict {
        let now = Now::new(elapsed);
        if let Some(log) = self.logs.get_mut(&key) {
            return log.take(now, requests, count);
        }
        if self.logs.len() >= self.most && !self.make_room(requests, elapsed) {
            return Verdict { accepted: false, remaining: 0, reset: PAUSE };
        }
        let mut log = Log::default();
        let verdict = log.take(now, requests, count);
        if verdict.accepted {
            self.logs.insert(key, log);
        }
        verdict
    }

    /// Remaining quota of a client.
    pub(super) fn peek(&mut self, key: &K, requests: u32, elapsed: Duration) -> Verdict {
        match self.logs.get_mut(key) {
            Some(log) => log.peek(Now::new(elapsed), requests),
            None => Verdict { accepted: requests > 0, remaining: requests, reset: Duration::ZERO },
        }
    }

    /// Adds a request that was accepted elsewhere. If there is no room even after forgetting others, the request is
    /// not recorded.
    pub(super) fn note(&mut self, key: K, elapsed: Duration) {
        let is_full = self.logs.len() >= self.most && !self.logs.contains_key(&key);
        if !is_full || self.make_room(u32::MAX, elapsed) {
            self.logs.entry(key).or_default().note(Now::new(elapsed));
        }
    }

    /// Times of the requests of each client, oldest first.
    pub(super) fn accepted(&mut self, elapsed: Duration) -> Vec<(K, Vec<Duration>)>
    where
        K: Copy,
    {
        let now = Now::new(elapsed);
        let times = |log: &mut Log| -> Vec<Duration> {
            log.ages(now).into_iter().map(|age| elapsed.saturating_sub(age)).collect()
        };
        self.logs.iter_mut().map(|(key, log)| (*key, times(log))).collect()
    }

    /// Drops idle clients and frees memory.
    pub(super) fn sweep(&mut self, elapsed: Duration) {
        let now = Now::new(elapsed);
        let mut busy = 0;
        for log in self.logs.values_mut() {
            log.expire(now);
            log.shrink();
            busy += usize::from(log.len() > 0);
        }
        if busy < self.logs.len() {
            // Room for twice the number of busy clients: about as many new ones are expected in the next minute.
            self.rebuild((2 * busy).min(self.most), |log| log.len() > 0);
        }
    }

    /// Forgets clients. Returns whether there is room now for a new client with the quota `requests`. All clients of
    /// a shard have the same quota.
    fn make_room(&mut self, requests: u32, elapsed: Duration) -> bool {
        if elapsed < self.search_after {
            return false;
        }
        let now = Now::new(elapsed);
        let busy = requests.div_ceil(2);
        // Number of clients by use: nothing, 1, 2, up to 4, up to 8, …
        let mut found = [0; CLASSES];
        for log in self.logs.values_mut() {
            log.expire(now);
            if log.len() < busy || log.len() == 0 {
                found[class(log.len())] += 1;
            }
        }
        let mut wanted = (self.most / 4).max(1);
        let mut go = found.map(|found: usize| {
            let go = found.min(wanted);
            wanted -= go;
            go
        });
        // All idle clients: forgetting them changes nothing.
        go[0] = found[0];
        if wanted > 0 {
            self.search_after = elapsed + PAUSE;
        }
        let forgotten: usize = go.iter().sum();
        if forgotten > 0 {
            self.rebuild(self.most, |log| {
                let go = &mut go[class(log.len())];
                let keep = *go == 0 || (log.len() >= busy && log.len() > 0);
                *go -= usize::from(!keep);
                keep
            });
        }
        forgotten > 0
    }

    /// Moves the logs that are kept to a map of that capacity. Removing the others in place would leave tombstones,
    /// which take up room until the map has grown to twice its size.
    fn rebuild(&mut self, capacity: usize, mut keep: impl FnMut(&Log) -> bool) {
        let mut kept = HashMap::with_capacity_and_hasher(capacity, self.logs.hasher().clone());
        kept.extend(self.logs.drain().filter(|(_, log)| keep(log)));
        self.logs = kept;
    }
}

const CLASSES: usize = 34;

/// Class of a number of requests: 0, 1, 2, up to 4, up to 8, …
fn class(used: u32) -> usize {
    match used {
        0 => 0,
        used => 1 + u64::from(used).next_power_of_two().trailing_zeros() as usize,
    }
}

impl<K> Shard<K> {
    pub(super) fn len(&self) -> usize {
        self.logs.len()
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.logs.capacity()
    }
}
