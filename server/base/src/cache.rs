//! In-memory cache of a bounded weight. Concurrent requests for a missing value share one
//! computation. When the cache is full, the entries that were not read for the longest time go first.
//!
//! A wrapper of moka with the types of keys and values erased. moka is generic code: a separate
//! cache for each of the 17 pairs of types took a fifth of the compile work (1.2 of 5.4 million lines
//! of LLVM IR), and 2.5 MB of the binary. The wrapper costs one allocation per entry.

use std::{
    any::Any,
    borrow::Borrow,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    time::Duration,
};

// Keys have many small fields. Of the instructions of a request for a cached page, the standard hasher took 7 %.
use foldhash::quality::RandomState;
use moka::policy::EvictionPolicy;

/// Entries by key. Cheap to clone; clones share the entries.
pub struct Cache<K, V> {
    entries: moka::future::Cache<StoredKey, Entry, RandomState>,
    weigh: Arc<Weigh<K, V>>,
    _types: PhantomData<fn(K) -> V>,
}

type Weigh<K, V> = dyn Fn(&K, &V) -> u32 + Send + Sync;

/// Maximum size of a cache, and lifetime of its entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum sum of the weights of all entries.
    pub weight: u64,
    /// Entries not read for this long are dropped.
    pub idle: Option<Duration>,
    /// Entries of this age are dropped.
    pub age: Option<Duration>,
}

type Computed = Result<Entry, AnyArc>;
type AnyArc = Arc<dyn Any + Send + Sync>;

#[derive(Clone)]
struct Entry {
    value: AnyArc,
    weight: u32,
}

impl<K, V> Cache<K, V>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Send + Sync + 'static,
{
    pub fn new(limits: Limits, weigh: impl Fn(&K, &V) -> u32 + Send + Sync + 'static) -> Self {
        Self { entries: entries(limits), weigh: Arc::new(weigh), _types: PhantomData }
    }

    pub async fn get(&self, key: &K) -> Option<Arc<V>> {
        let key: &dyn AnyKey = key;
        self.entries.get(key).await.and_then(|entry| entry.value.downcast().ok())
    }

    pub fn contains_key(&self, key: &K) -> bool {
        let key: &dyn AnyKey = key;
        self.entries.contains_key(key)
    }

    pub async fn insert(&self, key: K, value: Arc<V>) {
        let entry = self.entry(&key, value);
        self.entries.insert(StoredKey(Arc::new(key)), entry).await;
    }

    pub async fn remove(&self, key: &K) {
        let key: &dyn AnyKey = key;
        self.entries.invalidate(key).await;
    }

    /// Returns the value of a key. A missing value is computed by `compute`, unless another caller
    /// is already computing it.
    ///
    /// # Errors
    /// The error of the computation, returned to all callers that waited for it. Errors are not
    /// cached.
    pub async fn get_or_try<E>(
        &self,
        key: K,
        compute: impl Future<Output = Result<Arc<V>, E>> + Send,
    ) -> Result<Arc<V>, E>
    where
        K: Clone,
        E: Clone + Send + Sync + 'static,
    {
        let own = key.clone();
        let compute: Pin<Box<dyn Future<Output = Computed> + Send + '_>> = Box::pin(async {
            match compute.await {
                Ok(value) => Ok(self.entry(&own, value)),
                Err(error) => Err(Arc::new(error) as AnyArc),
            }
        });
        match self.entries.try_get_with(StoredKey(Arc::new(key)), compute).await {
            Ok(entry) => Ok(typed(entry.value)),
            Err(error) => Err(Arc::unwrap_or_clone(typed(AnyArc::clone(&error)))),
        }
    }

    fn entry(&self, key: &K, value: Arc<V>) -> Entry {
        Entry { weight: (self.weigh)(key, &value), value }
    }

    /// Number of entries, after evicting those beyond the limits.
    pub async fn count(&self) -> u64 {
        self.entries.run_pending_tasks().await;
        self.entries.entry_count()
    }
}

/// Restores the type of a value of a cache whose entries all have this type.
fn typed<T: Send + Sync + 'static>(value: AnyArc) -> Arc<T> {
    match value.downcast() {
        Ok(value) => value,
        Err(_) => unreachable!("a cache has values of one type"),
    }
}

