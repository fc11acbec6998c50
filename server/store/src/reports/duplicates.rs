//! Possible duplicates of reports: pending and approved reports that may be about the same event.
//!
//! Possible duplicates have the same place, day and number of people, or almost: the city differs
//! by one letter, only one of both names a region, the day is the next or the previous one, the
//! numbers of people differ by up to a fifth. At most two of city, day and number differ.
//!
//! The cost of a report is bounded. An index with the folded names of cities finds the pending ones,
//! and is scanned only for cities that start with the same letters. The lists find the approved ones.

use std::collections::HashMap;

use base::time::{date_of_day, day_number, parse_date};
use chrono::{Days, NaiveDate};
use domain::report::Status;
use geo::places::{country_key, fold};
use sqlx::AssertSqlSafe;

use super::{
    list::ListedReport,
    recent::{ReportsQuery, newest_of},
};
use crate::{
    Store, areas,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::Result,
    filter::{Filter, Period, PlaceFilter},
    places::index::PlaceIndex,
};

/// Maximum number of pending reports of the same city compared with one report, and again of
/// similar cities.
const MAX_WAITING: i64 = 50;
/// Maximum number of approved reports of a city compared with one report.
const MAX_PUBLISHED: u32 = 50;
/// Maximum number of cities whose names are compared with that of one city.
const MAX_CITIES: i64 = 200;
/// Maximum number of similar cities whose approved reports are compared.
const MAX_SIMILAR: usize = 3;
/// Number of first letters in which similar names agree.
const SAME_LETTERS: usize = 2;
/// Minimum number of letters of similar names.
pub(crate) const MIN_LETTERS: usize = 4;
/// Maximum number of differences.
const MAX_DIFFERENCES: usize = 2;

/// Possible duplicate of a report, with its differences from that report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleDuplicate {
    pub id: String,
    pub status: Status,
    /// City, if its name differs by a letter.
    pub city: Option<String>,
    /// Whether only one of both names a region.
    pub lacks_region: bool,
    /// Number of days by which it is later; negative if it is earlier.
    pub days_later: i64,
    /// Number of people, if it differs.
    pub people: Option<i64>,
}

impl PossibleDuplicate {
    fn differences(&self) -> usize {
        let differs = [self.city.is_some(), self.days_later != 0, self.people.is_some()];
        differs.into_iter().filter(|differs| *differs).count()
    }
}

/// Another report.
#[derive(sqlx::FromRow)]
struct Other {
    id: String,
    status: String,
    city: String,
    region: String,
    country: String,
    people_count: i64,
    event_day: i64,
}

impl areas::Reports<'_> {
    /// Returns the possible duplicates of each report, those with the fewest differences first.
    pub async fn duplicates(self, reports: &[ListedReport]) -> Result<Vec<Vec<PossibleDuplicate>>> {
        let store = self.store;
        let compared: Vec<Option<Compared>> = reports.iter().map(Compared::of).collect();
        let compared = &compared;
        // A page has many reports, so all is read on one connection.
        store
            .read(move |tx| {
                Box::pin(async move {
                    let cities = published_cities(tx, store, compared.iter().flatten()).await?;
                    let mut others = Vec::with_capacity(compared.len());
                    for report in compared {
                        let Some(report) = report else {
                            others.push(Vec::new());
                            continue;
                        };
                        let mut found = waiting(tx, report).await?;
                        if let Some(cities) = cities.get(&report.place) {
                            found.extend(published(tx, store, report, cities).await?);
                        }
                        others.push(found);
                    }
                    Ok(compared.iter().zip(others).map(duplicates).collect())
                })
            })
            .await
    }
}

/// Returns the duplicates among other reports, those with the fewest differences first.
fn duplicates((report, others): (&Option<Compared>, Vec<Other>)) -> Vec<PossibleDuplicate> {
    let Some(report) = report else { return Vec::new() };
    let mut found: Vec<_> =
        others.into_iter().filter_map(|other| report.duplicate(other)).collect();
    found.sort_by_cached_key(|one| {
        (one.differences(), one.status != Status::Approved, one.id.clone())
    });
    found
}

/// Returns the pending reports that may be duplicates.
async fn waiting(tx: &mut Connection, report: &Compared) -> Result<Vec<Other>> {
    let [before, day, after] = report.days().map(day_number);
    let (fewest, most) = report.numbers();
    let place = &report.place;
    let cities = Cities::near(place);
    let mut query = sql::query_as(AssertSqlSafe(select_waiting(cities)))
        .bind(before)
        .bind(day)
        .bind(after)
        .bind(fewest)
        .bind(most)
        .bind(place.city.as_str());
    if cities == Cities::Similar {
        let (first, end) = place.similar();
        query = query.bind(first).bind(end).bind(place.letters() as i64);
    }
    Ok(query.fetch_all(tx).await?)
}

