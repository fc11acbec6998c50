//! Pairs of places whose names may be two spellings of one place.
//!
//! Different spellings with the same [key](geo::places) are one place already. Here, places with
//! different keys are compared: those of the same city name, those that the gazetteer has at the same
//! position, and those whose names differ by one letter. Two places that the gazetteer has at
//! different positions are different places, however similar their names are. Pairs that
//! people [keep apart](super::apart) are left out.
//!
//! Places are put into buckets by what they must have in common, and only places of the same bucket
//! are compared, so the time grows with the number of places, not of pairs.

use std::{
    collections::{BTreeMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    panic::resume_unwind,
    sync::Arc,
};

use domain::report::Status;
use geo::{
    gazetteer::{Gazetteer, Precision},
    places::{country_name, fold},
};
use tokio::task::spawn_blocking;

use super::{
    apart::{self, PlacesApart},
    city_name::CityName,
    place::PlaceKey,
};
use crate::{
    areas,
    error::Result,
    filter::Period,
    reports::{
        approved,
        duplicates::{MIN_LETTERS, differ_by_one},
        facets::{Group, groups_of},
    },
};

/// Maximum number of places of a bucket that are compared.
const MAX_BUCKET: usize = 32;

/// A place in its most frequent spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceReports {
    pub name: Arc<CityName>,
    /// Number of its reports of each status, in the order of [`Status::ALL`].
    pub statuses: [u64; 4],
}

impl PlaceReports {
    fn total(&self) -> u64 {
        self.statuses.iter().sum()
    }
}

/// Two places that may be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimilarPlaces {
    /// The likelier spelling first: the one that the gazetteer has, or that has more reports.
    pub places: [PlaceReports; 2],
    pub similarity: Similarity,
}

/// Similarity of two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Similarity {
    /// Only one of both names a region.
    Region,
    /// The gazetteer has both at the same position.
    Position,
    /// A name differs by one letter.
    Letter,
}

impl areas::Reports<'_> {
    /// Returns pairs of places that may be two spellings of one, those with the most reports in the
    /// less likely spelling first.
    pub async fn similar_places(self) -> Result<Vec<SimilarPlaces>> {
        let store = self.store;
        let (groups, apart) = store
            .read(move |tx| {
                Box::pin(async move {
                    let mut all = Vec::new();
                    for status in Status::ALL {
                        let groups = match status {
                            Status::Approved => {
                                approved::groups(tx, store, Period::default()).await?
                            }
                            other => groups_of(tx, other).await?,
                        };
                        all.extend(groups.into_iter().map(|group| (status, group)));
                    }
                    Ok((all, apart::all(tx).await?))
                })
            })
            .await?;
        let found = spawn_blocking(move || similar(&places(groups), &apart)).await;
        Ok(found.unwrap_or_else(|error| resume_unwind(error.into_panic())))
    }
}

/// Place that is compared with others.
struct Compared {
    key: PlaceKey,
    place: PlaceReports,
    /// Position of the city in the gazetteer, in the bits of its degrees.
    position: Option<[u32; 2]>,
}

/// Puts the groups together by the keys of their places, and returns the places in the order of the keys.
fn places(groups: Vec<(Status, Group)>) -> Vec<Compared> {
    let mut places: BTreeMap<PlaceKey, (u64, PlaceReports)> = BTreeMap::new();
    for (status, group) in groups {
        let key = group.name.key();
        let count = group.count(None);
        let new = PlaceReports { name: group.name.clone(), statuses: [0; 4] };
        let (most, place) = places.entry(key).or_insert((count, new));
        if count > *most {
            (*most, place.name) = (count, group.name.clone());
        }
        if let Some(sum) = place.statuses.get_mut(status as usize) {
            *sum += count;
        }
    }
    let gazetteer = Gazetteer::get();
    let places = places.into_iter().filter(|(key, _)| !key.city.is_empty());
    places
        .map(|(key, (_, place))| {
            let found = gazetteer.locate(&key.country, &key.region, &key.city);
            let city = found.filter(|found| found.precision == Precision::City);
            let position = city.map(|city| [city.lat.to_bits(), city.lng.to_bits()]);
            Compared { key, place, position }
        })
        .collect()
}

