use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Client, MAX_STREAMS, Quota};

/// How many event streams each client holds open. Clones count together.
#[derive(Clone, Default)]
pub struct OpenStreams(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    by_client: HashMap<Client, u32>,
    all: u64,
}

/// One open stream, counted until its last clone is dropped.
#[derive(Clone, Debug)]
#[must_use = "a stream counts only while this is kept"]
pub struct OpenStream(#[expect(dead_code, reason = "counts by being dropped")] Arc<Counted>);

#[derive(Debug)]
struct Counted {
    streams: OpenStreams,
    client: Client,
}

impl OpenStreams {
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one more stream; `None` if the client has [`MAX_STREAMS`] open. A client without a limit
    /// to its requests has none to its streams.
    pub fn open(&self, client: Client, quota: &Quota) -> Option<OpenStream> {
        let mut counts = self.lock();
        let count = counts.by_client.entry(client).or_default();
        if quota.requests.is_some() && *count >= MAX_STREAMS {
            return None;
        }
        *count += 1;
        counts.all += 1;
        Some(OpenStream(Arc::new(Counted { streams: self.clone(), client })))
    }

    /// How many streams are open in all.
    pub fn count(&self) -> u64 {
        self.lock().all
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // A count is never left half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.streams.lock();
        counts.all -= 1;
        match counts.by_client.get_mut(&self.client) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                counts.by_client.remove(&self.client);
            }
        }
    }
}

impl fmt::Debug for OpenStreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStreams").field("clients", &self.lock().by_client.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::limit::Network;

    fn network(last: u8) -> Client {
        Client::Network(Network::of(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))))
    }

    #[test]
    fn a_client_opens_twenty_streams_and_no_more_until_it_closes_one() {
        for (client, quota) in [(network(1), Quota::PUBLIC), (Client::Key(1), Quota::PARTNER)] {
            let streams = OpenStreams::new();
            let mut open: Vec<_> = (0..20).map(|_| streams.open(client, &quota).unwrap()).collect();
            assert!(streams.open(client, &quota).is_none());
            assert!(streams.clone().open(client, &quota).is_none(), "clones count together");
            assert!(streams.open(network(2), &Quota::PUBLIC).is_some(), "others are not affected");
            open.pop();
            open.push(streams.open(client, &quota).unwrap());
            assert!(streams.open(client, &quota).is_none());
        }
    }

    #[test]
    fn without_a_limit_to_requests_there_is_none_to_streams() {
        let streams = OpenStreams::new();
        let open = |_| streams.open(Client::Key(1), &Quota::ENTERPRISE).unwrap();
        let open: Vec<_> = (0..100).map(open).collect();
        assert_eq!((streams.count(), open.len()), (100, 100));
    }

    #[test]
    fn nothing_is_kept_of_clients_without_streams() {
        let streams = OpenStreams::new();
        let one = |last| streams.open(network(last), &Quota::PUBLIC).unwrap();
        let open: Vec<_> = (0..=255).map(one).collect();
        let twice = one(1);
        assert_eq!((streams.count(), streams.lock().by_client.len()), (257, 256));
        drop(open);
        assert_eq!(streams.lock().by_client, HashMap::from([(network(1), 1)]));
        let clone = twice.clone();
        drop(twice);
        assert_eq!(streams.count(), 1, "a clone is the same stream");
        drop(clone);
        assert_eq!((streams.count(), streams.lock().by_client.len()), (0, 0));
    }

    #[test]
    fn a_guard_is_small() {
        assert_eq!(size_of::<Option<OpenStream>>(), size_of::<usize>());
    }
}
