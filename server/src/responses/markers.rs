//! The markers of a globe, and their changes since an earlier state: a page with a globe sends a request every few
//! seconds while reports arrive, and ten thousand markers are 78 kB.

mod list;

use std::{collections::HashMap, panic, sync::Arc, time::Duration};

use app::page_data::GlobeMarkers;
use base::cache::{Cache, Limits};
use edge::representation::{Representation, digest, to_json};
use futures_util::future::try_join;
use geo::gazetteer::{Position, Precision};
use kit::lang::Lang;
use model::{Marker, Markers, Newest, Report};
use store::{self, CityCounts, Filter, ReportsQuery, Versioned};
use tokio::task;

use self::list::{MarkerList, changes};
use super::{
    ResponseCache,
    cache::Cached,
    names::{City, city_name, country_name, found_city_name},
    positions::{Located, Positions},
};
use crate::responses::snapshot::RECENT;

/// Maximum number of markers of a globe: more would be dots on dots.
pub const MAX_MARKERS: usize = 10_000;
/// Approximate maximum size of the cached states in bytes.
const MAX_BYTES: u64 = 24 << 20;
/// Approximate size of a state per byte of its JSON.
const BYTES_PER_BYTE: usize = 4;
/// Approximate size of a cache entry besides its contents.
const OVERHEAD: usize = 512;
/// Approximate size of a marker in memory.
const BYTES_PER_MARKER: usize = 120;

/// Start of the JSON of markers: the version is their first member.
const BEFORE_VERSION: &[u8] = b"{\"version\":\"";

/// Filter and types of the reports, and language of the names; `None`: names as reported.
pub(crate) type Selection = (Filter, [bool; 3], Option<Lang>);

/// Markers with names as reported, before translation.
#[derive(Debug, Default)]
struct Counted {
    markers: Markers,
    /// City of each marker, if it has names in every language.
    cities: Vec<Option<City>>,
}

/// The markers of one data version, as a value and as a response.
#[derive(Debug)]
pub struct MarkerState {
    pub markers: Arc<GlobeMarkers>,
    pub answer: Arc<Representation>,
}

/// Era and data version: see [`Snapshot`](super::snapshot::Snapshot).
type Data = (u64, i64);

/// The latest states. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct MarkerStates {
    positions: Positions,
    /// Sources for the states of all languages, by data version.
    counted: Cache<(Filter, [bool; 3], Data), Counted>,
    /// States by the data version that they were computed for.
    current: Cache<(Selection, Data), MarkerState>,
    /// States by their own version, a digest of their contents: two nodes, or a node before and after a restart, have
    /// the same version only for the same markers.
    by_version: Cache<(Selection, String), MarkerState>,
    /// Changes from one version to another.
    changes: Cache<(Selection, String, String), Representation>,
}

impl MarkerStates {
    pub(super) fn positions(&self) -> &Positions {
        &self.positions
    }
}

impl Default for MarkerStates {
    fn default() -> Self {
        let weight = |filter: &Filter, bytes: usize| {
            u32::try_from(bytes + filter.place.bytes() + OVERHEAD).unwrap_or(u32::MAX)
        };
        let state_weight = move |selection: &Selection, state: &MarkerState| {
            weight(&selection.0, state.answer.body.len() * BYTES_PER_BYTE)
        };
        let limits =
            |weight, idle| Limits { weight, idle: Some(Duration::from_secs(idle)), age: None };
        Self {
            positions: Positions::default(),
            counted: Cache::new(
                limits(MAX_BYTES / 4, 60),
                move |(filter, ..): &(Filter, _, _), counted: &Counted| {
                    weight(filter, counted.cities.len() * BYTES_PER_MARKER)
                },
            ),
            current: Cache::new(limits(MAX_BYTES, 60), move |(selection, _), state| {
                state_weight(selection, state)
            }),
            // Unused states stay for ten minutes: a page that was in the background for a while still gets changes
            // only.
            by_version: Cache::new(limits(MAX_BYTES, 600), move |(selection, _), state| {
                state_weight(selection, state)
            }),
            changes: Cache::new(
                limits(MAX_BYTES / 8, 60),
                |(selection, ..): &(Selection, _, _), answer: &Representation| {
                    answer.weight(selection.0.place.bytes() + OVERHEAD)
                },
            ),
        }
    }
}