fn similar(places: &[Compared], apart: &[PlacesApart]) -> Vec<SimilarPlaces> {
    let mut buckets: Vec<(u64, usize)> = Vec::new();
    for (index, place) in places.iter().enumerate() {
        add_buckets_of(place, |bucket| buckets.push((bucket, index)));
    }
    buckets.sort_unstable();
    buckets.dedup();
    let index = |key: &PlaceKey| places.binary_search_by(|place| place.key.cmp(key)).ok();
    let apart = apart.iter().filter_map(|pair| {
        let [one, other] = pair.keys();
        index(&one).zip(index(&other))
    });
    let (mut pairs, mut seen) = (Vec::new(), apart.collect::<HashSet<_>>());
    for bucket in buckets.chunk_by(|(one, _), (other, _)| one == other) {
        let bucket = bucket.get(..MAX_BUCKET).unwrap_or(bucket);
        for (at, (_, one)) in bucket.iter().enumerate() {
            for (_, other) in bucket.iter().skip(at + 1) {
                let (Some(a), Some(b)) = (places.get(*one), places.get(*other)) else { continue };
                if let Some(similarity) = similarity(a, b)
                    && seen.insert((*one, *other))
                {
                    pairs.push((similarity, likelier(a, b)));
                }
            }
        }
    }
    let weight = |[_, other]: &[&Compared; 2]| other.place.total();
    pairs.sort_by(|(_, a), (_, b)| {
        weight(b).cmp(&weight(a)).then_with(|| a.map(|one| &one.key).cmp(&b.map(|one| &one.key)))
    });
    let pair = |(similarity, places): (_, [&Compared; 2])| SimilarPlaces {
        places: places.map(|one| one.place.clone()),
        similarity,
    };
    pairs.into_iter().map(pair).collect()
}

