//! Recounting: everything that is derived from the reports, compared with what is stored.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

use futures_util::TryStreamExt;
use sqlx::{Row, SqliteConnection};

use super::{
    Store,
    error::Result,
    place::{Lineage, PlaceKey, Spelling, WORLD},
    presence::{self, Presence},
    report,
    rollup::{Bucket, Cell, Counts, type_index},
};
use crate::time::date_of_day;

/// Something stored that the reports do not bear out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The place by name, or what else is concerned.
    pub subject: String,
    /// The year, month or day, or `all time`.
    pub bucket: String,
    pub stored: String,
    pub recounted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, bucket, stored, recounted } = self;
        write!(f, "{subject}, {bucket}: stored {stored}, recounted {recounted}")
    }
}

/// What the reports come to.
#[derive(Default)]
struct Recount {
    rollups: HashMap<Cell, Counts>,
    presence: BTreeMap<Bucket, Presence>,
    misplaced: Vec<Difference>,
}

/// A place as the check needs it.
struct PlaceRow {
    name: String,
    key: PlaceKey,
    lineage: Lineage,
}

impl Store {
    /// Recounts every rollup and every set of cities from the reports, in one consistent read, and
    /// returns what differs. Reads every report; memory grows with the number of rollups.
    pub async fn check(&self) -> Result<Vec<Difference>> {
        let mut tx = self.read().await?;
        let places = places(&mut tx).await?;
        let recount = recount(&mut tx, &places).await?;
        let mut differences = recount.misplaced;
        compare_rollups(&mut tx, recount.rollups, &places, &mut differences).await?;
        compare_presence(&presence::all(&mut tx).await?, &recount.presence, &mut differences);
        differences.extend(orphans(&mut tx).await?);
        Ok(differences)
    }
}

/// Deliveries of which nobody could say what to send or to whom, and attempts of none.
async fn orphans(tx: &mut SqliteConnection) -> Result<Vec<Difference>> {
    let questions = [
        (
            "deliveries",
            "their events",
            "SELECT count(*) FROM deliveries d
             WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.seq = d.event_seq)",
        ),
        (
            "deliveries",
            "their subscriptions",
            "SELECT count(*) FROM deliveries d
             WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.seq = d.subscription_seq)",
        ),
        (
            "attempts",
            "their deliveries",
            "SELECT count(*) FROM attempts a
             WHERE NOT EXISTS (SELECT 1 FROM deliveries d
                               WHERE d.subscription_seq = a.subscription_seq
                                 AND d.event_seq = a.event_seq)",
        ),
    ];
    let mut differences = Vec::new();
    for (subject, of, sql) in questions {
        let orphans: i64 = sqlx::query_scalar(sql).fetch_one(&mut *tx).await?;
        if orphans > 0 {
            differences.push(Difference {
                subject: subject.to_owned(),
                bucket: of.to_owned(),
                stored: format!("{orphans} without"),
                recounted: "none without".to_owned(),
            });
        }
    }
    Ok(differences)
}

