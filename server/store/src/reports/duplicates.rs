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

use super::{list::ListedReport, recent::ReportsQuery};
use crate::{
    areas,
    engine::{bulk, sql},
    error::Result,
    filter::{Filter, Period, PlaceFilter},
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
        // Many reports of a list are from the same city.
        let mut similar: HashMap<City, Vec<String>> = HashMap::new();
        let mut all = Vec::with_capacity(reports.len());
        for report in reports {
            let Some(report) = Compared::of(report) else {
                all.push(Vec::new());
                continue;
            };
            if !similar.contains_key(&report.place) {
                let cities = self.similar_cities(&report.place).await?;
                similar.insert(report.place.clone(), cities);
            }
            let cities = similar.get(&report.place).map_or(&[][..], Vec::as_slice);
            let mut others = self.waiting(&report).await?;
            others.extend(self.published(&report, cities).await?);
            let mut found: Vec<_> =
                others.into_iter().filter_map(|other| report.duplicate(other)).collect();
            found.sort_by_cached_key(|one| {
                (one.differences(), one.status != Status::Approved, one.id.clone())
            });
            all.push(found);
        }
        Ok(all)
    }

    /// Returns the pending reports that may be duplicates.
    async fn waiting(self, report: &Compared) -> Result<Vec<Other>> {
        let [before, day, after] = report.days().map(day_number);
        let (fewest, most) = report.numbers();
        let place = &report.place;
        let query = |cities| {
            sql::query_as(AssertSqlSafe(waiting(cities)))
                .bind(before)
                .bind(day)
                .bind(after)
                .bind(fewest)
                .bind(most)
                .bind(MAX_WAITING)
                .bind(place.city.as_str())
        };
        let mut found: Vec<Other> = query(Cities::Same).fetch_all(&self.store.readers).await?;
        if place.letters() < MIN_LETTERS {
            return Ok(found);
        }
        let (first, end) = place.similar();
        let similar = query(Cities::Similar)
            .bind(first)
            .bind(end)
            .bind(place.letters() as i64)
            .fetch_all(&self.store.readers)
            .await?;
        found.extend(similar);
        Ok(found)
    }

    /// Returns the approved reports that may be duplicates.
    async fn published(self, report: &Compared, similar: &[String]) -> Result<Vec<Other>> {
        let [from, _, to] = report.days();
        let mut ids = Vec::new();
        for city in std::iter::once(&report.place.city).chain(similar) {
            let country = Some(report.place.country.clone());
            let place = PlaceFilter { country, region: None, city: Some(city.clone()) };
            let filter = Filter { period: Period { from: Some(from), to: Some(to) }, place };
            let query = ReportsQuery { filter, ..ReportsQuery::newest(MAX_PUBLISHED) };
            let found = self.recent(&query).await?.value.into_iter().map(|found| found.report);
            let found = found.filter(|other| report.has_similar(other.people_count.into()));
            ids.extend(found.map(|other| other.id).filter(|id| *id != report.id));
        }
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        // Lists contain no regions.
        let sql = format!("SELECT {COLUMNS} FROM reports WHERE id");
        bulk::select_matching(&self.store.readers, &sql, &ids, |query, id| query.bind(id.as_str()))
            .await
    }

    /// Returns the cities with approved reports whose names differ from that of `place` by a letter.
    async fn similar_cities(self, place: &City) -> Result<Vec<String>> {
        if place.letters() < MIN_LETTERS {
            return Ok(Vec::new());
        }
        let (first, end) = place.similar();
        let known: Vec<String> = sql::query_scalar(SIMILAR_CITIES)
            .bind(place.country.as_str())
            .bind(first)
            .bind(end)
            .bind(place.letters() as i64)
            .bind(MAX_CITIES)
            .fetch_all(&self.store.readers)
            .await?;
        let similar = known.into_iter().filter(|city| differ_by_one(city, &place.city));
        Ok(similar.take(MAX_SIMILAR).collect())
    }
}

const COLUMNS: &str = "id, status, city, region, country, people_count, event_day";

/// Selects cities of a country with about as many letters.
const SIMILAR_CITIES: &str = "
    SELECT DISTINCT city_key FROM places
    WHERE level = 3 AND country_key = $1 AND city_key >= $2 AND city_key < $3
      AND length(city_key) BETWEEN $4 - 1 AND $4 + 1
    LIMIT $5";

/// Cities whose reports are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cities {
    Same,
    Similar,
}

/// Returns the statement that selects pending reports.
fn waiting(which: Cities) -> String {
    let cities = match which {
        Cities::Same => "city_key = $7",
        Cities::Similar => {
            "city_key >= $8 AND city_key < $9 AND city_key <> $7
               AND length(city_key) BETWEEN $10 - 1 AND $10 + 1"
        }
    };
    format!(
        "SELECT {COLUMNS} FROM reports
         WHERE status = 'PENDING' AND event_day IN ($1, $2, $3)
           AND people_count BETWEEN $4 AND $5 AND {cities}
         LIMIT $6"
    )
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
        for (which, cities) in [
            (Cities::Same, "city_key=? AND people_count>? AND people_count<?"),
            (Cities::Similar, "city_key>? AND city_key<?"),
        ] {
            let index = format!(
                "SEARCH reports USING INDEX reports_pending_alike (event_day=? AND {cities})"
            );
            assert_eq!(store.plan(&waiting(which)).await, [index], "{which:?}");
        }
        let places = store.plan(SIMILAR_CITIES).await;
        let index = "SEARCH places USING COVERING INDEX places_cities \
                     (country_key=? AND city_key>? AND city_key<?)";
        assert_eq!(places, [index]);
    }
}