/// Adds the buckets of a place. Similar places have one in common.
fn add_buckets_of(Compared { key, position, .. }: &Compared, mut add: impl FnMut(u64)) {
    let PlaceKey { country, region, city } = key;
    add(hash(&("names", country, city)));
    add(hash(&("countries", region, city)));
    if let Some(position) = position {
        add(hash(&("position", country, position)));
    }
    if city.chars().count() < MIN_LETTERS {
        return;
    }
    // Of two names that differ by one letter, both without that letter are equal, or one is the other
    // without it.
    let mut letters = |name: &str| add(hash(&("letters", country, name)));
    letters(city);
    let mut rest = String::with_capacity(city.len());
    for (at, letter) in city.char_indices() {
        let (start, end) = city.split_at(at);
        rest.clear();
        rest.push_str(start);
        rest.push_str(end.strip_prefix(letter).unwrap_or_default());
        letters(&rest);
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the similarity of two different places, if they may be one.
fn similarity(a: &Compared, b: &Compared) -> Option<Similarity> {
    let (one, other) = (&a.key, &b.key);
    let is_one_place = a.position.is_some() && a.position == b.position;
    let are_two_places = a.position.is_some() && b.position.is_some() && !is_one_place;
    let lacks_region = one.region.is_empty() != other.region.is_empty();
    let letter =
        |one: &str, other: &str| one.chars().count() >= MIN_LETTERS && differ_by_one(one, other);
    if are_two_places {
        return None;
    }
    if one.country != other.country {
        // The key of a known country is its code, so the names are compared.
        let [name, other_name] = [a, b].map(|one| fold(&one.place.name.country));
        let is_unknown = [one, other].iter().any(|one| country_name(&one.country).is_none());
        let is_slip = is_unknown
            && one.region == other.region
            && one.city == other.city
            && letter(&name, &other_name);
        return is_slip.then_some(Similarity::Letter);
    }
    let is_same_city = one.city == other.city;
    if is_same_city && lacks_region {
        return Some(Similarity::Region);
    }
    if is_one_place {
        return Some(Similarity::Position);
    }
    let is_similar_region =
        one.region == other.region || lacks_region || letter(&one.region, &other.region);
    let is_similar_city = is_same_city || letter(&one.city, &other.city);
    (is_similar_region && is_similar_city).then_some(Similarity::Letter)
}

/// Puts the likelier spelling first.
fn likelier<'c>(a: &'c Compared, b: &'c Compared) -> [&'c Compared; 2] {
    let rank =
        |one: &Compared| (one.position.is_some(), one.place.total(), !one.key.region.is_empty());
    if rank(a) >= rank(b) { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ReportType;

    fn found(named: &[(&str, &str, &str, u64)]) -> Vec<(String, String, Similarity)> {
        let groups = named.iter().map(|(country, region, city, count)| {
            let names = [*country, *region, *city];
            let group = Group::all_of([(names, ReportType::Water, *count)].into_iter());
            (Status::Pending, group.into_iter().next().unwrap())
        });
        let shown = |place: &PlaceReports| {
            let CityName { country, region, city, .. } = &*place.name;
            [&**city, &**region, &**country].join("/")
        };
        let pairs = similar(&places(groups.collect()), &[]).into_iter();
        pairs
            .map(|SimilarPlaces { places: [one, other], similarity }| {
                (shown(&one), shown(&other), similarity)
            })
            .collect()
    }

    #[test]
    fn spellings_of_one_place_are_paired_with_the_likelier_one_first() {
        use Similarity::{Letter, Position, Region};
        for (one, other, similarity) in [
            (("Brazil", "", "Recife", 1), ("Brazil", "", "Recifee", 9), Letter),
            (("Brazil", "São Paulo", "Campinas", 5), ("Brasil", "", "Campinas", 4), Region),
            (("Germany", "", "Munich", 9), ("Germany", "", "München", 5), Position),
            (("Norway", "", "Oslo", 5), ("Norwway", "", "Oslo", 9), Letter),
        ] {
            let shown = |(country, region, city, _)| [city, region, country].join("/");
            let expected = (shown(one), shown(other), similarity);
            assert_eq!(found(&[one, other]), std::slice::from_ref(&expected));
            assert_eq!(found(&[other, one]), [expected]);
        }
    }

    #[test]
    fn different_places_are_not_paired() {
        for (one, other) in [
            // The gazetteer has both.
            (("France", "", "Lens", 5), ("France", "", "Sens", 5)),
            (("US", "Illinois", "Springfield", 5), ("US", "Missouri", "Springfield", 5)),
            (("US", "", "Paris", 5), ("France", "", "Paris", 5)),
            // One place already.
            (("Brazil", "", "São Paulo", 5), ("Brasil", "", "sao paulo", 5)),
            // Two letters differ, or the names are short.
            (("Brazil", "", "Nowhereville", 5), ("Brazil", "", "Nowhervile", 4)),
            (("Brazil", "", "Abc", 5), ("Brazil", "", "Abd", 5)),
        ] {
            assert_eq!(found(&[one, other]), []);
        }
    }

    #[test]
    fn the_pair_with_the_most_reports_to_correct_comes_first() {
        let pairs = found(&[
            ("Brazil", "", "Recife", 900),
            ("Brazil", "", "Recifee", 2),
            ("Brazil", "", "Manaus", 30),
            ("Brazil", "", "Mannaus", 20),
        ]);
        let cities: Vec<_> = pairs.iter().map(|(_, other, _)| other.as_str()).collect();
        assert_eq!(cities, ["Mannaus//Brazil", "Recifee//Brazil"]);
    }
}
