use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use base::clock::Clock;
use chrono::{DateTime, Utc};
use domain::{scope::Scope, tier::Tier};
use limits::Quota;
use store::{self, KeyUse, Store, StoredKey};
use subtle::ConstantTimeEq;
use tokio::sync::Mutex;

use super::ApiKey;

/// Interval of the polls for changes. Within this time every node refuses a revoked key; the documented limit is five
/// seconds.
pub const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Interval at which the times of last use are saved.
const NOTE_USES_EVERY: Duration = Duration::from_secs(60);

/// A valid key. A copy: a reference count would be one more cache line that all requests with this key write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerKey {
    pub id: i64,
    pub partner_id: i64,
    pub tier: Tier,
    /// Scope of an operator's key.
    pub scope: Option<Scope>,
    /// Maximum number of requests per minute, if the key has a limit of its own.
    pub rate: Option<u32>,
    /// Whether the key is for pages of some origins. Everybody can read such a key in the page.
    pub is_of_pages: bool,
}

impl CallerKey {
    /// Whether the holder may own webhook subscriptions: a partner, or an administrator in the name of the operator.
    pub fn may_subscribe(&self) -> bool {
        !self.is_of_pages && (self.tier.may_subscribe() || self.scope == Some(Scope::Admin))
    }

    /// Limit of requests.
    pub fn quota(&self) -> Quota {
        let quota = *Quota::of(self.tier);
        Quota { requests: self.rate.or(quota.requests), ..quota }
    }
}

/// Description of a valid key.
#[derive(Clone, Debug)]
pub struct Holder {
    /// First characters of the key.
    pub prefix: Arc<str>,
    /// Name of the partner, or of the operator's person or tool.
    pub name: Arc<str>,
    pub expires_at: Option<DateTime<Utc>>,
    /// Origins of the pages that may use the key.
    pub origins: Arc<[String]>,
}

/// A valid key of a partner.
#[derive(Clone, Copy, Debug)]
pub struct HeldKey {
    pub key: CallerKey,
    pub expires_at: Option<DateTime<Utc>>,
}

/// The valid keys, in memory. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Keys {
    store: Store,
    clock: Clock,
    /// Replaced only when a key has changed.
    known: Arc<ArcSwap<Known>>,
    refreshes: Arc<Refreshes>,
    /// Held while uses are taken and saved, so that everything counted before [`Keys::note_uses`] is saved after it.
    saving: Arc<Mutex<()>>,
}

#[derive(Debug, Default)]
struct Known {
    /// Era and version of the keys: see [`Store::era`].
    version: (u64, i64),
    by_prefix: HashMap<String, KnownKey>,
}

/// A valid key, with what is counted.
#[derive(Debug)]
pub(crate) struct KnownKey {
    pub key: CallerKey,
    holder: Arc<str>,
    hash: [u8; 32],
    expires_at: Option<DateTime<Utc>>,
    origins: Arc<[String]>,
    /// Time of the last use, in milliseconds since 1970; 0 if not used since the last save.
    used_at: AtomicI64,
    requests: Counter,
    /// Requests that a limit refused.
    refused: Counter,
}

/// Number since the start of the process, a part of which is saved.
#[derive(Debug, Default)]
struct Counter {
    all: AtomicU64,
    saved: AtomicU64,
}

impl Counter {
    fn add_one(&self) {
        self.all.fetch_add(1, Ordering::Relaxed);
    }

    fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }

    /// Takes the number since the last save.
    fn take(&self) -> u64 {
        let all = self.all();
        all - self.saved.swap(all, Ordering::AcqRel)
    }

    fn copied(&self) -> Self {
        // First the smaller number, because both may grow in between.
        let saved = self.saved.load(Ordering::Acquire);
        Self { all: self.all().into(), saved: saved.into() }
    }
}

/// Counts and serializes the queries.
#[derive(Debug, Default)]
struct Refreshes {
    /// Held during a query.
    turn: Mutex<()>,
    done: AtomicU64,
}

impl Keys {
    /// Reads the keys for the first time.
    pub async fn start(store: Store, clock: Clock) -> store::Result<Self> {
        let known = Known { version: (0, -1), ..Known::default() };
        let known = Arc::new(ArcSwap::from_pointee(known));
        let (refreshes, saving) = Default::default();
        let keys = Self { store, clock, known, refreshes, saving };
        keys.refresh().await?;
        Ok(keys)
    }

