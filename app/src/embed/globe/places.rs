//! The markers as the browser holds them.

use super::{
    leading, marker_radius,
    painter::{ROUGH, mark},
    sphere::{Sphere, point},
};
use crate::embed::first::field;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

/// See [`Markers`](crate::model::Markers). Names stay where they are until they are asked for.
#[derive(Default)]
pub(super) struct Places {
    rows: Array,
    countries: Array,
    newest: Array,
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) lat: f32,
    pub(super) lng: f32,
    point: [f32; 3],
    /// In radii of the globe.
    pub(super) radius: f32,
    pub(super) counts: [u64; 3],
    /// Whether the position is only that of its region or country.
    pub(super) rough: bool,
}

impl Place {
    pub(super) fn kind(&self) -> usize {
        leading(self.counts)
    }
}

impl Places {
    pub(super) fn read(markers: &JsValue) -> Option<Self> {
        let list = |name: &str| field(markers, name).dyn_into::<Array>().ok();
        let (rows, countries, newest) = (list("markers")?, list("countries")?, list("newest")?);
        let mut places: Vec<Place> = rows
            .iter()
            .map(|row| {
                let row: Array = row.unchecked_into();
                let number = |index: u32| row.get(index).as_f64().unwrap_or_default();
                let (lat, lng) = (number(0) as f32, number(1) as f32);
                let counts = [number(2) as u64, number(3) as u64, number(4) as u64];
                let rough = row.get(7).as_string().as_deref() != Some("c");
                Place { lat, lng, point: point(lat, lng), radius: 0.0, counts, rough }
            })
            .collect();
        let total = |place: &Place| place.counts.iter().sum();
        let most = places.iter().map(total).max().unwrap_or_default();
        let count = places.len();
        for place in &mut places {
            place.radius = marker_radius(total(place), most, count);
        }
        Some(Self { rows, countries, newest, places })
    }

    pub(super) fn get(&self, index: usize) -> Option<Place> {
        self.places.get(index).copied()
    }

    /// City and country.
    pub(super) fn names(&self, index: usize) -> (String, String) {
        let row: Array = self.rows.get(index as u32).unchecked_into();
        let country = self.countries.get(row.get(6).as_f64().unwrap_or_default() as u32);
        (row.get(5).as_string().unwrap_or_default(), country.as_string().unwrap_or_default())
    }

    /// The marker of a city and country.
    pub(super) fn find(&self, names: &(String, String)) -> Option<usize> {
        (0..self.places.len()).find(|index| self.names(*index) == *names)
    }

    /// Where a new report is, by its id.
    pub(super) fn newest(&self, id: &str) -> Option<(f32, f32)> {
        let row = self.newest.iter().find(|row| {
            let row: &Array = row.unchecked_ref();
            row.get(0).as_string().as_deref() == Some(id)
        })?;
        let row: Array = row.unchecked_into();
        Some((row.get(1).as_f64()? as f32, row.get(2).as_f64()? as f32))
    }

    /// What the painter takes, the largest first: those in front of them are smaller.
    pub(super) fn marks(&self) -> Vec<[f32; 4]> {
        let look = |place: &Place| place.kind() + if place.rough { ROUGH } else { 0 };
        self.places.iter().map(|place| mark(place.point, place.radius, look(place))).collect()
    }

    /// The marker at a point of the picture, all in radii of the globe: the smallest under it, else
    /// the nearest no farther than `slack` from its edge.
    pub(super) fn pick(
        &self,
        sphere: &Sphere,
        at: (f32, f32),
        grow: f32,
        slack: f32,
    ) -> Option<usize> {
        let mut best = None;
        let mut least = slack;
        for (index, place) in self.places.iter().enumerate() {
            let [x, y, z] = sphere.project(place.point);
            let (dx, dy) = (x - at.0, y - at.1);
            let radius = place.radius * grow;
            let away = (dx * dx + dy * dy).sqrt();
            // Under the finger counts as near as its size: of two, the smaller lies on top.
            let away = if away < radius { radius - 1.0 } else { away - radius };
            if z > 0.05 && away < least {
                (best, least) = (Some(index), away);
            }
        }
        best
    }

    /// All markers by their distance from a point in degrees.
    pub(super) fn around(&self, lat: f32, lng: f32) -> Vec<usize> {
        let sphere = Sphere::facing(lat, lng);
        let near = |index: &usize| {
            self.places.get(*index).map_or(0.0, |place| -sphere.project(place.point)[2])
        };
        let mut order: Vec<(f32, usize)> =
            (0..self.places.len()).map(|index| (near(&index), index)).collect();
        order.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        order.into_iter().map(|(_, index)| index).collect()
    }
}
