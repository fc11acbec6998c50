//! A cache of answers by query, data version and day: each is computed once for all concurrent requests.

use std::{hash::Hash, sync::Arc, time::Duration};

use base::cache::{Cache, Limits};

use super::snapshot::{DataState, Snapshot};

/// Approximate size of a cached answer besides its bytes and the texts in its key.
pub(super) const OVERHEAD: usize = 512;

/// Cached answers to queries of one kind.
#[derive(Debug)]
pub(super) struct QueryCache<Q, A>(Cache<CacheKey<Q>, A>)
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    A: Send + Sync + 'static;

/// A query on the data of a version, on a day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CacheKey<Q> {
    question: Q,
    state: DataState,
}

impl<Q> CacheKey<Q> {
    fn at(snapshot: &Snapshot, question: Q) -> Self {
        Self { question, state: snapshot.state() }
    }
}

/// The answer or the error. All requests that wait for the same computation get the same result.
pub(super) type Cached<A> = Result<Arc<A>, Arc<store::Error>>;

impl<Q, A> QueryCache<Q, A>
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    A: Send + Sync + 'static,
{
    /// Makes a cache with a maximum size in bytes, as `weigh` counts them.
    pub(super) fn new(max_bytes: u64, weigh: fn(&Q, &A) -> u32) -> Self {
        // Answers about older data are never requested again.
        let idle = Some(Duration::from_secs(60));
        let limits = Limits { weight: max_bytes, idle, age: None };
        Self(Cache::new(limits, move |key: &CacheKey<Q>, answer| weigh(&key.question, answer)))
    }

    /// Returns the answer for the data of a snapshot or newer, on its day.
    pub(super) async fn get<F>(
        &self,
        snapshot: &Snapshot,
        question: Q,
        compute: impl FnOnce() -> F + Send,
    ) -> Cached<A>
    where
        F: Future<Output = Result<A, Arc<store::Error>>> + Send,
    {
        let key = CacheKey::at(snapshot, question);
        if let Some(answer) = self.0.get(&key).await {
            return Ok(answer);
        }
        // Boxed, because the future is large, and nearly every answer is cached.
        Box::pin(self.0.get_or_try(key, async { compute().await.map(Arc::new) })).await
    }

    /// Returns the answer if it is cached.
    pub(super) async fn known(&self, snapshot: &Snapshot, question: Q) -> Option<Arc<A>> {
        self.0.get(&CacheKey::at(snapshot, question)).await
    }

    /// Whether the answer is cached.
    pub(super) fn has(&self, snapshot: &Snapshot, question: Q) -> bool {
        self.0.contains_key(&CacheKey::at(snapshot, question))
    }
}
