//! Presence: for each bucket of time, the set of cities with approved reports, as a roaring bitmap
//! of place ids. The distinct cities of a period are the union of the sets of its buckets. One more
//! set has the countries of all time.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;

use super::{grain::Span, rollup::Bucket};
use crate::{
    bitmap,
    engine::{
        bulk,
        sql::{self, Connection},
        writes::Writes,
    },
    error::{Error, Result},
};

/// Number of sets that are changed at once.
const CHANGED_AT_ONCE: usize = if cfg!(test) { 2 } else { 256 };

/// Converts a place id to a bitmap value.
pub(crate) fn bit(place_id: i64) -> Result<u32> {
    u32::try_from(place_id).map_err(|_| Error::Damaged(format!("place id {place_id}")))
}

/// Grain, bucket and set.
type Row = (i64, i64, Vec<u8>);

/// Places with approved reports of any date.
#[derive(Debug, Default)]
pub(crate) struct AllTime {
    pub cities: RoaringBitmap,
    pub countries: RoaringBitmap,
}

/// Adds places to the sets of their buckets, when `writes` are sent. Returns the sets of all time as
/// they were before.
pub(crate) async fn add(
    tx: &mut Connection,
    writes: &mut Writes,
    additions: BTreeMap<Bucket, RoaringBitmap>,
) -> Result<AllTime> {
    let mut before = AllTime::default();
    // Works in chunks, because an import may change all stored sets.
    let additions: Vec<(Bucket, RoaringBitmap)> = additions.into_iter().collect();
    for additions in additions.chunks(CHANGED_AT_ONCE) {
        let buckets: Vec<Bucket> = additions.iter().map(|(bucket, _)| *bucket).collect();
        let mut stored = load(tx, &buckets).await?;
        let mut changed = Vec::new();
        for (bucket, addition) in additions {
            let places = stored.remove(bucket).unwrap_or_default();
            match *bucket {
                Bucket::ALL_TIME => before.cities.clone_from(&places),
                Bucket::COUNTRIES => before.countries.clone_from(&places),
                _ => {}
            }
            if !addition.is_subset(&places) {
                changed.push((*bucket, places | addition));
            }
        }
        save(tx, writes, &changed).await?;
    }
    Ok(before)
}

/// Removes places from the sets of their buckets.
pub(crate) async fn remove(tx: &mut Connection, removals: &BTreeSet<(Bucket, u32)>) -> Result<()> {
    let mut buckets: Vec<Bucket> = removals.iter().map(|(bucket, _)| *bucket).collect();
    buckets.dedup();
    let mut stored = load(tx, &buckets).await?;
    for (bucket, place) in removals {
        if let Some(places) = stored.get_mut(bucket) {
            places.remove(*place);
        }
    }
    let mut writes = Writes::default();
    save(tx, &mut writes, &stored.into_iter().collect::<Vec<_>>()).await?;
    writes.send(tx).await
}

/// Returns the places with reports of any date.
pub(crate) async fn all_time(tx: &mut Connection) -> Result<AllTime> {
    let mut stored = load(tx, &[Bucket::ALL_TIME, Bucket::COUNTRIES]).await?;
    let mut set = |bucket| stored.remove(&bucket).unwrap_or_default();
    Ok(AllTime { cities: set(Bucket::ALL_TIME), countries: set(Bucket::COUNTRIES) })
}

/// Returns the union of the sets of all buckets in `spans`.
pub(crate) async fn union(tx: &mut Connection, spans: &[Span]) -> Result<RoaringBitmap> {
    let mut union = RoaringBitmap::new();
    for span in spans {
        let sql = "SELECT cities FROM presence WHERE grain = $1 AND bucket BETWEEN $2 AND $3";
        let rows: Vec<Vec<u8>> = sql::query_scalar(sql)
            .bind(span.grain.number())
            .bind(span.first)
            .bind(span.last)
            .fetch_all(&mut *tx)
            .await?;
        for cities in rows {
            union |= decode(&cities)?;
        }
    }
    Ok(union)
}

/// Returns the stored sets, with an error for each that cannot be read.
pub(super) async fn all(tx: &mut Connection) -> Result<BTreeMap<Bucket, Result<RoaringBitmap>>> {
    let rows: Vec<Row> =
        sql::query_as("SELECT grain, bucket, cities FROM presence").fetch_all(tx).await?;
    let decoded =
        |(grain, bucket, cities): Row| Ok((Bucket::from_stored(grain, bucket)?, decode(&cities)));
    rows.into_iter().map(decoded).collect()
}

/// Replaces the set of a bucket, even if the stored one cannot be read. Returns whether the set
/// changed.
pub(super) async fn replace(
    tx: &mut Connection,
    bucket: Bucket,
    cities: RoaringBitmap,
) -> Result<bool> {
    let stored = match load(tx, &[bucket]).await {
        Err(Error::Damaged(_)) => None,
        stored => Some(stored?.remove(&bucket).unwrap_or_default()),
    };
    let changes = stored.as_ref() != Some(&cities);
    if changes {
        let mut writes = Writes::default();
        save(tx, &mut writes, &[(bucket, cities)]).await?;
        writes.send(tx).await?;
    }
    Ok(changes)
}

async fn load(tx: &mut Connection, buckets: &[Bucket]) -> Result<BTreeMap<Bucket, RoaringBitmap>> {
    let rows: Vec<Row> = bulk::select_matching(
        tx,
        "SELECT grain, bucket, cities FROM presence WHERE (grain, bucket)",
        buckets,
        |query, bucket| query.bind(bucket.grain.number()).bind(bucket.number),
    )
    .await?;
    let decoded =
        |(grain, bucket, cities): Row| Ok((Bucket::from_stored(grain, bucket)?, decode(&cities)?));
    rows.into_iter().map(decoded).collect()
}

async fn save(
    tx: &mut Connection,
    writes: &mut Writes,
    changed: &[(Bucket, RoaringBitmap)],
) -> Result<()> {
    let mut rows = Vec::with_capacity(changed.len());
    for (bucket, cities) in changed {
        rows.push((*bucket, bitmap::encode(cities, "cities")?));
    }
    let head = "INSERT INTO presence (grain, bucket, cities)";
    let tail = "ON CONFLICT (grain, bucket) DO UPDATE SET cities = excluded.cities";
    writes
        .insert(tx, head, tail, &rows, |query, (bucket, bytes)| {
            query.bind(bucket.grain.number()).bind(bucket.number).bind(bytes.as_slice())
        })
        .await
}

pub(crate) fn decode(mut bytes: &[u8]) -> Result<RoaringBitmap> {
    bitmap::decode(&mut bytes, "cities")
}
