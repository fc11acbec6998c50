//! In-memory index of all places. It finds the cities that a filter selects, as a bitmap, and the
//! rollups that add up to the filter. Places are nearly always only added, so updates usually read
//! only new rows.

use std::{
    collections::{BTreeSet, HashMap},
    pin::pin,
    sync::{Arc, PoisonError, RwLock},
};

use futures_util::{Stream, StreamExt, TryStreamExt, stream::TryChunksError};
use roaring::RoaringBitmap;
use smallvec::SmallVec;
use sqlx::AssertSqlSafe;

use super::{
    city_name::CityName,
    place::{CITY, COUNTRY, REGION, WORLD},
};
use crate::{
    counters::{markers::CityCounts, presence::bit},
    engine::sql::{self, Connection},
    error::{Error, Result},
    filter::PlaceFilter,
};

/// Number of rows in memory while the index is read. A row takes several times the memory of its
/// index entry.
const CHUNK: usize = 256;

/// Place index shared by all readers of a store.
#[derive(Debug, Default)]
pub(crate) struct SharedPlaceIndex(RwLock<PlaceIndex>);

impl SharedPlaceIndex {
    /// Returns the places whose rollups add up to `filter`. No report is counted under two of them. Reads
    /// no places for a filter that names none, so that a start does not wait for them.
    pub(crate) async fn scopes(
        &self,
        tx: &mut Connection,
        filter: &PlaceFilter,
    ) -> Result<Vec<i64>> {
        if filter.is_empty() {
            return Ok(vec![WORLD]);
        }
        self.with(tx, |index| index.scopes(filter)).await
    }

