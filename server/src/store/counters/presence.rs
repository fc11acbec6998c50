//! Presence: for every bucket of time the set of cities that have approved reports in it, as a
//! roaring bitmap of place ids. Distinct cities of a period are the union of its buckets' sets.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use roaring::RoaringBitmap;
use sqlx::SqliteConnection;

use super::{grain::Span, rollup::Bucket};
use crate::store::{
    engine::bulk,
    error::{Error, Result},
};

/// One bucket's set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::store) struct Presence {
    pub cities: RoaringBitmap,
    /// No report of the bucket was published later, in milliseconds since 1970.
    pub last_published_at: i64,
}

/// The place id as a bitmap holds it.
pub(in crate::store) fn bit(place_id: i64) -> Result<u32> {
    u32::try_from(place_id).map_err(|_| Error::Damaged(format!("place id {place_id}")))
}

/// Rounds up to midnight, so that a bucket's bound is written once a day and not with every report.
pub(in crate::store) fn published_bound(published_at: DateTime<Utc>) -> i64 {
    const DAY: i64 = 86_400_000;
    (published_at.timestamp_millis().div_euclid(DAY) + 1) * DAY
}

/// Adds cities to the sets of their buckets.
pub(in crate::store) async fn add(
    tx: &mut SqliteConnection,
    additions: BTreeMap<Bucket, Presence>,
) -> Result<()> {
    let buckets: Vec<Bucket> = additions.keys().copied().collect();
    let mut stored = load(tx, &buckets).await?;
    let mut changed = Vec::new();
    for (bucket, addition) in additions {
        let presence = stored.remove(&bucket).unwrap_or_default();
        let merged = Presence {
            cities: &presence.cities | &addition.cities,
            last_published_at: presence.last_published_at.max(addition.last_published_at),
        };
        if merged != presence {
            changed.push((bucket, merged));
        }
    }
    save(tx, &changed).await
}

/// Takes cities out of the sets of their buckets.
pub(in crate::store) async fn remove(
    tx: &mut SqliteConnection,
    removals: &BTreeSet<(Bucket, u32)>,
) -> Result<()> {
    let mut buckets: Vec<Bucket> = removals.iter().map(|(bucket, _)| *bucket).collect();
    buckets.dedup();
    let mut stored = load(tx, &buckets).await?;
    for (bucket, city) in removals {
        if let Some(presence) = stored.get_mut(bucket) {
            presence.cities.remove(*city);
        }
    }
    save(tx, &stored.into_iter().collect::<Vec<_>>()).await
}

/// The union of the sets of all buckets in `spans`.
pub(in crate::store) async fn union(tx: &mut SqliteConnection, spans: &[Span]) -> Result<Presence> {
    let mut union = Presence::default();
    for span in spans {
        let rows: Vec<(Vec<u8>, i64)> = sqlx::query_as(
            "SELECT cities, last_published_at FROM presence
             WHERE grain = $1 AND bucket BETWEEN $2 AND $3",
        )
        .bind(span.grain.number())
        .bind(span.first)
        .bind(span.last)
        .fetch_all(&mut *tx)
        .await?;
        for (cities, last_published_at) in rows {
            union.cities |= decode(&cities)?;
            union.last_published_at = union.last_published_at.max(last_published_at);
        }
    }
    Ok(union)
}

/// Every stored set.
pub(in crate::store) async fn all(tx: &mut SqliteConnection) -> Result<BTreeMap<Bucket, Presence>> {
    let rows: Vec<Row> =
        sqlx::query_as("SELECT grain, bucket, cities, last_published_at FROM presence")
            .fetch_all(tx)
            .await?;
    rows.into_iter().map(Row::decoded).collect()
}

async fn load(tx: &mut SqliteConnection, buckets: &[Bucket]) -> Result<BTreeMap<Bucket, Presence>> {
    let rows: Vec<Row> = bulk::select_matching(
        tx,
        "SELECT grain, bucket, cities, last_published_at FROM presence WHERE (grain, bucket)",
        2,
        buckets,
        |query, bucket| query.bind(bucket.grain.number()).bind(bucket.number),
    )
    .await?;
    rows.into_iter().map(Row::decoded).collect()
}

async fn save(tx: &mut SqliteConnection, changed: &[(Bucket, Presence)]) -> Result<()> {
    let mut rows = Vec::with_capacity(changed.len());
    for (bucket, presence) in changed {
        let mut bytes = Vec::with_capacity(presence.cities.serialized_size());
        presence.cities.serialize_into(&mut bytes).map_err(damaged)?;
        rows.push((*bucket, bytes, presence.last_published_at));
    }
    bulk::insert(
        tx,
        "INSERT INTO presence (grain, bucket, cities, last_published_at)",
        4,
        "ON CONFLICT (grain, bucket) DO UPDATE
         SET cities = excluded.cities, last_published_at = excluded.last_published_at",
        &rows,
        |query, (bucket, bytes, last)| {
            query.bind(bucket.grain.number()).bind(bucket.number).bind(bytes.clone()).bind(*last)
        },
    )
    .await
}

#[derive(sqlx::FromRow)]
struct Row {
    grain: i64,
    bucket: i64,
    cities: Vec<u8>,
    last_published_at: i64,
}

impl Row {
    fn decoded(self) -> Result<(Bucket, Presence)> {
        let bucket = Bucket::from_stored(self.grain, self.bucket)?;
        let cities = decode(&self.cities)?;
        Ok((bucket, Presence { cities, last_published_at: self.last_published_at }))
    }
}

fn decode(bytes: &[u8]) -> Result<RoaringBitmap> {
    RoaringBitmap::deserialize_from(bytes).map_err(damaged)
}

fn damaged(error: std::io::Error) -> Error {
    Error::Damaged(format!("a set of cities ({error})"))
}