/// A city with approved reports, and its places.
struct PublishedCity {
    filter: PlaceFilter,
    places: Vec<i64>,
}

/// Returns the cities with approved reports whose names are those of the reports' cities, or differ by a letter.
async fn published_cities<'c>(
    tx: &mut Connection,
    store: &Store,
    reports: impl Iterator<Item = &'c Compared>,
) -> Result<HashMap<&'c City, Vec<PublishedCity>>> {
    let mut names: HashMap<&City, Vec<String>> = HashMap::new();
    for Compared { place, .. } in reports {
        // Many reports of a list are from the same city.
        if !names.contains_key(place) {
            let mut near = vec![place.city.clone()];
            near.extend(similar_cities(tx, place).await?);
            names.insert(place, near);
        }
    }
    let known = |index: &PlaceIndex| {
        let cities = names.into_iter().map(|(near, names)| {
            let cities = names.into_iter().filter_map(|city| {
                let country = Some(near.country.clone());
                let filter = PlaceFilter { country, region: None, city: Some(city) };
                let places = index.scopes(&filter);
                (!places.is_empty()).then_some(PublishedCity { filter, places })
            });
            (near, cities.collect())
        });
        cities.collect()
    };
    store.places.with(tx, known).await
}

/// Returns the approved reports that may be duplicates.
async fn published(
    tx: &mut Connection,
    store: &Store,
    report: &Compared,
    cities: &[PublishedCity],
) -> Result<Vec<Other>> {
    let [from, _, to] = report.days();
    let period = Period { from: Some(from), to: Some(to) };
    let mut ids = Vec::new();
    for PublishedCity { filter, places } in cities {
        let filter = Filter { period, place: filter.clone() };
        let query = ReportsQuery { filter, ..ReportsQuery::newest(MAX_PUBLISHED) };
        let found = newest_of(tx, &store.segments, &query, places.clone()).await?.reports;
        let found = found.into_iter().map(|found| found.report);
        let found = found.filter(|other| report.has_similar(other.people_count.into()));
        ids.extend(found.map(|other| other.id).filter(|id| *id != report.id));
    }
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    // Lists contain no regions.
    let sql = format!("SELECT {COLUMNS} FROM reports WHERE id");
    bulk::select_matching(tx, &sql, &ids, |query, id| query.bind(id.as_str())).await
}

/// Returns the cities with approved reports whose names differ from that of `place` by a letter.
async fn similar_cities(tx: &mut Connection, place: &City) -> Result<Vec<String>> {
    if place.letters() < MIN_LETTERS {
        return Ok(Vec::new());
    }
    let (first, end) = place.similar();
    let known: Vec<String> = sql::query_scalar(AssertSqlSafe(select_similar_cities()))
        .bind(place.country.as_str())
        .bind(first)
        .bind(end)
        .bind(place.letters() as i64)
        .fetch_all(tx)
        .await?;
    let similar = known.into_iter().filter(|city| differ_by_one(city, &place.city));
    Ok(similar.take(MAX_SIMILAR).collect())
}

const COLUMNS: &str = "id, status, city, region, country, people_count, event_day";

// The limits are part of the statements: SQLite compiles a statement again for each new value of a limit.

/// Returns the statement that selects cities of a country with about as many letters.
fn select_similar_cities() -> String {
    format!(
        "SELECT DISTINCT city_key FROM places
         WHERE level = 3 AND country_key = $1 AND city_key >= $2 AND city_key < $3
           AND length(city_key) BETWEEN $4 - 1 AND $4 + 1
         LIMIT {MAX_CITIES}"
    )
}

/// Cities whose reports are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cities {
    Same,
    /// Similar ones, too.
    Similar,
}

impl Cities {
    /// Returns the cities that are compared with `place`.
    fn near(place: &City) -> Self {
        if place.letters() < MIN_LETTERS { Self::Same } else { Self::Similar }
    }
}

/// Returns the statement that selects pending reports.
fn select_waiting(cities: Cities) -> String {
    let of = |cities| {
        format!(
            "SELECT * FROM (
                 SELECT {COLUMNS} FROM reports
                 WHERE status = 'PENDING' AND event_day IN ($1, $2, $3)
                   AND people_count BETWEEN $4 AND $5 AND {cities}
                 LIMIT {MAX_WAITING}
             ) AS waiting"
        )
    };
    let same = of("city_key = $6");
    let similar = "city_key >= $7 AND city_key < $8 AND city_key <> $6
                   AND length(city_key) BETWEEN $9 - 1 AND $9 + 1";
    match cities {
        Cities::Same => same,
        Cities::Similar => format!("{same} UNION ALL {}", of(similar)),
    }
}

