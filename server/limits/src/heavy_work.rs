use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    num::NonZero,
    panic,
    sync::Arc,
    thread,
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task,
    time::timeout,
};

use super::Network;

/// Number of places per network.
const PLACES: usize = 2;
/// Number of shares. Two networks may get the same share by chance, but nobody can force a collision.
const SHARES: usize = 256;
/// Maximum wait for a place.
const PLACE_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs work that takes more than some milliseconds, such as rendering an image, on separate threads and on at most
/// half of the cores, so that everything else keeps running. A network has two places, so it delays others by at most
/// two of its jobs. Clones share the places.
#[derive(Clone)]
pub struct HeavyWork(Arc<HeavyWorkInner>);

struct HeavyWorkInner {
    shares: [Arc<Semaphore>; SHARES],
    hasher: RandomState,
    place_timeout: Duration,
    cores: Arc<Semaphore>,
}

/// Place for heavy work, held until it is dropped.
pub struct Permit {
    cores: Arc<Semaphore>,
    _share: OwnedSemaphorePermit,
}

/// Error: no place of the network became free in time.
#[derive(Clone, Copy, Debug)]
pub struct Busy;

impl Default for HeavyWork {
    fn default() -> Self {
        Self::new(PLACE_TIMEOUT)
    }
}

impl HeavyWork {
    fn new(place_timeout: Duration) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(HeavyWorkInner {
            shares: std::array::from_fn(|_| Arc::new(Semaphore::new(PLACES))),
            hasher: RandomState::new(),
            place_timeout,
            cores: Arc::new(Semaphore::new((cores / 2).max(1))),
        }))
    }

    /// Waits for one of the network's places.
    ///
    /// # Errors
    /// No place became free within five seconds.
    pub async fn place(&self, network: Network) -> Result<Permit, Busy> {
        let HeavyWorkInner { shares, hasher, place_timeout, cores } = &*self.0;
        let share = shares[hasher.hash_one(network) as usize % SHARES].clone();
        match timeout(*place_timeout, share.acquire_owned()).await {
            Ok(Ok(share)) => Ok(Permit { cores: cores.clone(), _share: share }),
            // Semaphores are never closed.
            Ok(Err(_)) | Err(_) => Err(Busy),
        }
    }
}

impl Permit {
    /// Runs the work when a core is free. A panic of the work is propagated.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let core = self.cores.clone().acquire_owned().await;
        let worked = task::spawn_blocking(move || {
            // Held until the work is done, even if the caller no longer waits for it.
            let _core = core;
            work()
        });
        match worked.await {
            Ok(done) => done,
            Err(error) => panic::resume_unwind(error.into_panic()),
        }
    }
}

impl fmt::Debug for HeavyWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeavyWork").field("cores", &self.0.cores).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn network(number: u8) -> Network {
        Network::of([192, 0, 2, number].into())
    }

    #[tokio::test]
    async fn a_network_has_two_places_and_others_have_theirs() {
        let work = HeavyWork::new(Duration::from_millis(100));
        let places = [work.place(network(1)).await.unwrap(), work.place(network(1)).await.unwrap()];
        assert!(work.place(network(1)).await.is_err(), "none comes free");
        let other = (2..=255).map(network).find(|other| {
            let share = |network| work.0.hasher.hash_one(network) as usize % SHARES;
            share(*other) != share(network(1))
        });
        let other = work.place(other.unwrap()).now_or_never().unwrap().unwrap();
        assert_eq!(other.run(|| 7).await, 7);
        drop(places);
        assert!(work.place(network(1)).await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_reaches_who_waits_and_frees_the_core() {
        let place = HeavyWork::default().place(network(1)).await.unwrap();
        let failing = panic::AssertUnwindSafe(place.run(|| -> u8 { panic!("no") }));
        assert!(failing.catch_unwind().await.is_err());
        assert_eq!(place.run(|| 1).await, 1);
    }
}
