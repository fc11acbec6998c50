use super::{
    super::{clusters::Site, counts::Counts, sphere::Position},
    Places,
};
use js_sys::Array;
use kit::json::field;
use wasm_bindgen::{JsCast, JsValue};

/// City and country as JavaScript values. Converting ten thousand of them would be slow.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Name {
    city: JsValue,
    country: JsValue,
}

impl Name {
    /// Name of the place of a report.
    pub(in super::super) fn of(report: &JsValue) -> Self {
        Self { city: field(report, "city"), country: field(report, "country") }
    }

    pub(in super::super) fn city(&self) -> String {
        self.city.as_string().unwrap_or_default()
    }

    pub(in super::super) fn country(&self) -> String {
        self.country.as_string().unwrap_or_default()
    }
}

/// A response of `/embed/globe/markers`, complete or with changes only: see
/// [`Markers`](model::Markers).
pub(in super::super) struct Rows {
    markers: Array,
    countries: Array,
    newest: Array,
}

impl Rows {
    pub(in super::super) fn read(answer: &JsValue) -> Option<Self> {
        let list = |name: &str| field(answer, name).dyn_into::<Array>().ok();
        let (markers, countries, newest) = (list("markers")?, list("countries")?, list("newest")?);
        Some(Self { markers, countries, newest })
    }

    /// The places, for [`Places::replace`] and [`Places::merge`].
    pub(in super::super) fn places(&self) -> impl Iterator<Item = (Site, Name)> {
        // Compared in the browser: conversions of thousands of texts would be slow.
        let exact = JsValue::from("c");
        self.markers.iter().map(move |row| {
            let row: Array = row.unchecked_into();
            let number = |index: u32| row.get(index).as_f64().unwrap_or_default();
            let site = Site {
                position: Position { lat: number(0) as f32, lng: number(1) as f32 },
                counts: Counts([number(2) as u64, number(3) as u64, number(4) as u64]),
                rough: row.get(7) != exact,
            };
            (site, Name { city: row.get(5), country: self.countries.get(number(6) as u32) })
        })
    }

    /// Position, city and country of a new report, by its id.
    pub(in super::super) fn newest(&self, id: &str) -> Option<(Position, Name)> {
        let row = self.newest.iter().find(|row| {
            let row: &Array = row.unchecked_ref();
            row.get(0).as_string().as_deref() == Some(id)
        })?;
        let row: Array = row.unchecked_into();
        let position =
            Position { lat: row.get(1).as_f64()? as f32, lng: row.get(2).as_f64()? as f32 };
        Some((position, Name { city: row.get(3), country: row.get(4) }))
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self { markers: Array::new(), countries: Array::new(), newest: Array::new() }
    }
}

impl Places<Name> {
    /// The places with the most reports, busiest first: counts, city and country.
    pub(in super::super) fn busiest(&self, most: usize) -> Vec<(Counts, String, String)> {
        let fewest_last = |site: &Site| u64::MAX - site.counts.total();
        let mut order: Vec<(u64, u32)> = self.sites.iter().map(fewest_last).zip(0..).collect();
        order.sort_unstable();
        let listed = |(_, index): (u64, u32)| {
            let (city, country) = self.texts(index as usize)?;
            Some((self.site(index as usize)?.counts, city, country))
        };
        order.into_iter().take(most).filter_map(listed).collect()
    }

    /// City and country of a place; `None` if there is no such place.
    pub(in super::super) fn texts(&self, index: usize) -> Option<(String, String)> {
        let name = self.name(index)?;
        Some((name.city(), name.country()))
    }
}