    /// Returns the valid key that matches `key`, as of the last poll.
    pub fn known(&self, key: &ApiKey) -> Option<CallerKey> {
        self.read(key, |found| found.key)
    }

    /// Reads the valid key that matches `key`, as of the last poll.
    pub(crate) fn read<T>(&self, key: &ApiKey, read: impl FnOnce(&KnownKey) -> T) -> Option<T> {
        let known = self.known.load();
        let found = known.by_prefix.get(key.prefix())?;
        let now = self.clock.now();
        // In constant time, so that the duration doesn't reveal how much of a guess is right.
        let same = bool::from(found.hash.ct_eq(&key.hash()));
        if !same || found.expires_at.is_some_and(|end| end <= now) {
            return None;
        }
        found.note_use(now);
        Some(read(found))
    }

    /// Holder of a valid key.
    pub fn holder(&self, id: i64) -> Option<Holder> {
        let known = self.known.load();
        let (prefix, key) = known.by_prefix.iter().find(|(_, known)| known.key.id == id)?;
        let (prefix, name) = (prefix.as_str().into(), key.holder.clone());
        let (expires_at, origins) = (key.expires_at, key.origins.clone());
        Some(Holder { prefix, name, expires_at, origins })
    }

    /// Valid keys of a partner by their prefixes, without those of an operator with the same name.
    pub fn of_partner(&self, partner_id: i64) -> BTreeMap<String, HeldKey> {
        let now = self.clock.now();
        let known = self.known.load();
        let is_valid = |known: &KnownKey| {
            known.key.partner_id == partner_id
                && known.key.tier != Tier::Operator
                && known.expires_at.is_none_or(|end| now < end)
        };
        let held = known.by_prefix.iter().filter(|(_, known)| is_valid(known));
        held.map(|(prefix, KnownKey { key, expires_at, .. })| {
            (prefix.clone(), HeldKey { key: *key, expires_at: *expires_at })
        })
        .collect()
    }

    /// Number of requests with each valid key since the start of the process, with its prefix and tier.
    pub fn requests(&self) -> Vec<(String, Tier, u64)> {
        let known = self.known.load();
        let mut requests: Vec<_> = known
            .by_prefix
            .iter()
            .map(|(prefix, known)| (prefix.clone(), known.key.tier, known.requests.all()))
            .collect();
        requests.sort_unstable();
        requests
    }

    /// Queries the database for a key that may have been created a moment ago; once for all requests that wait.
    pub async fn ask(&self, key: &ApiKey) -> store::Result<Option<CallerKey>> {
        let before = self.refreshes.done.load(Ordering::Acquire);
        let _turn = self.refreshes.turn.lock().await;
        // If two queries have ended since, one of them began after this call.
        if self.refreshes.done.load(Ordering::Acquire) < before + 2 {
            self.refresh_in_turn().await?;
        }
        Ok(self.known(key))
    }

    /// Reads changes.
    pub async fn refresh(&self) -> store::Result<()> {
        let _turn = self.refreshes.turn.lock().await;
        self.refresh_in_turn().await
    }

