//! Positions of cities: from their reports, or else from the gazetteer.
//!
//! A position is cached with the city's all-time counts and the revision of the list of reports. If one of these
//! differs, reports and their coordinates were added, removed or corrected, and the position is determined again.
//! Counts and revision are read with the markers, so this costs a few rows for each city that has changed, however many
//! reports there are. After a correction, a withdrawal or an import, the positions of all cities are determined again
//! once.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use geo::gazetteer::{Gazetteer, Position, Precision};
use store::{self, CityCounts, CityName, LastChange, Store};

use super::names;

/// Cached positions, each at the index that is its place's id: ids are consecutive, and ten thousand positions are
/// looked up for every state of the markers. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions(Arc<RwLock<Vec<Option<Found>>>>);

#[derive(Clone, Debug)]
struct Found {
    /// Name of the place: a rebuild of the places may assign its id to another.
    name: Arc<CityName>,
    located: Option<Located>,
    /// Counts that were read before the position, so they are never newer.
    counts: [u64; 3],
    revision: Revision,
}

/// Era, and revision of the list of reports.
type Revision = (u64, i64);

/// Position of a city, and the city itself if it has names in every language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub position: Position,
    pub known: Option<names::City>,
}

impl Positions {
    /// Returns the positions of `cities`, in their order; `None` where not even the country is known. The cities were
    /// counted after the change `last`.
    pub(super) async fn of(
        &self,
        store: &Store,
        cities: &[&CityCounts],
        last: &LastChange,
    ) -> store::Result<Vec<Option<Located>>> {
        let revision = (last.era, last.revision);
        let mut answer: Vec<Option<Located>> = Vec::with_capacity(cities.len());
        let mut new: Vec<(usize, &CityCounts)> = Vec::new();
        {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            for (index, city) in cities.iter().enumerate() {
                let found = usize::try_from(city.id).ok().and_then(|id| known.get(id));
                let found = found.and_then(Option::as_ref).filter(|found| {
                    found.counts == city.all_time
                        && found.revision == revision
                        && found.name == city.name
                });
                if found.is_none() {
                    new.push((index, city));
                }
                answer.push(found.and_then(|found| found.located));
            }
        }
        if !new.is_empty() {
            let ids: Vec<i64> = new.iter().map(|(_, city)| city.id).collect();
            let mut given: HashMap<i64, Vec<(f64, f64)>> = HashMap::new();
            for (id, lat, lng) in store.counters().given_positions(&ids).await? {
                given.entry(id).or_default().push((lat, lng));
            }
            let located = |CityCounts { id, name, .. }: &CityCounts| {
                let CityName { country, region, city, .. } = &**name;
                let given = given.get(id).and_then(|all| mean(all));
                let named = || Gazetteer::get().locate(country, region, city);
                let position = given.or_else(named)?;
                Some(Located { position, known: names::City::find(country, region, city) })
            };
            let mut found = Vec::with_capacity(new.len());
            for (index, city) in new {
                let located = located(city);
                if let Some(answer) = answer.get_mut(index) {
                    *answer = located;
                }
                let (name, counts) = (city.name.clone(), city.all_time);
                found.push((city.id, Found { name, located, counts, revision }));
            }
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            for (id, found) in found {
                let Ok(id) = usize::try_from(id) else { continue };
                if known.len() <= id {
                    known.resize(id + 1, None);
                }
                if let Some(known) = known.get_mut(id) {
                    *known = Some(found);
                }
            }
        }
        Ok(answer)
    }
}

/// Returns the middle of points on the sphere. (The mean of longitudes would put a town at the antimeridian into the
/// Atlantic.) `None` if they have no middle.
fn mean(points: &[(f64, f64)]) -> Option<Position> {
    let mut sum = [0.0; 3];
    for (lat, lng) in points {
        let (lat, lng) = (lat.to_radians(), lng.to_radians());
        for (part, of) in
            sum.iter_mut().zip([lat.cos() * lng.cos(), lat.cos() * lng.sin(), lat.sin()])
        {
            *part += of;
        }
    }
    let [x, y, z] = sum;
    let around = x.hypot(y);
    if around.hypot(z) < 1e-6 {
        return None;
    }
    Some(Position {
        lat: z.atan2(around).to_degrees() as f32,
        lng: y.atan2(x).to_degrees() as f32,
        precision: Precision::City,
    })
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn the_middle_of_points_is_between_them_also_at_the_antimeridian() {
        let middle = mean(&[(-17.0, 179.5), (-17.0, -179.5)]).unwrap();
        assert!((middle.lng.abs() - 180.0).abs() < 0.01, "{middle:?}");
        let middle = mean(&[(48.0, 2.0), (49.0, 3.0)]).unwrap();
        assert!((middle.lat - 48.5).abs() < 0.01 && (middle.lng - 2.5).abs() < 0.02, "{middle:?}");
        assert_eq!(mean(&[(0.0, 0.0), (0.0, 180.0)]), None);
    }
}
