//! Requests that Redis has missed.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use super::{
    super::{Client, WINDOW},
    lock,
};

/// Maximum number of remembered requests, which take 40 MB.
const MAX_REQUESTS: usize = 1_000_000;

/// Requests that this node accepted and Redis has missed, roughly oldest first.
#[derive(Debug, Default)]
pub(super) struct Unreported(Mutex<VecDeque<(Client, Duration)>>);

impl Unreported {
    /// Adds a request that was accepted at `at` on the clock. Beyond the maximum, the oldest is forgotten.
    pub(super) fn push(&self, client: Client, at: Duration) {
        let mut requests = self.lock();
        let is_old = |first: Duration| first < at.saturating_sub(WINDOW);
        while requests.len() >= MAX_REQUESTS
            || requests.front().is_some_and(|(_, first)| is_old(*first))
        {
            requests.pop_front();
        }
        requests.push_back((client, at));
    }

    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Removes up to `most` requests. Returns the times of each client, oldest first.
    pub(super) fn take(&self, most: usize) -> HashMap<Client, Vec<Duration>> {
        let mut by_client: HashMap<Client, Vec<Duration>> = HashMap::new();
        let mut requests = self.lock();
        let count = most.min(requests.len());
        for (client, at) in requests.drain(..count) {
            by_client.entry(client).or_default().push(at);
        }
        by_client.values_mut().for_each(|times| times.sort_unstable());
        by_client
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Client, Duration)>> {
        lock(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_is_older_than_a_window_is_forgotten_and_the_rest_is_sorted_by_client() {
        let unreported = Unreported::default();
        for at in [0, 1, 3, 2, 61] {
            unreported.push(Client::Key(1), SECOND * at);
            unreported.push(Client::Key(2), SECOND * at);
        }
        let taken = |most, seconds: &[u32]| {
            let times: Vec<_> = seconds.iter().map(|at| SECOND * *at).collect();
            let expected = [1, 2].map(|key| (Client::Key(key), times.clone()));
            assert_eq!(unreported.take(most), HashMap::from(expected));
        };
        taken(6, &[1, 2, 3]);
        taken(6, &[61]);
        assert!(unreported.is_empty());
    }
}