async fn places(tx: &mut SqliteConnection) -> Result<HashMap<i64, PlaceRow>> {
    let rows = sqlx::query(
        "SELECT p.id, p.country, p.region, p.city, p.country_key, p.region_key, p.city_key,
                coalesce(p.parent_id, 0), coalesce(g.parent_id, 0)
         FROM places p LEFT JOIN places g ON g.id = p.parent_id",
    )
    .fetch_all(tx)
    .await?;
    let mut places = HashMap::with_capacity(rows.len());
    for row in rows {
        let (country, region, city): (&str, &str, &str) =
            (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        let id: i64 = row.try_get(0)?;
        let parts = [city, region, country].into_iter().filter(|part| !part.is_empty());
        let name = parts.collect::<Vec<_>>().join(", ");
        let key =
            PlaceKey { country: row.try_get(4)?, region: row.try_get(5)?, city: row.try_get(6)? };
        let lineage = Lineage { city: id, region: row.try_get(7)?, country: row.try_get(8)? };
        let name = if id == WORLD { "the world".to_owned() } else { name };
        places.insert(id, PlaceRow { name, key, lineage });
    }
    Ok(places)
}

async fn recount(tx: &mut SqliteConnection, places: &HashMap<i64, PlaceRow>) -> Result<Recount> {
    let mut recount = Recount::default();
    let mut rows = sqlx::query(
        "SELECT place_id, type, event_day, published_at, country, region, city, id
         FROM reports WHERE status = 'APPROVED'",
    )
    .fetch(tx);
    while let Some(row) = rows.try_next().await? {
        let place: i64 = row.try_get(0)?;
        let spelling =
            Spelling { country: row.try_get(4)?, region: row.try_get(5)?, city: row.try_get(6)? };
        let key = spelling.key();
        let Some(place) = places.get(&place).filter(|place| place.key == key) else {
            recount.misplaced.push(Difference {
                subject: format!("report {:?}", row.try_get::<&str, _>(7)?),
                bucket: "its place".to_owned(),
                stored: places.get(&place).map_or_else(|| place.to_string(), |p| p.name.clone()),
                recounted: format!("{}/{}/{}", key.country, key.region, key.city),
            });
            continue;
        };
        let kind = type_index(report::kind(row.try_get(1)?)?);
        let published_at: i64 = row.try_get(3)?;
        for bucket in Bucket::of(date_of_day(row.try_get(2)?)) {
            for scope in place.lineage.counted_under() {
                recount.rollups.entry((scope, bucket)).or_default()[kind] += 1;
            }
            let presence = recount.presence.entry(bucket).or_default();
            presence.cities.insert(presence::bit(place.lineage.city)?);
            presence.last_published_at = presence.last_published_at.max(published_at);
        }
    }
    Ok(recount)
}

async fn compare_rollups(
    tx: &mut SqliteConnection,
    mut recounted: HashMap<Cell, Counts>,
    places: &HashMap<i64, PlaceRow>,
    differences: &mut Vec<Difference>,
) -> Result<()> {
    let name = |id: i64| places.get(&id).map_or_else(|| format!("place {id}"), |p| p.name.clone());
    let mut rows = sqlx::query(
        "SELECT place_id, grain, bucket, spirit_count, water_count, both_count FROM rollups",
    )
    .fetch(tx);
    while let Some(row) = rows.try_next().await? {
        let bucket = Bucket::from_stored(row.try_get(1)?, row.try_get(2)?)?;
        let stored: Counts = [row.try_get(3)?, row.try_get(4)?, row.try_get(5)?];
        let place: i64 = row.try_get(0)?;
        let counts = recounted.remove(&(place, bucket)).unwrap_or_default();
        if stored != counts {
            differences.push(difference(name(place), bucket, Some(stored), counts));
        }
    }
    let missing: BTreeMap<_, _> = recounted.into_iter().collect();
    differences.extend(
        missing
            .into_iter()
            .map(|((place, bucket), counts)| difference(name(place), bucket, None, counts)),
    );
    Ok(())
}

fn difference(
    subject: String,
    bucket: Bucket,
    stored: Option<Counts>,
    recounted: Counts,
) -> Difference {
    let show =
        |[spirit, water, both]: Counts| format!("{spirit} spirit, {water} water, {both} both");
    Difference {
        subject,
        bucket: bucket.to_string(),
        stored: stored.map_or_else(|| "nothing".to_owned(), show),
        recounted: show(recounted),
    }
}

fn compare_presence(
    stored: &BTreeMap<Bucket, Presence>,
    recounted: &BTreeMap<Bucket, Presence>,
    differences: &mut Vec<Difference>,
) {
    let empty = Presence::default();
    let buckets: BTreeSet<&Bucket> = stored.keys().chain(recounted.keys()).collect();
    for bucket in buckets {
        let stored = stored.get(bucket).unwrap_or(&empty);
        let recounted = recounted.get(bucket).unwrap_or(&empty);
        if stored.cities != recounted.cities {
            differences.push(Difference {
                subject: "the set of cities".to_owned(),
                bucket: bucket.to_string(),
                stored: format!("{} cities", stored.cities.len()),
                recounted: format!("{} cities", recounted.cities.len()),
            });
        }
        if stored.last_published_at < recounted.last_published_at {
            differences.push(Difference {
                subject: "the bound of publications".to_owned(),
                bucket: bucket.to_string(),
                stored: stored.last_published_at.to_string(),
                recounted: recounted.last_published_at.to_string(),
            });
        }
    }
}
