//! Where cities are: as their reports say, else as the gazetteer knows.
//!
//! A city does not move, so what was found is remembered for as long as the process runs, and each
//! change of the data asks for new cities only. The other side of it: coordinates that come with later
//! reports of a known city count from the next start on.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use app::model::Location;

use crate::{
    gazetteer::{Gazetteer, Position, Precision},
    store::{self, Store},
};

/// The positions found so far. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Positions(Arc<RwLock<HashMap<i64, Option<Position>>>>);

impl Positions {
    /// The position of each of `cities`, which are places by id; none where not even the country is
    /// known.
    pub async fn of(
        &self,
        store: &Store,
        cities: &[(i64, &Location)],
    ) -> store::Result<HashMap<i64, Position>> {
        let new: Vec<(i64, &Location)> = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            cities.iter().copied().filter(|(id, _)| !known.contains_key(id)).collect()
        };
        if !new.is_empty() {
            let ids: Vec<i64> = new.iter().map(|(id, _)| *id).collect();
            let mut given: HashMap<i64, Vec<(f64, f64)>> = HashMap::new();
            for (id, lat, lng) in store.given_positions(&ids).await? {
                given.entry(id).or_default().push((lat, lng));
            }
            let found: Vec<_> = new
                .into_iter()
                .map(|(id, place)| (id, given.get(&id).and_then(|all| mean(all)).or(named(place))))
                .collect();
            self.0.write().unwrap_or_else(PoisonError::into_inner).extend(found);
        }
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let position = |id: &i64| Some((*id, (*known.get(id)?)?));
        Ok(cities.iter().filter_map(|(id, _)| position(id)).collect())
    }
}

fn named(Location { country, region, city }: &Location) -> Option<Position> {
    Gazetteer::get().locate(country, region, city)
}

/// The middle of points on the sphere. (The mean of longitudes would put a town at the antimeridian
/// into the Atlantic.) None where they have no middle.
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
