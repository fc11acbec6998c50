//! The markers of a globe, and their changes since an earlier state: a page that shows a globe asks
//! every few seconds while reports arrive, and ten thousand markers are 78 kB.

use std::{collections::HashMap, sync::Arc, time::Duration};

use app::model::{Marker, Markers, Newest};
use moka::future::Cache;

use super::{Answers, Asked, OVERHEAD};
use crate::{
    answer::Answer,
    gazetteer::{Position, Precision},
    positions::Positions,
    snapshot::RECENT,
    store::{self, CityCounts, Filter, Period, PlaceFilter, ReportsQuery},
};

/// Maximum number of markers of a globe: more would be dots on dots.
pub const MAX_MARKERS: usize = 10_000;
/// Maximum size of the states that are kept, in bytes, roughly.
const MAX_BYTES: u64 = 64 << 20;
/// What a state costs for each byte of its JSON, roughly.
const BYTES_PER_BYTE: usize = 4;

/// Which markers: of a place, with reports of these types.
type Selection = (PlaceFilter, [bool; 3]);

/// The markers of one data version, typed and as they are sent.
#[derive(Debug)]
pub struct MarkerState {
    pub markers: Markers,
    pub answer: Arc<Answer>,
}

/// A kept state, or why there is none.
type Kept = Result<Arc<MarkerState>, Arc<store::Error>>;

/// The latest states. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct MarkerStates {
    positions: Positions,
    /// By the data version that they were computed for.
    current: Cache<(Selection, i64), Arc<MarkerState>>,
    /// The same by their own version, which is one of their contents: two nodes, or a node before
    /// and after a restart, give the same name to the same markers only.
    named: Cache<(Selection, String), Arc<MarkerState>>,
    /// From one version to another.
    changes: Cache<(Selection, String, String), Arc<Answer>>,
}

impl Default for MarkerStates {
    fn default() -> Self {
        let state_bytes = |state: &Arc<MarkerState>| {
            u32::try_from(state.answer.body.len() * BYTES_PER_BYTE + OVERHEAD).unwrap_or(u32::MAX)
        };
        Self {
            positions: Positions::default(),
            current: Cache::builder()
                .max_capacity(MAX_BYTES)
                .weigher(move |_, state| state_bytes(state))
                .time_to_idle(Duration::from_secs(60))
                .build(),
            // A page that was in the background for a while still gets changes only.
            named: Cache::builder()
                .max_capacity(MAX_BYTES)
                .weigher(move |_, state| state_bytes(state))
                .time_to_idle(Duration::from_secs(600))
                .build(),
            changes: Cache::builder()
                .max_capacity(MAX_BYTES / 8)
                .weigher(|_, answer: &Arc<Answer>| {
                    u32::try_from(answer.body.len() + OVERHEAD).unwrap_or(u32::MAX)
                })
                .time_to_idle(Duration::from_secs(60))
                .build(),
        }
    }
}

impl Answers {
    /// The markers of a globe: cities of `place` with reports of `types`. With `since`, what has
    /// changed from that version on, if it is still known.
    pub fn markers(
        &self,
        place: PlaceFilter,
        types: [bool; 3],
        since: Option<String>,
    ) -> Asked<'_> {
        Box::pin(async move {
            let selection = (place, types);
            let state = self.marker_state(selection.clone()).await?;
            let Some(since) = since else { return Ok(state.answer.clone()) };
            let Some(before) = self.markers.named.get(&(selection.clone(), since.clone())).await
            else {
                return Ok(state.answer.clone());
            };
            let key = (selection, since, state.markers.version.clone());
            let compute =
                async { Arc::new(Answer::json(&changes(&before.markers, &state.markers))) };
            Ok(self.markers.changes.get_with(key, compute).await)
        })
    }

    /// The markers of a globe, for callers that need the typed value.
    pub async fn marker_state(&self, selection: Selection) -> Kept {
        let version = self.snapshots.current().snapshot.version;
        let key = (selection.clone(), version);
        let compute = async {
            let (place, types) = selection.clone();
            let mut markers = self.compute_markers(place, types).await?;
            let tag = Answer::json(&markers).etag;
            let tag = tag.to_str().unwrap_or_default();
            markers.version = tag.chars().filter(char::is_ascii_alphanumeric).skip(1).collect();
            let answer = Arc::new(Answer::json(&markers));
            let name = (selection, markers.version.clone());
            let state = Arc::new(MarkerState { markers, answer });
            self.markers.named.insert(name, state.clone()).await;
            Ok::<_, store::Error>(state)
        };
        self.markers.current.try_get_with(key, compute).await
    }

    async fn compute_markers(
        &self,
        place: PlaceFilter,
        types: [bool; 3],
    ) -> store::Result<Markers> {
        let cities = self.store.largest_cities(&place, types, MAX_MARKERS).await?;
        let filter = Filter { period: Period::default(), place };
        let query = ReportsQuery { filter, types, since: None, limit: RECENT };
        let newest = self.store.reports(&query).await?;
        let newest: Vec<String> = newest.into_iter().map(|listed| listed.report.id).collect();
        let places = self.store.cities_of(&newest).await?;
        let located: Vec<&CityCounts> = cities.iter().chain(places.values()).collect();
        let positions = self.markers.positions.of(&self.store, &located).await?;
        let mut markers = Markers::default();
        let mut countries = Countries::default();
        let mut known: HashMap<MarkerKey, usize> = HashMap::new();
        for city in cities {
            let Some(position) = positions.get(&city.id) else { continue };
            let (lat, lng) = rounded(position);
            let shown = |index: usize| if types[index] { city.counts[index] } else { 0 };
            let [spirit, water, both] = [0, 1, 2].map(shown);
            let precision = match position.precision {
                Precision::City => 'c',
                Precision::Region => 'r',
                Precision::Country => 'n',
            };
            let country = countries.index_of(&city.location.country);
            let name = city.location.city;
            let marker = Marker(lat, lng, spirit, water, both, name, country, precision);
            // Cities of one name, whose regions are not found, may have the position of their
            // country: they are one marker.
            let index = *known.entry(key_of(&marker)).or_insert(markers.markers.len());
            match markers.markers.get_mut(index) {
                Some(same) => {
                    same.2 += spirit;
                    same.3 += water;
                    same.4 += both;
                }
                None => markers.markers.push(marker),
            }
        }
        markers.countries = countries.names;
        for report in newest {
            let place = places.get(&report).and_then(|city| positions.get(&city.id));
            if let Some((lat, lng)) = place.map(rounded) {
                markers.newest.push(Newest(report, lat, lng));
            }
        }
        Ok(markers)
    }
}

