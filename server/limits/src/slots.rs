use std::{
    any::Any,
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Number of open slots of each client, such as streams. Clones share their counts.
pub struct Slots<K>(Arc<Mutex<Counts<K>>>);

struct Counts<K> {
    by_client: HashMap<K, u32>,
    all: u64,
}

/// Counted slot, until its last clone is dropped.
#[derive(Clone)]
#[must_use = "a slot counts only while this is kept"]
pub struct Slot(
    #[expect(dead_code, reason = "counts by being dropped")] Arc<dyn Any + Send + Sync>,
);

struct Taken<K: Eq + Hash> {
    slots: Slots<K>,
    client: K,
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> Slots<K> {
    /// Counts one more slot; `None` if the client already has `most`.
    pub fn take(&self, client: K, most: Option<u32>) -> Option<Slot> {
        let mut counts = self.lock();
        let count = counts.by_client.entry(client).or_default();
        if most.is_some_and(|most| *count >= most) {
            return None;
        }
        *count += 1;
        counts.all += 1;
        Some(Slot::new(Taken { slots: self.clone(), client }))
    }

    /// Number of slots of a client.
    pub(super) fn of(&self, client: K) -> u32 {
        self.lock().by_client.get(&client).copied().unwrap_or_default()
    }

    /// Clients with at least one slot.
    pub(super) fn clients(&self) -> Vec<K> {
        self.lock().by_client.keys().copied().collect()
    }
}

impl Slot {
    /// Slot that drops `taken` at its end.
    pub(super) fn new(taken: impl Send + Sync + 'static) -> Self {
        Self(Arc::new(taken))
    }
}

impl<K> Slots<K> {
    /// Number of slots of all clients.
    pub fn count(&self) -> u64 {
        self.lock().all
    }

    fn lock(&self) -> MutexGuard<'_, Counts<K>> {
        // A count is never left half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for Taken<K> {
    fn drop(&mut self) {
        let mut counts = self.slots.lock();
        counts.all -= 1;
        match counts.by_client.get_mut(&self.client) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                counts.by_client.remove(&self.client);
            }
        }
    }
}

impl<K> Default for Slots<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Counts { by_client: HashMap::new(), all: 0 })))
    }
}

impl<K> Clone for Slots<K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K> fmt::Debug for Slots<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slots").field("count", &self.count()).finish()
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slot")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_takes_so_many_and_no_more_until_it_gives_one_back() {
        let slots = Slots::default();
        let mut taken: Vec<_> = (0..3).map(|_| slots.take(1, Some(3)).unwrap()).collect();
        assert!(slots.take(1, Some(3)).is_none());
        assert!(slots.clone().take(1, Some(3)).is_none(), "clones count together");
        assert!(slots.take(2, Some(3)).is_some(), "others are not affected");
        taken.pop();
        taken.push(slots.take(1, Some(3)).unwrap());
        assert!(slots.take(1, Some(3)).is_none());
        assert!(slots.take(1, None).is_some(), "without a limit, there is always one more");
    }

    #[test]
    fn nothing_is_kept_of_clients_that_have_none() {
        let slots = Slots::default();
        let taken: Vec<_> = (0..=255).map(|client| slots.take(client, Some(20)).unwrap()).collect();
        let twice = slots.take(1, Some(20)).unwrap();
        assert_eq!((slots.count(), slots.lock().by_client.len()), (257, 256));
        drop(taken);
        assert_eq!(slots.lock().by_client, HashMap::from([(1, 1)]));
        let clone = twice.clone();
        drop(twice);
        assert_eq!(slots.count(), 1, "a clone is the same");
        drop(clone);
        assert_eq!((slots.count(), slots.lock().by_client.len()), (0, 0));
    }
}