impl MarkerState {
    fn of(counted: &Counted, lang: Option<Lang>) -> Self {
        let mut markers = match lang {
            Some(lang) => in_language(counted, lang),
            None => counted.markers.clone(),
        };
        let body = to_json(&markers);
        markers.version = digest(&body);
        let body = with_version(body, &markers.version);
        let answer = Representation::json_named(body, &markers.version).gzipped();
        Self { markers: Arc::new(markers.into()), answer: Arc::new(answer) }
    }
}

impl ResponseCache {
    /// Returns the markers of a globe. With `since`, only the changes since that version, if it is still cached.
    pub async fn markers(
        &self,
        selection: Selection,
        since: Option<String>,
    ) -> Cached<Representation> {
        let state = self.marker_state(selection.clone()).await?;
        let Some(since) = since else { return Ok(state.answer.clone()) };
        let Some(before) = self.markers.by_version.get(&(selection.clone(), since.clone())).await
        else {
            return Ok(state.answer.clone());
        };
        let key = (selection, since, state.markers.version.clone());
        let compute =
            async { Ok(Arc::new(Representation::json(&changes(&before.markers, &state.markers)))) };
        self.markers.changes.get_or_try(key, compute).await
    }

    /// Whether the markers of a globe are cached, so that they cost little.
    pub fn has_markers(&self, selection: &Selection) -> bool {
        self.markers.current.contains_key(&(selection.clone(), self.data()))
    }

    fn data(&self) -> Data {
        let snapshot = self.snapshot();
        (snapshot.last.era, snapshot.last.version)
    }

    /// Returns the markers of a globe, for callers that need the typed value.
    pub async fn marker_state(&self, selection: Selection) -> Cached<MarkerState> {
        let data = self.data();
        let key = (selection.clone(), data);
        let compute = async {
            let (filter, types, lang) = selection.clone();
            let counted = self.counted_markers(filter, types, data).await?;
            // Ten thousand markers take tens of milliseconds, which must not block the threads of the runtime.
            let made = task::spawn_blocking(move || MarkerState::of(&counted, lang)).await;
            let state = made.unwrap_or_else(|error| panic::resume_unwind(error.into_panic()));
            let state = Arc::new(state);
            let name = (selection, state.markers.version.clone());
            self.markers.by_version.insert(name, state.clone()).await;
            Ok::<_, Arc<store::Error>>(state)
        };
        self.markers.current.get_or_try(key, compute).await
    }

    async fn counted_markers(
        &self,
        filter: Filter,
        types: [bool; 3],
        data: Data,
    ) -> Cached<Counted> {
        let key = (filter.clone(), types, data);
        let compute = async {
            let counted = self.count_markers(filter, types).await;
            counted.map(Arc::new).map_err(Arc::new)
        };
        self.markers.counted.get_or_try(key, compute).await
    }