fn entries(limits: Limits) -> moka::future::Cache<StoredKey, Entry, RandomState> {
    let mut entries = moka::future::Cache::builder()
        .max_capacity(limits.weight)
        // moka's default refuses new entries in favour of those read more often. Most keys contain a
        // data version: entries of old versions were read often, but never will be again.
        .eviction_policy(EvictionPolicy::lru())
        .weigher(|_, entry: &Entry| entry.weight);
    if let Some(idle) = limits.idle {
        entries = entries.time_to_idle(idle);
    }
    if let Some(age) = limits.age {
        entries = entries.time_to_live(age);
    }
    entries.build_with_hasher(RandomState::default())
}

impl<K, V> Clone for Cache<K, V> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), weigh: self.weigh.clone(), _types: PhantomData }
    }
}

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cache").finish_non_exhaustive()
    }
}

/// A key of any type. It equals only keys of the same type.
trait AnyKey: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn is(&self, other: &dyn AnyKey) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<K: Eq + Hash + Send + Sync + 'static> AnyKey for K {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is(&self, other: &dyn AnyKey) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl PartialEq for dyn AnyKey {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}

impl Eq for dyn AnyKey {}

impl Hash for dyn AnyKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.hash_into(hasher);
    }
}

#[derive(Clone)]
struct StoredKey(Arc<dyn AnyKey>);

// Not derived, because the derived code would move out of the `Arc`.
impl PartialEq for StoredKey {
    fn eq(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }
}

impl Eq for StoredKey {}

impl Hash for StoredKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (*self.0).hash(hasher);
    }
}

impl Borrow<dyn AnyKey> for StoredKey {
    fn borrow(&self) -> &(dyn AnyKey + 'static) {
        &*self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;

    use super::*;

    fn cache() -> Cache<String, u32> {
        let limits = Limits { weight: 100, ..Limits::default() };
        Cache::new(limits, |_: &String, value| *value)
    }

    #[tokio::test]
    async fn a_value_is_computed_once_for_all_who_ask_at_the_same_time() {
        let (cache, computed) = (cache(), AtomicU32::new(0));
        let ask = || {
            cache.get_or_try("a".to_owned(), async {
                tokio::task::yield_now().await;
                computed.fetch_add(1, Ordering::Relaxed);
                Ok::<_, String>(Arc::new(7))
            })
        };
        let answers = join_all([ask(), ask(), ask()]).await;
        assert_eq!(answers, [7, 7, 7].map(|value| Ok(Arc::new(value))));
        assert_eq!(computed.into_inner(), 1);
        assert_eq!(cache.get(&"a".to_owned()).await, Some(Arc::new(7)));
    }

    #[tokio::test]
    async fn an_error_reaches_all_who_waited_and_is_not_kept() {
        let cache = cache();
        let fail = || {
            cache.get_or_try("a".to_owned(), async {
                tokio::task::yield_now().await;
                Err("no".to_owned())
            })
        };
        let answers = join_all([fail(), fail()]).await;
        assert_eq!(answers, [Err("no".to_owned()), Err("no".to_owned())]);
        assert!(!cache.contains_key(&"a".to_owned()));
        let value = cache.get_or_try("a".to_owned(), async { Ok::<_, String>(Arc::new(1)) });
        assert_eq!(value.await, Ok(Arc::new(1)));
    }

    #[tokio::test]
    async fn entries_weigh_no_more_than_the_limit() {
        let cache = cache();
        for number in 0..50 {
            cache.insert(number.to_string(), Arc::new(20)).await;
        }
        assert!((1..=5).contains(&cache.count().await), "{}", cache.count().await);
        cache.insert("too heavy".to_owned(), Arc::new(101)).await;
        cache.count().await;
        assert!(!cache.contains_key(&"too heavy".to_owned()));
    }

    #[tokio::test]
    async fn a_new_entry_displaces_older_ones_however_often_they_were_read() {
        let cache = cache();
        for key in ["a", "b", "c", "d", "e"].map(str::to_owned) {
            cache.insert(key.clone(), Arc::new(20)).await;
            for _ in 0..20 {
                assert!(cache.get(&key).await.is_some());
            }
        }
        cache.insert("new".to_owned(), Arc::new(20)).await;
        assert_eq!(cache.count().await, 5);
        assert!(cache.contains_key(&"new".to_owned()));
        assert!(!cache.contains_key(&"a".to_owned()));
    }
}
