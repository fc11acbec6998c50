use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::Network;

/// How many event streams each network holds open. Clones count together.
#[derive(Clone)]
pub struct OpenStreams(Arc<Streams>);

struct Streams {
    /// Maximum number for each network.
    most: u32,
    open: Mutex<HashMap<Network, u32>>,
}

/// One open stream, counted until it is dropped.
#[derive(Debug)]
#[must_use = "a stream counts only while this is kept"]
pub struct OpenStream {
    streams: OpenStreams,
    network: Network,
}

impl OpenStreams {
    /// A network may have at most `most` open.
    pub fn new(most: u32) -> Self {
        Self(Arc::new(Streams { most, open: Mutex::default() }))
    }

    /// Maximum number of streams that a network may have open at a time.
    pub fn most(&self) -> u32 {
        self.0.most
    }

    /// Counts one more stream; `None` if the network has [`most`](Self::most) open.
    pub fn open(&self, network: Network) -> Option<OpenStream> {
        let mut open = self.lock();
        let count = open.entry(network).or_default();
        if *count >= self.0.most {
            return None;
        }
        *count += 1;
        Some(OpenStream { streams: self.clone(), network })
    }

    /// How many streams are open in all.
    pub fn count(&self) -> u64 {
        self.lock().values().map(|count| u64::from(*count)).sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Network, u32>> {
        // A count is never left half changed.
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        match open.get_mut(&self.network) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                open.remove(&self.network);
            }
        }
    }
}

impl fmt::Debug for OpenStreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStreams").field("networks", &self.lock().len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn network(last: u8) -> Network {
        Network::of(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    #[test]
    fn a_network_opens_so_many_streams_and_no_more_until_it_closes_one() {
        let streams = OpenStreams::new(3);
        let mut open: Vec<_> = (0..3).map(|_| streams.open(network(1)).unwrap()).collect();
        assert!(streams.open(network(1)).is_none());
        assert!(streams.clone().open(network(1)).is_none(), "clones count together");
        assert!(streams.open(network(2)).is_some(), "others are not concerned");
        open.pop();
        open.push(streams.open(network(1)).unwrap());
        assert!(streams.open(network(1)).is_none());
    }

    #[test]
    fn nothing_is_kept_of_who_has_nothing_open() {
        let streams = OpenStreams::new(20);
        let open: Vec<_> = (0..=255).map(|last| streams.open(network(last)).unwrap()).collect();
        let twice = streams.open(network(1)).unwrap();
        assert_eq!(streams.lock().len(), 256);
        drop(open);
        assert_eq!(*streams.lock(), HashMap::from([(network(1), 1)]));
        drop(twice);
        assert!(streams.lock().is_empty());
    }

    #[test]
    fn a_guard_is_small() {
        assert!(size_of::<Option<OpenStream>>() <= 24);
    }
}