    async fn count_markers(&self, filter: Filter, types: [bool; 3]) -> store::Result<Counted> {
        let query = ReportsQuery { filter: filter.clone(), types, ..ReportsQuery::newest(RECENT) };
        let newest = async {
            let newest = self.store.reports().recent(&query).await?;
            let newest = newest.value.into_iter();
            let newest: Vec<Report> = newest.map(|listed| listed.report).collect();
            let ids: Vec<String> = newest.iter().map(|report| report.id.clone()).collect();
            let places = self.store.counters().cities_of(&ids).await?;
            Ok((newest, places))
        };
        let cities = self.store.counters().largest_cities(&filter, types, MAX_MARKERS);
        let (Versioned { value: cities, last }, (newest, places)) =
            try_join(cities, newest).await?;
        let all: Vec<&CityCounts> = cities.iter().chain(places.values()).collect();
        let located = self.markers.positions.of(&self.store, &all, &last).await?;
        let mut located = located.into_iter();
        let mut list = MarkerList::of(cities.len());
        let mut known = Vec::with_capacity(cities.len());
        for (CityCounts { name, counts, .. }, located) in cities.iter().zip(located.by_ref()) {
            let Some(Located { position, known: same }) = located else { continue };
            let (lat, lng) = rounded(&position);
            let shown = |index: usize| if types[index] { counts[index] } else { 0 };
            let [spirit, water, both] = [0, 1, 2].map(shown);
            let precision = match position.precision {
                Precision::City => 'c',
                Precision::Region => 'r',
                Precision::Country => 'n',
            };
            let marker = Marker(lat, lng, spirit, water, both, name.city.clone(), 0, precision);
            if list.add(marker, &name.country) {
                known.push(same);
            }
        }
        let mut markers = list.into_markers();
        let places: HashMap<&String, Option<Located>> = places.keys().zip(located).collect();
        for Report { id, city, country, .. } in newest {
            let place = places.get(&id).copied().flatten();
            if let Some((lat, lng)) = place.map(|located| rounded(&located.position)) {
                markers.newest.push(Newest(id, lat, lng, city, country));
            }
        }
        Ok(Counted { markers, cities: known })
    }
}

/// Inserts a version into the JSON of markers without one.
fn with_version(mut json: Vec<u8>, version: &str) -> Vec<u8> {
    let before = BEFORE_VERSION.len();
    json.splice(before..before, version.bytes());
    json
}

/// Returns the markers with their names in a language.
fn in_language(counted: &Counted, lang: Lang) -> Markers {
    let Counted { markers, cities } = counted;
    let country = |given: &String| country_name(given, lang).unwrap_or(given).to_owned();
    let countries: Vec<String> = markers.countries.iter().map(country).collect();
    let mut list = MarkerList::of(cities.len());
    for (marker, city) in markers.markers.iter().zip(cities) {
        let country = countries.get(marker.6).map_or("", String::as_str);
        let name = found_city_name(*city, country, &marker.5, lang).map(Arc::from);
        list.add(Marker { 5: name.unwrap_or_else(|| marker.5.clone()), ..marker.clone() }, country);
    }
    let newest = |Newest(id, lat, lng, city, country): &Newest| {
        let city = city_name(country, "", city, lang).unwrap_or(city).to_owned();
        let country = country_name(country, lang).unwrap_or(country).to_owned();
        Newest(id.clone(), *lat, *lng, city, country)
    };
    Markers { newest: markers.newest.iter().map(newest).collect(), ..list.into_markers() }
}

/// Rounds to two decimals: positions are no more precise, and must not reveal where exactly a report was made.
fn rounded(position: &Position) -> (f32, f32) {
    let round = |degrees: f32| (degrees * 100.0).round() / 100.0;
    (round(position.lat), round(position.lng))
}

#[cfg(test)]
mod tests {
    use super::{
        list::tests::{marker, state},
        *,
    };

    #[test]
    fn the_json_of_markers_gets_their_version() {
        let mut markers = state("", &["Peru"], vec![marker("Lima", 0, 5)]);
        let json = with_version(to_json(&markers), "abc");
        markers.version = "abc".to_owned();
        assert_eq!(String::from_utf8(json), String::from_utf8(to_json(&markers)));
    }

    #[test]
    fn two_spellings_of_one_city_are_one_marker_in_a_language() {
        let counted = Counted {
            markers: state(
                "",
                &["Österreich", "Atlantis"],
                vec![marker("Vienna", 0, 5), marker("Wien", 0, 4), marker("Vienna", 1, 3)],
            ),
            cities: vec![
                City::find("AT", "", "Vienna"),
                City::find("AT", "", "Wien"),
                City::find("Atlantis", "", "Vienna"),
            ],
        };
        let vienna = Marker { 4: 2, ..marker("Vienne", 0, 9) };
        let expected = state("", &["Autriche", "Atlantis"], vec![vienna, marker("Vienna", 1, 3)]);
        assert_eq!(in_language(&counted, Lang::Fr), expected);
    }
}
