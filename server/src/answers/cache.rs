//! Answers by their question, the data version and the day: each is computed once, however many
//! requests wait for it.

use std::{hash::Hash, sync::Arc, time::Duration};

use base::cache::{Cache, Limits};

use super::snapshot::{Snapshot, State};

/// What a cached answer costs besides its bytes and the texts in its key, roughly.
pub(super) const OVERHEAD: usize = 512;

/// The answers to questions of one kind.
#[derive(Debug)]
pub(super) struct AnswerCache<Q, A>(Cache<Key<Q>, A>)
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    A: Send + Sync + 'static;

/// A question about the data of a version, on a day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key<Q> {
    question: Q,
    state: State,
}

impl<Q> Key<Q> {
    fn at(snapshot: &Snapshot, question: Q) -> Self {
        Self { question, state: snapshot.state() }
    }
}

/// An answer, or the error. Everyone who waits for the same computation gets the same.
pub(super) type Cached<A> = Result<Arc<A>, Arc<store::Error>>;

impl<Q, A> AnswerCache<Q, A>
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    A: Send + Sync + 'static,
{
    /// A cache of at most so many bytes, as `weigh` counts them.
    pub(super) fn new(max_bytes: u64, weigh: fn(&Q, &A) -> u32) -> Self {
        // Answers of older data are never asked for again.
        let idle = Some(Duration::from_secs(60));
        let limits = Limits { weight: max_bytes, idle, age: None };
        Self(Cache::new(limits, move |key: &Key<Q>, answer| weigh(&key.question, answer)))
    }

    /// The answer to a question about the data of a snapshot or newer, on its day.
    pub(super) async fn get<F>(
        &self,
        snapshot: &Snapshot,
        question: Q,
        compute: impl FnOnce() -> F,
    ) -> Cached<A>
    where
        F: Future<Output = Result<A, Arc<store::Error>>> + Send,
    {
        let key = Key::at(snapshot, question);
        if let Some(answer) = self.0.get(&key).await {
            return Ok(answer);
        }
        // Boxed, because it is large, and nearly every answer is in the cache.
        let compute = Box::pin(compute());
        self.0.get_or_try(key, async { compute.await.map(Arc::new) }).await
    }

    /// The answer, if it is there.
    pub(super) async fn known(&self, snapshot: &Snapshot, question: Q) -> Option<Arc<A>> {
        self.0.get(&Key::at(snapshot, question)).await
    }

    /// Whether the answer is there.
    pub(super) fn has(&self, snapshot: &Snapshot, question: Q) -> bool {
        self.0.contains_key(&Key::at(snapshot, question))
    }
}