/// The names of countries, each once.
#[derive(Default)]
struct Countries {
    names: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Countries {
    fn index_of(&mut self, name: &str) -> usize {
        if let Some(index) = self.indices.get(name) {
            return *index;
        }
        let index = self.names.len();
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), index);
        index
    }
}

/// What identifies a marker beside its country: its city and the bits of its position.
type MarkerKey = (String, usize, u32, u32);

fn key_of(marker: &Marker) -> MarkerKey {
    (marker.5.clone(), marker.6, marker.0.to_bits(), marker.1.to_bits())
}

/// What is different in `after`: see [`Markers`].
fn changes(before: &Markers, after: &Markers) -> Markers {
    let mut countries = Countries::default();
    let country_of = |markers: &Markers, marker: &Marker| {
        markers.countries.get(marker.6).cloned().unwrap_or_default()
    };
    let key = |markers: &Markers, marker: &Marker| {
        let (city, _, lat, lng) = key_of(marker);
        (city, country_of(markers, marker), lat, lng)
    };
    let mut old: HashMap<_, &Marker> =
        before.markers.iter().map(|marker| (key(before, marker), marker)).collect();
    let mut changed = Vec::new();
    for marker in &after.markers {
        let known = old.remove(&key(after, marker));
        if known.is_none_or(|old| old.counts() != marker.counts() || old.7 != marker.7) {
            let country = countries.index_of(&country_of(after, marker));
            changed.push(Marker { 6: country, ..marker.clone() });
        }
    }
    let mut gone: Vec<_> = old.into_iter().collect();
    gone.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    for ((_, country, ..), marker) in gone {
        let country = countries.index_of(&country);
        changed.push(Marker { 2: 0, 3: 0, 4: 0, 6: country, ..marker.clone() });
    }
    Markers {
        version: after.version.clone(),
        since: Some(before.version.clone()),
        countries: countries.names,
        markers: changed,
        newest: after.newest.clone(),
    }
}

/// To two decimals: no more is known, nor is anybody to learn where exactly somebody reported from.
fn rounded(position: &Position) -> (f32, f32) {
    let round = |degrees: f32| (degrees * 100.0).round() / 100.0;
    (round(position.lat), round(position.lng))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(version: &str, countries: &[&str], markers: Vec<Marker>) -> Markers {
        Markers {
            version: version.to_owned(),
            countries: countries.iter().map(|name| (*name).to_owned()).collect(),
            markers,
            ..Markers::default()
        }
    }

    fn marker(city: &str, country: usize, spirit: u64) -> Marker {
        Marker(1.5, 2.5, spirit, 0, 1, city.to_owned(), country, 'c')
    }

    #[test]
    fn changes_are_the_markers_with_other_counts_new_ones_and_those_that_are_gone() {
        let before = state(
            "one",
            &["France", "Peru"],
            vec![marker("Lyon", 0, 5), marker("Lima", 1, 4), marker("Nice", 0, 3)],
        );
        let after = state(
            "two",
            &["Peru", "Chile", "France"],
            vec![marker("Lima", 0, 6), marker("Lyon", 2, 5), marker("Arica", 1, 1)],
        );
        let gone = Marker(1.5, 2.5, 0, 0, 0, "Nice".to_owned(), 2, 'c');
        let expected = Markers {
            since: Some("one".to_owned()),
            ..state(
                "two",
                &["Peru", "Chile", "France"],
                vec![marker("Lima", 0, 6), marker("Arica", 1, 1), gone],
            )
        };
        assert_eq!(changes(&before, &after), expected);
        assert_eq!(changes(&after, &after).markers, []);
    }
}