/// Folded names of a city and its country. The region is compared later, because it may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct City {
    country: String,
    city: String,
}

impl City {
    fn letters(&self) -> usize {
        self.city.chars().count()
    }

    /// Returns the first possible name of similar cities, and the name before which they end.
    fn similar(&self) -> (String, String) {
        let start: String = self.city.chars().take(SAME_LETTERS).collect();
        let end = format!("{start}{}", char::MAX);
        (start, end)
    }
}

/// Report that others are compared with.
struct Compared {
    id: String,
    place: City,
    region: String,
    day: NaiveDate,
    people: i64,
}

impl Compared {
    /// Returns `None` if the calendar has no such day as that of the report.
    fn of(report: &ListedReport) -> Option<Self> {
        Some(Self {
            id: report.id.clone(),
            place: City { country: country_key(&report.country), city: fold(&report.city) },
            region: fold(&report.region),
            day: parse_date(&report.event_date)?,
            people: report.people_count,
        })
    }

    /// Returns the previous day, the day, and the next day.
    fn days(&self) -> [NaiveDate; 3] {
        let Self { day, .. } = *self;
        let near = |other: Option<NaiveDate>| other.unwrap_or(day);
        [near(day.checked_sub_days(Days::new(1))), day, near(day.checked_add_days(Days::new(1)))]
    }

    /// Returns the smallest and the largest similar number of people.
    fn numbers(&self) -> (i64, i64) {
        (self.people * 4 / 5, self.people * 5 / 4)
    }

    /// Whether a number of people differs by at most a fifth.
    fn has_similar(&self, people: i64) -> bool {
        (people - self.people).abs() * 5 <= people.max(self.people)
    }

    /// Returns the other report with its differences, if it is a possible duplicate.
    fn duplicate(&self, other: Other) -> Option<PossibleDuplicate> {
        let (city, region) = (fold(&other.city), fold(&other.region));
        let is_same_city = city == self.place.city;
        let may_be = other.id != self.id
            && country_key(&other.country) == self.place.country
            && (is_same_city || differ_by_one(&city, &self.place.city))
            && (region == self.region || region.is_empty() || self.region.is_empty())
            && self.has_similar(other.people_count);
        let duplicate = PossibleDuplicate {
            id: other.id,
            status: Status::from_name(&other.status)?,
            city: (!is_same_city).then_some(other.city),
            lacks_region: region != self.region,
            days_later: (date_of_day(other.event_day) - self.day).num_days(),
            people: (other.people_count != self.people).then_some(other.people_count),
        };
        (may_be && duplicate.differences() <= MAX_DIFFERENCES).then_some(duplicate)
    }
}

/// Whether one letter is missing in one of two names, or differs.
pub(crate) fn differ_by_one(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    let (mut long, mut short) = (letters(one), letters(other));
    if long.len() < short.len() {
        std::mem::swap(&mut long, &mut short);
    }
    let same = long.iter().zip(&short).take_while(|(a, b)| a == b).count();
    let rest = |letters: &[char], skipped: usize| -> Option<Vec<char>> {
        letters.get(same + skipped..).map(<[char]>::to_vec)
    };
    match long.len() - short.len() {
        0 => same < long.len() && rest(&long, 1) == rest(&short, 1),
        1 => rest(&long, 1) == rest(&short, 0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scratch;

    #[test]
    fn names_differ_by_one_letter() {
        for (one, other, expected) in [
            ("recife", "recife", false),
            ("recife", "recifee", true),
            ("recfe", "recife", true),
            ("recite", "recife", true),
            ("recief", "recife", false),
            ("rec", "recife", false),
            ("", "a", true),
        ] {
            assert_eq!(differ_by_one(one, other), expected, "{one} {other}");
            assert_eq!(differ_by_one(other, one), expected, "{other} {one}");
        }
    }

    #[tokio::test]
    async fn duplicates_are_found_by_indexes() {
        let store = Scratch::sqlite().await;
        let index = |cities| {
            format!("SEARCH reports USING INDEX reports_pending_alike (event_day=? AND {cities})")
        };
        let same = index("city_key=? AND people_count>? AND people_count<?");
        let similar = index("city_key>? AND city_key<?");
        for (which, indexes) in
            [(Cities::Same, vec![&same]), (Cities::Similar, vec![&same, &similar])]
        {
            let plan = store.plan(&select_waiting(which)).await;
            let reads: Vec<_> = plan.iter().filter(|step| step.contains(" reports ")).collect();
            assert_eq!(reads, indexes, "{which:?}");
        }
        let places = store.plan(&select_similar_cities()).await;
        let index = "SEARCH places USING COVERING INDEX places_cities \
                     (country_key=? AND city_key>? AND city_key<?)";
        assert_eq!(places, [index]);
    }
}
