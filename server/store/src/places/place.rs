//! Finding or creating the places of reports. Different spellings can refer to the same place.

use std::{collections::HashMap, fmt};

use domain::{place_filter::PlaceFilter, report::NewReport};
use geo::places::{country_key, fold};

use crate::{
    Store,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::Result,
};

/// Id of the world's row.
pub(crate) const WORLD: i64 = 0;

pub(crate) const COUNTRY: i64 = 1;
pub(crate) const REGION: i64 = 2;
pub(crate) const CITY: i64 = 3;

/// Identity of a city: ISO code or folded name of the country, and folded names of the region and
/// city.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, sqlx::FromRow)]
pub(crate) struct PlaceKey {
    #[sqlx(rename = "country_key")]
    pub country: String,
    #[sqlx(rename = "region_key")]
    pub region: String,
    #[sqlx(rename = "city_key")]
    pub city: String,
}

impl fmt::Display for PlaceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { country, region, city } = self;
        write!(f, "{country}/{region}/{city}")
    }
}

/// Names of a place as spelled in one report.
#[derive(Clone, Debug)]
pub(crate) struct Spelling<'a> {
    pub country: &'a str,
    pub region: &'a str,
    pub city: &'a str,
}

impl<'a> From<&'a NewReport> for Spelling<'a> {
    fn from(report: &'a NewReport) -> Self {
        Self { country: &report.country, region: &report.region, city: &report.city }
    }
}

impl Spelling<'_> {
    pub(crate) fn key(&self) -> PlaceKey {
        PlaceKey {
            country: country_key(self.country),
            region: fold(self.region),
            city: fold(self.city),
        }
    }
}

/// Ids of a city and of its country and region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Lineage {
    pub country: i64,
    pub region: i64,
    pub city: i64,
}

impl Lineage {
    /// Returns all places under which a report of the city is counted.
    pub(crate) fn counted_under(self) -> [i64; 4] {
        [WORLD, self.country, self.region, self.city]
    }
}

impl Store {
    /// Whether a report from this place was ever published. Always true for an empty filter.
    pub async fn has_published(&self, place: &PlaceFilter) -> Result<bool> {
        let PlaceFilter { country, region, city } = place;
        let level = match place {
            PlaceFilter { city: Some(_), .. } => CITY,
            PlaceFilter { region: Some(_), .. } => REGION,
            PlaceFilter { country: Some(_), .. } => COUNTRY,
            _ => return Ok(true),
        };
        let sql = "SELECT id FROM places
             WHERE level = $1 AND ($2 IS NULL OR country_key = $2)
               AND ($3 IS NULL OR region_key = $3) AND ($4 IS NULL OR city_key = $4)
             LIMIT 1";
        let found: Option<i64> = sql::query_scalar(sql)
            .bind(level)
            .bind(country.as_deref())
            .bind(region.as_deref())
            .bind(city.as_deref())
            .fetch_optional(&self.readers)
            .await?;
        Ok(found.is_some())
    }
}

/// Finds the cities of `spellings`, in the given order. Creates missing ones with the first
/// spelling.
pub(crate) async fn resolve(
    tx: &mut Connection,
    spellings: &[Spelling<'_>],
) -> Result<Vec<Lineage>> {
    let keys: Vec<PlaceKey> = spellings.iter().map(Spelling::key).collect();
    let mut distinct: Vec<&PlaceKey> = keys.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut known = find_cities(tx, &distinct).await?;
    let mut maker = Maker::new(tx);
    let mut lineages = Vec::with_capacity(keys.len());
    for (key, spelling) in keys.into_iter().zip(spellings) {
        let lineage = match known.get(&key) {
            Some(lineage) => *lineage,
            None => {
                let lineage = maker.city(&key, spelling).await?;
                known.insert(key, lineage);
                lineage
            }
        };
        lineages.push(lineage);
    }
    Ok(lineages)
}

#[derive(sqlx::FromRow)]
struct CityRow {
    #[sqlx(flatten)]
    key: PlaceKey,
    #[sqlx(flatten)]
    lineage: Lineage,
}

async fn find_cities(
    tx: &mut Connection,
    keys: &[&PlaceKey],
) -> Result<HashMap<PlaceKey, Lineage>> {
    let rows: Vec<CityRow> = bulk::select_matching(
        tx,
        "SELECT c.id AS city, c.parent_id AS region, r.parent_id AS country,
                c.country_key, c.region_key, c.city_key
         FROM places c JOIN places r ON r.id = c.parent_id
         WHERE c.level = 3 AND (c.country_key, c.region_key, c.city_key)",
        keys,
        |query, key| query.bind(&*key.country).bind(&*key.region).bind(&*key.city),
    )
    .await?;
    Ok(rows.into_iter().map(|CityRow { key, lineage }| (key, lineage)).collect())
}

/// Creates places top down, and caches those of this batch.
pub(super) struct Maker<'t> {
    tx: &'t mut Connection,
    /// Places by level and keys.
    made: HashMap<(i64, [String; 3]), Named>,
}

/// Id of a place with the names in its row.
#[derive(Clone, sqlx::FromRow)]
pub(super) struct Named {
    pub id: i64,
    country: String,
    region: String,
}

impl<'t> Maker<'t> {
    pub(super) fn new(tx: &'t mut Connection) -> Self {
        Self { tx, made: HashMap::new() }
    }

    /// Finds or creates the country of `key`.
    pub(super) async fn country(
        &mut self,
        key: &PlaceKey,
        spelling: &Spelling<'_>,
    ) -> Result<Named> {
        self.place(COUNTRY, WORLD, [&key.country, "", ""], [spelling.country, "", ""]).await
    }

    /// Finds or creates the region of `key`. Also returns its country.
    pub(super) async fn region(
        &mut self,
        key: &PlaceKey,
        spelling: &Spelling<'_>,
    ) -> Result<(Named, Named)> {
        let country = self.country(key, spelling).await?;
        let keys = [&key.country, &*key.region, ""];
        let names = [&country.country, spelling.region, ""];
        Ok((self.place(REGION, country.id, keys, names).await?, country))
    }

    async fn city(&mut self, key: &PlaceKey, spelling: &Spelling<'_>) -> Result<Lineage> {
        let (region, country) = self.region(key, spelling).await?;
        let keys = [&*key.country, &key.region, &key.city];
        let names = [&region.country, &region.region, spelling.city];
        let city = self.place(CITY, region.id, keys, names).await?;
        Ok(Lineage { country: country.id, region: region.id, city: city.id })
    }

    async fn place(
        &mut self,
        level: i64,
        parent: i64,
        keys: [&str; 3],
        names: [&str; 3],
    ) -> Result<Named> {
        let made = (level, keys.map(str::to_owned));
        if let Some(known) = self.made.get(&made) {
            return Ok(known.clone());
        }
        // The update changes nothing, but makes the statement return an existing row.
        let sql = "INSERT INTO places
                 (parent_id, level, country_key, region_key, city_key, country, region, city)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (level, country_key, region_key, city_key)
                 DO UPDATE SET level = excluded.level
             RETURNING id, country, region";
        let place = sql::query_as(sql).bind(parent).bind(level);
        let texts = keys.into_iter().chain(names);
        let place: Named = texts.fold(place, sql::Query::bind).fetch_one(&mut *self.tx).await?;
        self.made.insert(made, place.clone());
        Ok(place)
    }
}
