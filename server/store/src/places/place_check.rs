//! All stored places, and checks of them.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use roaring::RoaringBitmap;
use sqlx::FromRow;

use super::place::{CITY, COUNTRY, Lineage, PlaceKey, REGION, Spelling, WORLD};
use crate::{
    engine::sql::{self, Connection},
    error::Result,
};

/// Places of a database by id. Memory grows with their number.
#[derive(Default)]
pub(crate) struct PlaceCheck(HashMap<i64, Known>);

/// Stored place.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Known {
    pub id: i64,
    pub level: i64,
    pub parent_id: Option<i64>,
    #[sqlx(flatten)]
    pub key: PlaceKey,
    #[sqlx(flatten)]
    pub names: Names,
    /// Whether the key matches the names.
    #[sqlx(skip)]
    pub is_well_named: bool,
}

/// Names in the row of a place. Names below its level are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, FromRow)]
pub(crate) struct Names {
    pub country: String,
    pub region: String,
    pub city: String,
}

impl Names {
    pub(crate) fn spelling(&self) -> Spelling<'_> {
        Spelling { country: &self.country, region: &self.region, city: &self.city }
    }

    fn are(&self, spelling: &Spelling<'_>) -> bool {
        self.country == spelling.country
            && self.region == spelling.region
            && self.city == spelling.city
    }

    /// Returns the joined names, such as `Campinas, São Paulo, Brazil`; `None` if all are empty.
    pub(crate) fn joined(&self) -> Option<String> {
        let parts = [&self.city, &self.region, &self.country].map(String::as_str);
        let named: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// Returns the names of the country or region of a city with these names.
    pub(crate) fn of_level(&self, level: i64) -> Self {
        let mut names = self.clone();
        if level < CITY {
            names.city.clear();
        }
        if level < REGION {
            names.region.clear();
        }
        names
    }
}

impl Known {
    /// Returns the level and key of the correct parent.
    pub(crate) fn container(&self) -> Option<(i64, PlaceKey)> {
        let mut key = self.key.clone();
        match self.level {
            COUNTRY => return Some((WORLD, PlaceKey::default())),
            REGION => key.region.clear(),
            CITY => key.city.clear(),
            _ => return None,
        }
        Some((self.level - 1, key))
    }

    fn name(&self) -> String {
        self.names.joined().unwrap_or_else(|| match self.id {
            WORLD => "the world".to_owned(),
            id => format!("place {id}"),
        })
    }
}

impl PlaceCheck {
    pub(crate) async fn read(tx: &mut Connection) -> Result<Self> {
        let sql =
            "SELECT id, level, parent_id, country_key, region_key, city_key, country, region, city
             FROM places";
        let mut rows = sql::query_as::<Known>(sql).fetch(tx);
        let mut places = HashMap::new();
        while let Some(mut place) = rows.try_next().await? {
            place.is_well_named = place.names.spelling().key() == place.key;
            places.insert(place.id, place);
        }
        Ok(Self(places))
    }

    pub(crate) fn get(&self, id: i64) -> Option<&Known> {
        self.0.get(&id)
    }

    /// Returns the places under which a report of `city` is counted; `None` if it is not a city or
    /// one of them is missing.
    pub(crate) fn lineage(&self, city: i64) -> Option<Lineage> {
        let region = self.get(city).filter(|place| place.level == CITY)?.parent_id?;
        let country = self.get(region)?.parent_id?;
        self.get(country)?;
        Some(Lineage { country, region, city })
    }

    /// Whether `place` is the city that `spelling` names.
    pub(crate) fn is_named(&self, place: i64, spelling: &Spelling<'_>) -> bool {
        self.get(place).filter(|place| place.level == CITY).is_some_and(|place| {
            // Compares the names first, because folding is slow and most reports have the same
            // spelling as the place.
            (place.is_well_named && place.names.are(spelling)) || spelling.key() == place.key
        })
    }

    /// Returns the name of a place for messages.
    pub(crate) fn name(&self, id: i64) -> String {
        self.get(id).map_or_else(|| format!("place {id}"), Known::name)
    }

    /// Returns the places with a parent that does not match their key, or without one.
    pub(crate) fn astray(&self) -> Vec<&Known> {
        let astray = |place: &&Known| {
            let container = place.container();
            let parent = place.parent_id.and_then(|id| self.get(id));
            container != parent.map(|parent| (parent.level, parent.key.clone()))
        };
        let mut astray: Vec<&Known> = self.0.values().filter(astray).collect();
        astray.sort_unstable_by_key(|place| (place.level, place.id));
        astray
    }

    /// Returns the places that are neither in `used` nor contain a place in it.
    pub(crate) fn unused(&self, used: &RoaringBitmap) -> Vec<i64> {
        let mut needed: std::collections::HashSet<i64> = std::collections::HashSet::from([WORLD]);
        for id in used {
            let mut next = Some(i64::from(id));
            while let Some(place) = next.filter(|id| needed.insert(*id)) {
                next = self.get(place).and_then(|place| place.parent_id);
            }
        }
        let mut unused: Vec<i64> =
            self.0.keys().copied().filter(|id| !needed.contains(id)).collect();
        unused.sort_unstable();
        unused
    }
}
