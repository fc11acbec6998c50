//! Repairing the rows of places.

use super::{
    atlas::{Atlas, Known, Names},
    place::{CITY, Maker, REGION, WORLD},
};
use crate::{
    counters::presence::bit,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::Result,
};

/// Puts every place into the one that its keys say. Returns how many were somewhere else.
pub(crate) async fn contain(tx: &mut Connection) -> Result<u64> {
    sql::query(
        "INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country, region, city)
         VALUES ($1, NULL, 0, '', '', '', '', '', '') ON CONFLICT DO NOTHING",
    )
    .bind(WORLD)
    .execute(&mut *tx)
    .await?;
    let atlas = Atlas::read(tx).await?;
    let astray = atlas.astray();
    for place in &astray {
        let parent = container(tx, place).await?;
        sql::query("UPDATE places SET parent_id = $2 WHERE id = $1")
            .bind(place.id)
            .bind(parent)
            .execute(&mut *tx)
            .await?;
    }
    changed(tx, astray.len()).await
}

/// The place that `place` has to lie in, found or made.
async fn container(tx: &mut Connection, place: &Known) -> Result<Option<i64>> {
    let spelling = place.names.spelling();
    Ok(match place.level {
        CITY => Some(Maker::new(tx).region(&place.key, &spelling).await?.0.id),
        REGION => Some(Maker::new(tx).country(&place.key, &spelling).await?.id),
        WORLD => None,
        _ => Some(WORLD),
    })
}

/// Gives places the names that their reports have for them. Returns how many.
pub(crate) async fn rename(
    tx: &mut Connection,
    names: impl IntoIterator<Item = (i64, Names)>,
) -> Result<u64> {
    let mut renamed = 0;
    for (place, Names { country, region, city }) in names {
        sql::query("UPDATE places SET country = $2, region = $3, city = $4 WHERE id = $1")
            .bind(place)
            .bind(country)
            .bind(region)
            .bind(city)
            .execute(&mut *tx)
            .await?;
        renamed += 1;
    }
    changed(tx, renamed).await
}

/// Removes the places without reports. Returns how many there were. The engine must not look for rows
/// that refer to them.
pub(crate) async fn remove_unused(tx: &mut Connection) -> Result<u64> {
    let cities: Vec<i64> =
        sql::query_scalar("SELECT DISTINCT place_id FROM reports WHERE place_id IS NOT NULL")
            .fetch_all(&mut *tx)
            .await?;
    let used = cities.into_iter().map(bit).collect::<Result<_>>()?;
    let unused = Atlas::read(tx).await?.unused(&used);
    let head = "DELETE FROM places WHERE (id)";
    bulk::delete_matching(&mut *tx, head, &unused, |query, id| query.bind(*id)).await?;
    changed(tx, unused.len()).await
}

/// Tells the processes that keep places in memory, if there were any changes.
async fn changed(tx: &mut Connection, places: usize) -> Result<u64> {
    if places > 0 {
        sql::query("UPDATE derived SET places_version = places_version + 1 WHERE id = 1")
            .execute(tx)
            .await?;
    }
    Ok(places as u64)
}
