//! Rows of places as [derived data](crate::derived): checks their parents, their names, and whether
//! they have reports.

use super::{
    place::{CITY, Maker, REGION, WORLD},
    place_check::{Known, Names, PlaceCheck},
};
use crate::{
    counters::presence::bit,
    derived::{Derived, Difference, Found, Rebuilt},
    engine::{
        adaptive_batch::AdaptiveBatchSize,
        bulk,
        sql::{self, Connection},
        transaction::Turn,
    },
    error::Result,
};

/// Check that each place has the parent that its key names.
pub(crate) struct Containment;

impl Derived for Containment {
    type Fault = ();
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.places;

    async fn compare(tx: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        let check = PlaceCheck::read(tx).await?;
        let astray = check.astray();
        for place in &astray {
            found.differ(|_| {
                let stored = place.parent_id.map(|id| check.name(id));
                let stored = stored.unwrap_or_else(|| "nowhere".to_owned());
                let recounted = place.container().map(|(_, key)| key).unwrap_or_default();
                Difference::new(
                    check.name(place.id),
                    "where it lies",
                    stored,
                    recounted.to_string(),
                )
            });
        }
        if !astray.is_empty() || check.get(WORLD).is_none() {
            found.add(());
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, _: &[()]) -> Result<u64> {
        let sql =
            "INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country,
                               region, city)
             VALUES ($1, NULL, 0, '', '', '', '', '', '') ON CONFLICT DO NOTHING";
        sql::query(sql).bind(WORLD).execute(&mut *tx).await?;
        let check = PlaceCheck::read(tx).await?;
        let astray = check.astray();
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
}

/// Finds or creates the correct parent of `place`.
async fn container(tx: &mut Connection, place: &Known) -> Result<Option<i64>> {
    let spelling = place.names.spelling();
    Ok(match place.level {
        CITY => Some(Maker::new(tx).region(&place.key, &spelling).await?.0.id),
        REGION => Some(Maker::new(tx).country(&place.key, &spelling).await?.id),
        WORLD => None,
        _ => Some(WORLD),
    })
}

/// Check that the names of places match their keys. Wrong names are replaced by those in the
/// reports.
pub(crate) struct Misnamed;

impl Derived for Misnamed {
    type Fault = (i64, Names);
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.places;

    fn batch_size() -> AdaptiveBatchSize {
        AdaptiveBatchSize::fixed(4_096)
    }

    async fn compare(_: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        let names = std::mem::take(&mut found.facts.names).into_iter();
        let mut names: Vec<_> = names.map(|(place, (_, names))| (place, names)).collect();
        names.sort_unstable_by_key(|(place, _)| *place);
        for (place, names) in names {
            found.differ(|facts| {
                let stored = facts.check.name(place);
                let recounted = names.joined().unwrap_or_default();
                Difference::new(stored.clone(), "its name", stored, recounted)
            });
            found.add((place, names));
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[(i64, Names)]) -> Result<u64> {
        for (place, Names { country, region, city }) in faults {
            sql::query("UPDATE places SET country = $2, region = $3, city = $4 WHERE id = $1")
                .bind(*place)
                .bind(country.as_str())
                .bind(region.as_str())
                .bind(city.as_str())
                .execute(&mut *tx)
                .await?;
        }
        changed(tx, faults.len()).await
    }
}

/// Check that each place has reports. A place remains when its last report is withdrawn. This is
/// only reported as a difference if its names do not match its key, because it may then hide the
/// place of its reports.
pub(crate) struct Unused;

impl Derived for Unused {
    type Fault = ();
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.places;
    const TURN: Turn = Turn::PublishingUnreferenced;

    async fn compare(_: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        let unused = found.facts.check.unused(&found.facts.used);
        for place in &unused {
            if found.facts.check.get(*place).is_some_and(|known| known.is_well_named) {
                continue;
            }
            found.differ(|facts| {
                Difference::new(facts.check.name(*place), "all time", "a place", "no report")
            });
        }
        if !unused.is_empty() {
            found.add(());
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, _: &[()]) -> Result<u64> {
        let cities: Vec<i64> =
            sql::query_scalar("SELECT DISTINCT place_id FROM reports WHERE place_id IS NOT NULL")
                .fetch_all(&mut *tx)
                .await?;
        let used = cities.into_iter().map(bit).collect::<Result<_>>()?;
        let unused = PlaceCheck::read(tx).await?.unused(&used);
        let head = "DELETE FROM places WHERE (id)";
        bulk::execute_matching(&mut *tx, head, &unused, |query, id| query.bind(*id)).await?;
        changed(tx, unused.len()).await
    }
}

/// Invalidates the place indexes of all processes if there were changes. Returns the number of
/// changed places.
async fn changed(tx: &mut Connection, places: usize) -> Result<u64> {
    if places > 0 {
        sql::query("UPDATE derived SET places_version = places_version + 1 WHERE id = 1")
            .execute(tx)
            .await?;
    }
    Ok(places as u64)
}
