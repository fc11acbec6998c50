//! Lists of markers: collecting one, and comparing two.

use std::{collections::HashMap, sync::Arc};

use model::{Marker, Markers};

/// Collects markers.
pub(super) struct MarkerList {
    markers: Vec<Marker>,
    countries: Countries,
    /// Indices of markers by city, country and the bits of the position. Thousands of cities may have the position of
    /// their country.
    known: HashMap<(Arc<str>, usize, u32, u32), usize>,
}

impl MarkerList {
    /// Makes a list with room for this many markers.
    pub(super) fn of(most: usize) -> Self {
        Self {
            markers: Vec::with_capacity(most),
            countries: Countries::default(),
            known: HashMap::with_capacity(most),
        }
    }

    /// Adds a marker of a country, and returns whether it is a new one. Cities with the same name and position are one
    /// marker; they may share the position of their country if their regions are unknown.
    pub(super) fn add(&mut self, marker: Marker, country: &str) -> bool {
        let marker = Marker { 6: self.countries.index_of(country), ..marker };
        let key = (marker.5.clone(), marker.6, marker.0.to_bits(), marker.1.to_bits());
        let index = *self.known.entry(key).or_insert(self.markers.len());
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

    pub(super) fn into_markers(self) -> Markers {
        Markers { countries: self.countries.names, markers: self.markers, ..Markers::default() }
    }
}

/// Names of countries, each once.
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

/// Returns the differences in `after`: see [`Markers`].
pub(super) fn changes(before: &Markers, after: &Markers) -> Markers {
    let mut countries = Countries::default();
    let country_of = |markers: &Markers, marker: &Marker| {
        markers.countries.get(marker.6).cloned().unwrap_or_default()
    };
    let key = |markers: &Markers, marker: &Marker| {
        let Marker(lat, lng, ..) = marker;
        (marker.5.clone(), country_of(markers, marker), lat.to_bits(), lng.to_bits())
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn state(version: &str, countries: &[&str], markers: Vec<Marker>) -> Markers {
        Markers {
            version: version.to_owned(),
            countries: countries.iter().map(|name| (*name).to_owned()).collect(),
            markers,
            ..Markers::default()
        }
    }

    pub(crate) fn marker(city: &str, country: usize, spirit: u64) -> Marker {
        Marker(1.5, 2.5, spirit, 0, 1, city.into(), country, 'c')
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
        let gone = Marker(1.5, 2.5, 0, 0, 0, "Nice".into(), 2, 'c');
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
