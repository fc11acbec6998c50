use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use chrono::{DateTime, Utc};
use subtle::ConstantTimeEq;
use tokio::sync::Mutex;

use super::{ApiKey, Tier};
use crate::{
    clock::Clock,
    store::{self, Store, StoredKey},
};

/// How often changes are looked for: a revoked key is refused after this time on every node, well
/// within the five seconds that are promised.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often uses are written down.
const NOTE_USES_EVERY: Duration = Duration::from_secs(60);

/// A key in force.
#[derive(Debug)]
pub struct Key {
    pub id: i64,
    pub partner_id: i64,
    pub tier: Tier,
    hash: [u8; 32],
    expires_at: Option<DateTime<Utc>>,
    /// In milliseconds since 1970; 0 while not used since it was last written down.
    used_at: AtomicI64,
}

/// The keys in force, in memory. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Keys {
    store: Store,
    clock: Clock,
    known: Arc<ArcSwap<Known>>,
    /// Held while the database is asked.
    asking: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct Known {
    version: i64,
    /// Counts the times the database was asked.
    look: u64,
    by_prefix: HashMap<String, Arc<Key>>,
}

impl Keys {
    /// Reads the keys for the first time.
    pub async fn start(store: Store, clock: Clock) -> store::Result<Self> {
        let known = Known { version: -1, ..Known::default() };
        let keys = Self {
            store,
            clock,
            known: Arc::new(ArcSwap::from_pointee(known)),
            asking: Arc::default(),
        };
        keys.refresh().await?;
        Ok(keys)
    }

    /// The key in force that `key` is, if it is one that was known at the last look.
    pub fn known(&self, key: &ApiKey) -> Option<Arc<Key>> {
        let known = self.known.load();
        let found = known.by_prefix.get(key.prefix())?;
        let now = self.clock.now();
        // In constant time: how far a guess agrees must not show.
        let same = bool::from(found.hash.ct_eq(&key.hash()));
        if !same || found.expires_at.is_some_and(|end| end <= now) {
            return None;
        }
        found.used_at.store(now.timestamp_millis(), Ordering::Relaxed);
        Some(Arc::clone(found))
    }

    /// Asks the database, for a key that may have been made a moment ago; once for all who wait.
    pub async fn ask(&self, key: &ApiKey) -> store::Result<Option<Arc<Key>>> {
        let before = self.known.load().look;
        let _turn = self.asking.lock().await;
        // Two looks later, one of them began after this question was asked.
        if self.known.load().look < before + 2 {
            self.look().await?;
        }
        Ok(self.known(key))
    }

    /// Looks for changes.
    pub async fn refresh(&self) -> store::Result<()> {
        let _turn = self.asking.lock().await;
        self.look().await
    }

    /// Whoever calls this holds the turn.
    async fn look(&self) -> store::Result<()> {
        let before = self.known.load_full();
        let version = self.store.keys_version().await?;
        let by_prefix = if version == before.version {
            before.by_prefix.clone()
        } else {
            let stored = self.store.keys_in_force().await?;
            let key = |stored: StoredKey| {
                let earlier = before.by_prefix.get(&stored.prefix);
                (stored.prefix.clone(), Arc::new(Key::new(stored, earlier)))
            };
            stored.into_iter().map(key).collect()
        };
        let look = before.look + 1;
        self.known.store(Arc::new(Known { version, look, by_prefix }));
        Ok(())
    }

    /// Looks for changes for ever, and now and then writes down which keys were used.
    pub async fn watch(&self) {
        let mut noted_at = self.clock.elapsed();
        loop {
            self.clock.sleep(LOOK_EVERY).await;
            if let Err(error) = self.refresh().await {
                tracing::warn!(%error, "changes of keys could not be read");
            }
            if self.clock.elapsed() - noted_at >= NOTE_USES_EVERY {
                noted_at = self.clock.elapsed();
                if let Err(error) = self.note_uses().await {
                    tracing::warn!(%error, "the last use of keys could not be written down");
                }
            }
        }
    }

    /// Writes down when keys were last used.
    pub async fn note_uses(&self) -> store::Result<()> {
        let known = self.known.load_full();
        let uses: Vec<(i64, i64)> = known
            .by_prefix
            .values()
            .filter_map(|key| match key.used_at.swap(0, Ordering::Relaxed) {
                0 => None,
                at => Some((key.id, at)),
            })
            .collect();
        if uses.is_empty() {
            return Ok(());
        }
        self.store.note_key_uses(&uses).await
    }
}

impl Key {
    fn new(stored: StoredKey, earlier: Option<&Arc<Key>>) -> Self {
        let used_at = earlier.map_or(0, |earlier| earlier.used_at.load(Ordering::Relaxed));
        Self {
            id: stored.id,
            partner_id: stored.partner_id,
            tier: stored.tier,
            hash: stored.hash,
            expires_at: stored.expires_at,
            used_at: AtomicI64::new(used_at),
        }
    }
}
