//! Names and ids of cities.

use std::{
    cmp::Ordering,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::place::{CITY, COUNTRY, PlaceKey, REGION, Spelling};

/// Id of a place in the public API: a digest of its keys. So it stays the same in all nodes, in copies of
/// the database and after a rebuild, unlike the id of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(u64);

impl PlaceId {
    fn of(level: i64, PlaceKey { country, region, city }: &PlaceKey) -> Self {
        // No key contains a line feed.
        let text = format!("{level}\n{country}\n{region}\n{city}");
        let digest = Sha256::digest(text.as_bytes());
        Self(digest.iter().take(8).fold(0, |id, byte| id << 8 | u64::from(*byte)))
    }
}

impl fmt::Display for PlaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pl_{:016x}", self.0)
    }
}

impl Serialize for PlaceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Without the formatting of the standard library: lists have thousands.
        let mut text = *b"pl_0000000000000000";
        for (digit, shift) in text[3..].iter_mut().rev().zip((0..).step_by(4)) {
            *digit = b"0123456789abcdef"[(self.0 >> shift) as usize & 15];
        }
        serializer.serialize_str(str::from_utf8(&text).unwrap_or_default())
    }
}

/// A city and the country and region that it is in. In the order of country, region, city.
// Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CityName {
    /// Country in the spelling first published.
    pub country: Arc<str>,
    /// Region in the spelling first published; empty if none was reported.
    pub region: Arc<str>,
    /// City in the spelling first published.
    pub city: Arc<str>,
    id: CachedId,
}

/// Id of a city after it was computed once, which takes a microsecond: lists of places have
/// thousands. The names determine it, so it is not compared.
#[derive(Debug, Default)]
struct CachedId(AtomicU64);

impl CachedId {
    fn get_or(&self, compute: impl FnOnce() -> PlaceId) -> PlaceId {
        match self.0.load(Relaxed) {
            0 => {
                let id = compute();
                self.0.store(id.0, Relaxed);
                id
            }
            id => PlaceId(id),
        }
    }
}

impl Clone for CachedId {
    fn clone(&self) -> Self {
        Self(self.0.load(Relaxed).into())
    }
}

impl PartialEq for CachedId {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CachedId {}

impl PartialOrd for CachedId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CachedId {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl CityName {
    /// Creates a name from those of its country, region and city.
    pub fn of(names: [&str; 3]) -> Self {
        Self::sharing(names.map(Arc::from))
    }

    /// Like [`of`](Self::of), for names that other places share.
    pub(crate) fn sharing([country, region, city]: [Arc<str>; 3]) -> Self {
        Self { country, region, city, id: CachedId::default() }
    }

    /// Names of country, region and city.
    pub(crate) fn names(&self) -> [&str; 3] {
        [&self.country, &self.region, &self.city]
    }

    pub(crate) fn key(&self) -> PlaceKey {
        let [country, region, city] = self.names();
        Spelling { country, region, city }.key()
    }

    /// Id of the city.
    pub fn id(&self) -> PlaceId {
        self.id.get_or(|| PlaceId::of(CITY, &self.key()))
    }

    /// Id of the region that the city is in.
    pub fn region_id(&self) -> PlaceId {
        PlaceId::of(REGION, &PlaceKey { city: String::new(), ..self.key() })
    }

    /// Id of the country that the city is in.
    pub fn country_id(&self) -> PlaceId {
        let PlaceKey { country, .. } = self.key();
        PlaceId::of(COUNTRY, &PlaceKey { country, ..PlaceKey::default() })
    }
}

/// The names from the city to the country, such as `Campinas, São Paulo, Brazil`.
impl fmt::Display for CityName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { country, region, city, .. } = self;
        let named = [city, region, country].into_iter().filter(|name| !name.is_empty());
        f.write_str(&named.map(|name| &**name).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_text_in_json_and_in_a_message() {
        for id in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX].map(PlaceId) {
            assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
        }
    }

    #[test]
    fn an_id_depends_on_the_names_alone_and_stays_the_same() {
        let [one, same] = [["Brasil", "", "Campinas"], ["BR", "", "CAMPINAS"]].map(CityName::of);
        let id = one.id();
        assert_eq!([one.id(), one.clone().id(), same.id()], [id; 3]);
        assert_ne!(CityName::of(["Brazil", "SP", "Campinas"]).id(), id);
    }
}
