use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::super::{Client, WINDOW};

/// How many are remembered: 40 MB of them.
const MOST: usize = 1_000_000;

/// The requests that this node accepted by itself and that Redis has not been told of, oldest first.
#[derive(Debug, Default)]
pub(super) struct Unreported(Mutex<VecDeque<(Client, Duration)>>);

impl Unreported {
    /// Notes a request that was accepted at `at` on the clock. If there are too many, the oldest is
    /// forgotten.
    pub(super) fn push(&self, client: Client, at: Duration) {
        let mut entries = self.lock();
        let young = |at: Duration| at.saturating_sub(WINDOW);
        while entries.len() >= MOST || entries.front().is_some_and(|(_, first)| *first < young(at))
        {
            entries.pop_front();
        }
        entries.push_back((client, at));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Takes all of them out: of each client when it was, oldest first.
    pub(super) fn take(&self) -> HashMap<Client, Vec<Duration>> {
        let mut by_client: HashMap<Client, Vec<Duration>> = HashMap::new();
        for (client, at) in std::mem::take(&mut *self.lock()) {
            by_client.entry(client).or_default().push(at);
        }
        for times in by_client.values_mut() {
            // Late ones are noted late.
            times.sort_unstable();
        }
        by_client
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Client, Duration)>> {
        // It is never left half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        let expected =
            [1, 2].map(|key| (Client::Key(key), [1, 2, 3, 61].map(|at| SECOND * at).to_vec()));
        assert_eq!(unreported.take(), HashMap::from(expected));
        assert!(unreported.is_empty());
    }
}
