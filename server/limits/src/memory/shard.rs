use std::{
    collections::HashMap,
    hash::{Hash, RandomState},
    time::Duration,
};

use super::super::{
    quota::Verdict,
    sliding_log::{Log, Now},
};

/// When a newcomer that finds no room may try again, and until when no room is looked for.
const PAUSE: Duration = Duration::from_secs(1);

/// The logs of some clients, `most` of them.
///
/// A newcomer to a full shard makes it forget: first who has been idle for a whole window, which
/// changes nothing; then those who used least, who may then use that much again. Who used half of
/// its quota or more is never forgotten, so that nobody who is near its end starts anew by filling
/// the shard. If there is nobody to forget, newcomers are refused.
pub(super) struct Shard<K> {
    /// The hasher is seeded at random, so that nobody can make up networks that collide.
    logs: HashMap<K, Log, RandomState>,
    most: usize,
    /// Looking for room costs a visit to every log. A quarter of them goes at a time, so a newcomer
    /// pays for a few visits; where less is found, this is when it is looked for again.
    search_after: Duration,
}

impl<K: Eq + Hash> Shard<K> {
    pub(super) fn new(most: usize) -> Self {
        Self { logs: HashMap::default(), most, search_after: Duration::ZERO }
    }

    pub(super) fn take(&mut self, key: K, requests: u32, elapsed: Duration) -> Verdict {
        let now = Now::new(elapsed);
        if let Some(log) = self.logs.get_mut(&key) {
            return log.take(now, requests);
        }
        if self.logs.len() >= self.most && !self.make_room(requests, elapsed) {
            return Verdict { accepted: false, remaining: 0, reset: PAUSE };
        }
        let mut log = Log::default();
        let verdict = log.take(now, requests);
        if verdict.accepted {
            self.logs.insert(key, log);
        }
        verdict
    }

    /// What is left of a client's quota.
    pub(super) fn look(&mut self, key: &K, requests: u32, elapsed: Duration) -> Verdict {
        match self.logs.get_mut(key) {
            Some(log) => log.look(Now::new(elapsed), requests),
            None => Verdict { accepted: requests > 0, remaining: requests, reset: Duration::ZERO },
        }
    }

    /// Notes a request that somebody else has accepted. If there is no room even after the others were
    /// forgotten, it goes unnoted.
    pub(super) fn note(&mut self, key: K, elapsed: Duration) {
        let is_full = self.logs.len() >= self.most && !self.logs.contains_key(&key);
        if !is_full || self.make_room(u32::MAX, elapsed) {
            self.logs.entry(key).or_default().note(Now::new(elapsed));
        }
    }

    /// When the requests of each client were, oldest first.
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

    /// Drops who is idle and gives memory back.
    pub(super) fn sweep(&mut self, elapsed: Duration) {
        let now = Now::new(elapsed);
        let mut busy = 0;
        for log in self.logs.values_mut() {
            log.expire(now);
            log.shrink();
            busy += usize::from(log.len() > 0);
        }
        if busy < self.logs.len() {
            // As many come in a minute as are busy now, if it goes on like this.
            self.rebuild((2 * busy).min(self.most), |log| log.len() > 0);
        }
    }

    /// Forgets clients; whether that made room for a newcomer with the quota `requests`, by which
    /// the others are judged too, since all clients of a shard have the same.
    fn make_room(&mut self, requests: u32, elapsed: Duration) -> bool {
        if elapsed < self.search_after {
            return false;
        }
        let now = Now::new(elapsed);
        let busy = requests.div_ceil(2);
        // How many used how much: nothing, 1, 2, up to 4, up to 8, …
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
        // All of the idle: they are no loss.
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

    /// Moves who is kept to a map of that capacity. Removing the others in place would leave marks
    /// behind that take up room as if they were still there, until the map grew to twice its size.
    fn rebuild(&mut self, capacity: usize, mut keep: impl FnMut(&Log) -> bool) {
        let mut kept = HashMap::with_capacity_and_hasher(capacity, self.logs.hasher().clone());
        kept.extend(self.logs.drain().filter(|(_, log)| keep(log)));
        self.logs = kept;
    }
}

const CLASSES: usize = 34;

/// 0, 1, 2, up to 4, up to 8, …
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
