//! Correcting what a [recount](super::recount) found, while others go on publishing and withdrawing.
//!
//! They add to what is stored, whether it is right or not. What is missing therefore stays the same until
//! somebody adds that, too: it is added like a publication, and not written over what is stored by then.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;

use super::{
    page::{self, Counts},
    presence,
    recount::{BucketFault, CellFault},
    rollup::{self, Bucket, Cell},
};
use crate::{
    engine::sql::{self, Connection},
    error::Result,
};

/// Corrects the counts of `faults`, and the sets of cities as far as they follow from those. A set that
/// has a fault of its own is to be made [again](cities_again) afterwards.
pub(crate) async fn counts(
    tx: &mut Connection,
    faults: &[BucketFault],
    cities: &RoaringBitmap,
) -> Result<()> {
    let mut changes: BTreeMap<_, Vec<(i64, Counts)>> = BTreeMap::new();
    let mut unreadable = Vec::new();
    let mut present: BTreeSet<Cell> = BTreeSet::new();
    for BucketFault { bucket, pages, presence } in faults {
        for page in pages {
            let key = (page.number, *bucket);
            if page.unreadable {
                unreadable.push(key);
            }
            let changes = changes.entry(key).or_default();
            for CellFault { place, stored, recounted } in &page.cells {
                let stored = stored.unwrap_or_default();
                let mut change = *recounted;
                change.iter_mut().zip(stored).for_each(|(count, stored)| *count -= stored);
                changes.push((*place, change));
                if presence.is_none() && presence::bit(*place).is_ok_and(|bit| cities.contains(bit))
                {
                    present.insert((*place, *bucket));
                }
            }
        }
    }
    rollup::remove(tx, &unreadable).await?;
    let mut absent = BTreeSet::new();
    for cell in rollup::change(tx, changes, |change| change).await? {
        if present.remove(&cell) {
            absent.insert((cell.1, presence::bit(cell.0)?));
        }
    }
    let mut added: BTreeMap<Bucket, RoaringBitmap> = BTreeMap::new();
    for (place, bucket) in present {
        added.entry(bucket).or_default().insert(presence::bit(place)?);
    }
    presence::add(tx, added).await?;
    presence::remove(tx, &absent).await
}

/// Makes the sets of cities of `buckets` from their counts.
pub(crate) async fn cities_again(tx: &mut Connection, buckets: &[Bucket]) -> Result<()> {
    let cities: Vec<i64> =
        sql::query_scalar("SELECT id FROM places WHERE level = 3").fetch_all(&mut *tx).await?;
    let cities: RoaringBitmap = cities.into_iter().map(presence::bit).collect::<Result<_>>()?;
    let last = page::number(cities.max().map_or(0, i64::from));
    for bucket in buckets {
        let keys: Vec<_> = (0..=last).map(|number| (number, *bucket)).collect();
        let mut counted = RoaringBitmap::new();
        for (_, page) in rollup::stored(tx, &keys).await? {
            for (place, _) in page?.cells() {
                counted.insert(presence::bit(*place)?);
            }
        }
        presence::replace(tx, *bucket, counted & &cities).await?;
    }
    Ok(())
}
