//! The markers of a globe, and their changes since an earlier state: a page that shows a globe asks
//! every few seconds while reports arrive, and ten thousand markers are 78 kB.

use std::{collections::HashMap, sync::Arc, time::Duration};

use app::{
    lang::Lang,
    model::{Marker, Markers, Newest},
};
use moka::future::Cache;

use super::{Answers, Asked, OVERHEAD};
use crate::{
    answer::Answer,
    gazetteer::{Position, Precision},
    names::{City, country_name},
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
/// What a marker costs in memory, roughly.
const BYTES_PER_MARKER: usize = 120;

/// Which markers: of a place, with reports of these types, and their names in a language or as given.
pub(crate) type Selection = (PlaceFilter, [bool; 3], Option<Lang>);

/// Markers with the names that were given, before they are called anything in a language.
#[derive(Debug, Default)]
struct Counted {
    markers: Markers,
    /// Which city each marker is, where that is one with names in every language.
    cities: Vec<Option<City>>,
}

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
    /// What the states of all languages are made of, by the data version.
    counted: Cache<(PlaceFilter, [bool; 3], i64), Arc<Counted>>,
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
            counted: Cache::builder()
                .max_capacity(MAX_BYTES / 4)
                .weigher(|_, counted: &Arc<Counted>| {
                    u32::try_from(counted.cities.len() * BYTES_PER_MARKER + OVERHEAD)
                        .unwrap_or(u32::MAX)
                })
                .time_to_idle(Duration::from_secs(60))
                .build(),
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
    /// The markers of a globe. With `since`, what has changed from that version on, if it is still
    /// known.
    pub fn markers(&self, selection: Selection, since: Option<String>) -> Asked<'_> {
        Box::pin(async move {
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
            let (place, types, lang) = selection.clone();
            let counted = self.counted_markers(place, types, version).await?;
            let mut markers = match lang {
                Some(lang) => named(&counted, lang),
                None => counted.markers.clone(),
            };
            let tag = Answer::json(&markers).etag;
            let tag = tag.to_str().unwrap_or_default();
            markers.version = tag.chars().filter(char::is_ascii_alphanumeric).skip(1).collect();
            let answer = Arc::new(Answer::json(&markers));
            let name = (selection, markers.version.clone());
            let state = Arc::new(MarkerState { markers, answer });
            self.markers.named.insert(name, state.clone()).await;
            Ok::<_, Arc<store::Error>>(state)
        };
        let kept = self.markers.current.try_get_with(key, compute).await;
        kept.map_err(Arc::unwrap_or_clone)
    }

    async fn counted_markers(
        &self,
        place: PlaceFilter,
        types: [bool; 3],
        version: i64,
    ) -> Result<Arc<Counted>, Arc<store::Error>> {
        let key = (place.clone(), types, version);
        let compute = async { Ok(Arc::new(self.count_markers(place, types).await?)) };
        self.markers.counted.try_get_with(key, compute).await
    }

    async fn count_markers(&self, place: PlaceFilter, types: [bool; 3]) -> store::Result<Counted> {
        let cities = self.store.largest_cities(&place, types, MAX_MARKERS).await?;
        let filter = Filter { period: Period::default(), place };
        let query = ReportsQuery { filter, types, since: None, limit: RECENT };
        let newest = self.store.reports(&query).await?;
        let newest: Vec<String> = newest.into_iter().map(|listed| listed.report.id).collect();
        let places = self.store.cities_of(&newest).await?;
        let located: Vec<&CityCounts> = cities.iter().chain(places.values()).collect();
        let positions = self.markers.positions.of(&self.store, &located).await?;
        let mut list = MarkerList::default();
        let mut known = Vec::new();
        for CityCounts { id, location, counts } in cities {
            let Some(position) = positions.get(&id) else { continue };
            let (lat, lng) = rounded(position);
            let shown = |index: usize| if types[index] { counts[index] } else { 0 };
            let [spirit, water, both] = [0, 1, 2].map(shown);
            let precision = match position.precision {
                Precision::City => 'c',
                Precision::Region => 'r',
                Precision::Country => 'n',
            };
            let same = City::find(&location.country, &location.region, &location.city);
            let marker = Marker(lat, lng, spirit, water, both, location.city, 0, precision);
            if list.add(marker, &location.country) {
                known.push(same);
            }
        }
        let mut markers = list.into_markers();
        for report in newest {
            let place = places.get(&report).and_then(|city| positions.get(&city.id));
            if let Some((lat, lng)) = place.map(rounded) {
                markers.newest.push(Newest(report, lat, lng));
            }
        }
        Ok(Counted { markers, cities: known })
    }
}

/// The markers with their names in a language.
fn named(counted: &Counted, lang: Lang) -> Markers {
    let Counted { markers, cities } = counted;
    let country = |given: &String| country_name(given, lang).unwrap_or(given).to_owned();
    let countries: Vec<String> = markers.countries.iter().map(country).collect();
    let mut list = MarkerList::default();
    for (marker, city) in markers.markers.iter().zip(cities) {
        let name = city.and_then(|city| city.name(lang)).unwrap_or(&marker.5).to_owned();
        let country = countries.get(marker.6).map_or("", String::as_str);
        list.add(Marker { 5: name, ..marker.clone() }, country);
    }
    Markers { newest: markers.newest.clone(), ..list.into_markers() }
}

/// Markers being put together.
#[derive(Default)]
struct MarkerList {
    markers: Vec<Marker>,
    countries: Countries,
    known: HashMap<MarkerKey, usize>,
}

impl MarkerList {
    /// Adds a marker of a country, and tells whether it is a new one. Cities of one name may have one
    /// position, that of their country where their regions are not found: they are one marker.
    fn add(&mut self, marker: Marker, country: &str) -> bool {
        let marker = Marker { 6: self.countries.index_of(country), ..marker };
        let index = *self.known.entry(key_of(&marker)).or_insert(self.markers.len());
        match self.markers.get_mut(index) {
            Some(same) => {
                same.2 += marker.2;
                same.3 += marker.3;
                same.4 += marker.4;
                false
            }
            None => {
                self.markers.push(marker);
                true
            }
        }
    }

    fn into_markers(self) -> Markers {
        Markers { countries: self.countries.names, markers: self.markers, ..Markers::default() }
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
        assert_eq!(named(&counted, Lang::Fr), expected);
    }

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