    /// Reads changes. The caller must hold the turn.
    async fn refresh_in_turn(&self) -> store::Result<()> {
        let before = self.known.load_full();
        let version = (self.store.era(), self.store.keys().version().await?);
        if version != before.version {
            let stored = self.store.keys().in_force().await?;
            let known = |stored: StoredKey| {
                let earlier = before.by_prefix.get(&stored.prefix);
                (stored.prefix.clone(), KnownKey::new(&stored, earlier))
            };
            let by_prefix: HashMap<_, _> = stored.into_iter().map(known).collect();
            let is_gone = |prefix: &String| !by_prefix.contains_key(prefix);
            let gone = before.by_prefix.iter().filter(|(prefix, _)| is_gone(prefix));
            let uses = uses(gone.map(|(_, key)| key));
            self.known.store(Arc::new(Known { version, by_prefix }));
            if let Err(error) = self.save(uses).await {
                tracing::warn!(%error, "the last use of revoked keys could not be saved");
            }
        }
        self.refreshes.done.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// Polls for changes forever, and saves every minute which keys were used.
    pub async fn watch(&self) {
        let mut noted_at = self.clock.elapsed();
        let (mut changes, mut failing) = (self.store.key_changes(), false);
        loop {
            tokio::select! {
                () = self.clock.sleep(POLL_INTERVAL) => {}
                Ok(()) = changes.changed() => {}
            }
            changes.mark_unchanged();
            match self.refresh().await {
                Err(error) if !failing => {
                    tracing::warn!(%error, "changes to keys cannot be read");
                    failing = true;
                }
                Err(_) => {}
                Ok(()) if failing => {
                    tracing::info!("changes to keys can be read again");
                    failing = false;
                }
                Ok(()) => {}
            }
            if self.clock.elapsed() - noted_at >= NOTE_USES_EVERY {
                noted_at = self.clock.elapsed();
                if let Err(error) = self.note_uses().await {
                    tracing::warn!(%error, "the last use of keys could not be saved");
                }
            }
        }
    }

    /// Saves the times of last use.
    pub async fn note_uses(&self) -> store::Result<()> {
        let _turn = self.saving.lock().await;
        let uses = uses(self.known.load_full().by_prefix.values());
        self.save(uses).await
    }

    async fn save(&self, uses: Vec<KeyUse>) -> store::Result<()> {
        match uses.is_empty() {
            true => Ok(()),
            false => self.store.keys().note_uses(&uses).await,
        }
    }
}

/// Takes the uses of keys since the last save.
fn uses<'k>(keys: impl Iterator<Item = &'k KnownKey>) -> Vec<KeyUse> {
    keys.filter_map(|known| match known.used_at.swap(0, Ordering::Relaxed) {
        0 => None,
        used_at => {
            let (requests, refused) = (known.requests.take(), known.refused.take());
            Some(KeyUse { id: known.key.id, used_at, requests, refused })
        }
    })
    .collect()
}

impl KnownKey {
    fn new(stored: &StoredKey, earlier: Option<&KnownKey>) -> Self {
        let used_at = earlier.map_or(0, |earlier| earlier.used_at.load(Ordering::Relaxed));
        let count = |counter: fn(&KnownKey) -> &Counter| {
            earlier.map(|earlier| counter(earlier).copied()).unwrap_or_default()
        };
        let settings = &stored.settings;
        Self {
            key: CallerKey {
                id: stored.id,
                partner_id: stored.partner_id,
                tier: stored.tier,
                scope: stored.scope,
                rate: settings.rate,
                is_of_pages: !settings.origins.is_empty(),
            },
            holder: stored.holder.as_str().into(),
            hash: stored.hash,
            expires_at: stored.expires_at,
            origins: settings.origins.as_slice().into(),
            used_at: AtomicI64::new(used_at),
            requests: count(|earlier| &earlier.requests),
            refused: count(|earlier| &earlier.refused),
        }
    }

    /// Counts a request with the key.
    pub(crate) fn count(&self) {
        self.requests.add_one();
    }

    /// Counts that a limit refused the request.
    pub(crate) fn count_refusal(&self) {
        self.refused.add_one();
    }

    /// Whether a page of this origin may use the key.
    pub(crate) fn allows_origin(&self, origin: &[u8]) -> bool {
        self.origins.iter().any(|allowed| allowed.as_bytes() == origin)
    }

    /// Updates `used_at`, at most once per second. Writing at every use would make all cores that serve requests
    /// with this key contend for a cache line.
    fn note_use(&self, now: DateTime<Utc>) {
        let noted = self.used_at.load(Ordering::Relaxed);
        if noted.div_euclid(1_000) != now.timestamp() {
            self.used_at.store(now.timestamp_millis(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{Missing, open_url};

    use super::*;

    #[tokio::test]
    async fn a_look_that_finds_no_change_copies_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let keys = Keys::start(store.clone(), Clock::system()).await.unwrap();
        let before = keys.known.load_full();
        keys.refresh().await.unwrap();
        let unknown = ApiKey::generate(&base::random::Random::seeded(1));
        assert_eq!(keys.ask(&unknown).await.unwrap(), None);
        assert!(Arc::ptr_eq(&before, &keys.known.load_full()));
        store.close().await;
    }
}