    /// Updates the index and passes it to `read`. Reads the places added since the last call, or
    /// all places if others were changed or removed.
    pub(crate) async fn with<T>(
        &self,
        tx: &mut Connection,
        read: impl FnOnce(&PlaceIndex) -> T,
    ) -> Result<T> {
        let (era, version, last) = {
            let index = self.0.read().unwrap_or_else(PoisonError::into_inner);
            (index.era, index.version, index.last_id)
        };
        if tx.era() < era {
            // The transaction belongs to a server that has been replaced, so its data is ignored.
            return Ok(read(&self.0.read().unwrap_or_else(PoisonError::into_inner)));
        }
        let is_other = tx.era() > era;
        // After a change of the era, all places are read again. The version -1 matches no stored
        // version.
        let stored = self.add_new(tx, if is_other { -1 } else { version }, last).await?;
        if stored > version || is_other {
            let mut index = PlaceIndex { era: tx.era(), version: stored, ..PlaceIndex::default() };
            // After changes, a place may have a lower id than its parent, so places are sorted by
            // level.
            let mut rows = pin!(rows_after(tx, 0, "p.level, p.id"));
            while let Some(row) = rows.try_next().await? {
                index.add(row)?;
            }
            let mut shared = self.0.write().unwrap_or_else(PoisonError::into_inner);
            // Another reader may have been faster.
            if (index.era, stored) > (shared.era, shared.version) {
                *shared = index;
            }
        }
        Ok(read(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Adds the places after `last`, unless the stored version of the places differs from
    /// `version`. Returns the stored version. In a snapshot from before the last change, the stored
    /// version is older, and the index is not changed.
    async fn add_new(&self, tx: &mut Connection, version: i64, last: i64) -> Result<i64> {
        let era = tx.era();
        let mut chunks = pin!(rows_after(tx, last, "p.id").try_chunks(CHUNK));
        let mut stored = version;
        while let Some(rows) = chunks.next().await {
            let rows = rows.map_err(|TryChunksError(_, error)| error)?;
            stored = rows.first().map_or(stored, |row| row.version);
            if stored != version {
                break;
            }
            if rows.iter().all(|row| row.id <= last) {
                continue;
            }
            let mut index = self.0.write().unwrap_or_else(PoisonError::into_inner);
            if index.version == version && index.era == era {
                // Another reader may have been faster.
                let last = index.last_id;
                rows.into_iter().filter(|row| row.id > last).try_for_each(|row| index.add(row))?;
            }
        }
        Ok(stored)
    }
}

/// Selects the places after `last`. If there are none, selects a single row with id 0, which
/// contains only the version.
fn rows_after(
    tx: &mut Connection,
    last: i64,
    order: &'static str,
) -> impl Stream<Item = Result<PlaceRow, sqlx::Error>> {
    let sql = format!(
        "SELECT d.places_version AS version, coalesce(p.id, 0) AS id, coalesce(p.level, 0) AS level,
                coalesce(p.country_key, '') AS country_key, coalesce(p.region_key, '') AS region_key,
                coalesce(p.city_key, '') AS city_key, coalesce(p.country, '') AS country,
                coalesce(p.region, '') AS region, coalesce(p.city, '') AS city
         FROM derived d LEFT JOIN places p ON p.id > $1
         WHERE d.id = 1 ORDER BY {order}"
    );
    sql::query_as(AssertSqlSafe(sql)).bind(last).fetch(tx)
}

#[derive(sqlx::FromRow)]
struct PlaceRow {
    version: i64,
    id: i64,
    level: i64,
    country_key: Box<str>,
    region_key: Box<str>,
    city_key: Box<str>,
    country: String,
    region: String,
    city: String,
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct PlaceIndex {
    /// Era of the data; see [`Connection::era`].
    era: u64,
    /// Number of changes and removals of places before the index was read.
    version: i64,
    last_id: i64,
    countries: HashMap<Arc<str>, Country>,
    /// Regions by region key. Regions of several countries may have the same key.
    regions: HashMap<Box<str>, SmallVec<[Region; 1]>>,
    /// Cities by city key. Nearly always one per key, so a bitmap for each key would take most of
    /// the memory.
    cities: HashMap<Box<str>, SmallVec<[u32; 4]>>,
    /// Cities by id. Ids are consecutive, and shared with countries and regions.
    names: Vec<Option<Arc<CityName>>>,
    /// Names and ids, in the order of the names.
    sorted: BTreeSet<(Arc<CityName>, u32)>,
    /// Interned names, because many cities share names of countries and regions.
    spellings: std::collections::HashSet<Arc<str>>,
}

#[derive(Debug)]
struct Country {
    id: i64,
    cities: RoaringBitmap,
}

#[derive(Debug)]
struct Region {
    id: i64,
    country_key: Box<str>,
    cities: RoaringBitmap,
}

impl PlaceIndex {
    /// See [`SharedPlaceIndex::scopes`]. The filter must not be empty.
    pub(crate) fn scopes(&self, filter: &PlaceFilter) -> Vec<i64> {
        if filter.city.is_some() {
            return self.select(filter).iter().map(i64::from).collect();
        }
        if let Some(region) = &filter.region {
            return self.regions_of(region, filter).map(|region| region.id).collect();
        }
        let country = filter.country.as_deref().and_then(|country| self.countries.get(country));
        country.map(|country| country.id).into_iter().collect()
    }

    /// Returns the cities that `filter` selects, of all that were ever published. The filter must
    /// not be empty.
    pub(crate) fn select(&self, filter: &PlaceFilter) -> RoaringBitmap {
        let parts = [
            filter.country.as_deref().map(|key| {
                self.countries.get(key).map(|country| country.cities.clone()).unwrap_or_default()
            }),
            filter.region.as_deref().map(|key| {
                let mut cities = RoaringBitmap::new();
                self.regions_of(key, filter).for_each(|region| cities |= &region.cities);
                cities
            }),
            filter.city.as_deref().map(|key| self.cities.get(key).into_iter().flatten().collect()),
        ];
        parts.into_iter().flatten().reduce(|left, right| left & right).unwrap_or_default()
    }

    /// Returns the highest id of a place.
    pub(crate) fn last_id(&self) -> i64 {
        self.last_id
    }

    /// Returns the cities among `selected`, or all cities for `None`.
    pub(crate) fn cities<'i>(
        &'i self,
        selected: Option<&'i RoaringBitmap>,
    ) -> impl Iterator<Item = (u32, &'i Arc<CityName>)> {
        let is_selected = move |id| selected.is_none_or(|cities| cities.contains(id));
        let cities = (0..).zip(&self.names).filter_map(|(id, name)| Some((id, name.as_ref()?)));
        cities.filter(move |(id, _)| is_selected(*id))
    }

    /// Returns the number of countries that contain `cities`.
    pub(crate) fn countries_among(&self, cities: &RoaringBitmap) -> u64 {
        let among = |country: &&Country| !country.cities.is_disjoint(cities);
        self.countries.values().filter(among).count() as u64
    }

    /// Returns a city with the given counts.
    pub(crate) fn city(&self, id: i64, counts: [u64; 3], all_time: [u64; 3]) -> Option<CityCounts> {
        let name = self.names.get(usize::try_from(id).ok()?)?.clone()?;
        Some(CityCounts { id, name, counts, all_time })
    }

    /// Returns the names of `cities`, in the order of country, region, city.
    pub(crate) fn names(&self, cities: &RoaringBitmap) -> Vec<Arc<CityName>> {
        let selected = self.sorted.iter().filter(|(_, id)| cities.contains(*id));
        selected.map(|(name, _)| name.clone()).collect()
    }

    fn regions_of<'i>(
        &'i self,
        key: &str,
        filter: &'i PlaceFilter,
    ) -> impl Iterator<Item = &'i Region> {
        let named = self.regions.get(key).map(SmallVec::as_slice).unwrap_or_default();
        named.iter().filter(|region| {
            filter.country.as_deref().is_none_or(|country| *country == *region.country_key)
        })
    }

    fn add(&mut self, row: PlaceRow) -> Result<()> {
        let id = row.id;
        match row.level {
            WORLD => return Ok(()),
            COUNTRY => {
                let country = Country { id, cities: RoaringBitmap::new() };
                self.countries.insert(row.country_key.into(), country);
            }
            REGION => {
                let country_key = row.country_key;
                let region = Region { id, country_key, cities: RoaringBitmap::new() };
                self.regions.entry(row.region_key).or_default().push(region);
            }
            CITY => self.add_city(bit(id)?, row),
            level => return Err(Error::Damaged(format!("level {level} of place {id}"))),
        }
        self.last_id = self.last_id.max(id);
        Ok(())
    }

    fn add_city(&mut self, id: u32, row: PlaceRow) {
        let PlaceRow { country_key, region_key, .. } = row;
        if let Some(country) = self.countries.get_mut(&*country_key) {
            country.cities.insert(id);
        }
        let regions =
            self.regions.get_mut(&region_key).map(SmallVec::as_mut_slice).unwrap_or_default();
        for region in regions.iter_mut().filter(|region| region.country_key == country_key) {
            region.cities.insert(id);
        }
        self.cities.entry(row.city_key).or_default().push(id);
        let names = [&row.country, &row.region, &row.city].map(|name| self.spelling(name));
        let name = Arc::new(CityName::sharing(names));
        self.sorted.insert((name.clone(), id));
        let index = id as usize;
        if self.names.len() <= index {
            self.names.resize(index + 1, None);
        }
        self.names[index] = Some(name);
    }

    fn spelling(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.spellings.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.spellings.insert(name.clone());
        name
    }
}
