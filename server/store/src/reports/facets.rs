//! Counts of a list's reports by place and type: the choices of its filters.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
    sync::Arc,
};

use domain::report::Status;
use model::ReportType;
use serde::Deserialize;

use super::{
    name_match::NameMatch,
    selection::Selection,
    walk::{Access, query_candidates},
};
use crate::{
    engine::sql::{self, Builder, Connection},
    error::{Error, Result},
    places::city_name::CityName,
};

/// Maximum number of choices of a filter.
const MAX_CHOICES: usize = 50;

/// Number of a list's reports from one place, by type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub name: Arc<CityName>,
    /// Number of the place, if it is one of approved reports.
    pub place: i64,
    /// In the order of [`ReportType::ALL`].
    pub by_type: [u64; 3],
}

impl Group {
    /// Names of country, region and city.
    pub(crate) fn names(&self) -> [&str; 3] {
        self.name.names()
    }

    /// Number of reports of a type, or of all.
    pub(crate) fn count(&self, kind: Option<ReportType>) -> u64 {
        let counts = ReportType::ALL.into_iter().zip(self.by_type);
        counts.filter(|(one, _)| kind.is_none_or(|kind| kind == *one)).map(|(_, count)| count).sum()
    }

    /// Groups reports, each given by its names and its type.
    pub(crate) fn all_of<'r>(
        reports: impl Iterator<Item = ([&'r str; 3], ReportType, u64)>,
    ) -> Vec<Self> {
        let mut groups: HashMap<[&str; 3], [u64; 3]> = HashMap::new();
        for (names, kind, count) in reports {
            groups.entry(names).or_default()[kind as usize] += count;
        }
        let group = |(names, by_type): ([&str; 3], _)| Self {
            name: Arc::new(CityName::of(names)),
            place: 0,
            by_type,
        };
        groups.into_iter().map(group).collect()
    }
}

/// Row of counts: country, region, city, and the number of reports of each type.
#[derive(Deserialize)]
struct Row<'r>(
    #[serde(borrow)] Cow<'r, str>,
    #[serde(borrow)] Cow<'r, str>,
    #[serde(borrow)] Cow<'r, str>,
    u64,
    u64,
    u64,
);

const ROW: &str = "country, region, city, spirit_reports, water_reports, both_reports";

/// Columns of the counts of several rows of `not_approved_counts`.
const SUMS: &str = "CAST(sum(spirit_reports) AS BIGINT) AS spirit_reports,
                    CAST(sum(water_reports) AS BIGINT) AS water_reports,
                    CAST(sum(both_reports) AS BIGINT) AS both_reports";

/// Columns of the counts of reports.
const COUNTS: &str = "count(*) FILTER (WHERE type = 'spirit') AS spirit_reports,
                      count(*) FILTER (WHERE type = 'water') AS water_reports,
                      count(*) FILTER (WHERE type = 'both') AS both_reports";

/// Number of reports of all types of a row of `not_approved_counts`.
pub(super) const ALL_TYPES: &str = "spirit_reports + water_reports + both_reports";

/// Returns the counts of the reports of a status other than approved.
pub(crate) async fn groups_of(tx: &mut Connection, status: Status) -> Result<Vec<Group>> {
    let sql = format!(
        "SELECT {} FROM not_approved_counts WHERE status = $1",
        tx.engine().rows_as_json(ROW)
    );
    let rows: (String,) =
        sql::query_as(sqlx::AssertSqlSafe(sql)).bind(status.as_str()).fetch_one(tx).await?;
    groups(&rows.0)
}

/// Returns the counts of the reports of a status other than approved by country only.
pub(super) async fn countries_of(tx: &mut Connection, status: Status) -> Result<Vec<Group>> {
    let sql = format!(
        "SELECT {} FROM (
             SELECT country, '' AS region, '' AS city, {SUMS} FROM not_approved_counts
             WHERE status = $1 GROUP BY country
         ) AS counted",
        tx.engine().rows_as_json(ROW)
    );
    let rows: (String,) =
        sql::query_as(sqlx::AssertSqlSafe(sql)).bind(status.as_str()).fetch_one(tx).await?;
    groups(&rows.0)
}

/// Returns the number of reports of a status other than approved, and of a type or of all.
pub(super) async fn number_of(
    tx: &mut Connection,
    status: Status,
    kind: Option<ReportType>,
) -> Result<u64> {
    let column = match kind {
        None => ALL_TYPES,
        Some(ReportType::Spirit) => "spirit_reports",
        Some(ReportType::Water) => "water_reports",
        Some(ReportType::Both) => "both_reports",
    };
    let sql = format!(
        "SELECT CAST(coalesce(sum({column}), 0) AS BIGINT) FROM not_approved_counts
         WHERE status = $1"
    );
    let number: i64 =
        sql::query_scalar(sqlx::AssertSqlSafe(sql)).bind(status.as_str()).fetch_one(tx).await?;
    Ok(number.cast_unsigned())
}

/// Returns the counts of the reports in ranges of numbers and in a selection without its names;
/// `None` if there are more than `most`.
pub(super) async fn groups_in(
    tx: &mut Connection,
    status: Status,
    selection: &Selection,
    ranges: &[RangeInclusive<i64>],
    most: u64,
) -> Result<Option<Vec<Group>>> {
    let engine = tx.engine();
    let access = match selection.import.is_none() && status != Status::Approved {
        true => Access::Days,
        false => Access::Numbers(ranges),
    };
    // Counting first takes a few milliseconds, and grouping many times as long.
    let mut query = Builder::new(engine, "SELECT count(*) FROM (SELECT seq FROM (");
    query_candidates(&mut query, engine, status, selection, access);
    query.push(") AS candidates LIMIT ").push_bind(most.cast_signed() + 1).push(") AS counted");
    let (total,): (i64,) = query.build_as().fetch_one(&mut *tx).await?;
    if total.cast_unsigned() > most {
        return Ok(None);
    }
    let mut query = Builder::new(engine, "SELECT ");
    query
        .push(&engine.rows_as_json(ROW))
        .push(" FROM (SELECT country, region, city, ")
        .push(COUNTS)
        .push(" FROM (");
    query_candidates(&mut query, engine, status, selection, access);
    query.push(") AS candidates GROUP BY country, region, city) AS counted");
    let (rows,): (String,) = query.build_as().fetch_one(tx).await?;
    groups(&rows).map(Some)
}

fn groups(rows: &str) -> Result<Vec<Group>> {
    let rows: Vec<Row<'_>> = serde_json::from_str(rows)
        .map_err(|error| Error::Damaged(format!("counts of reports ({error})")))?;
    let group = |Row(country, region, city, spirit, water, both): Row<'_>| {
        let name = Arc::new(CityName::of([&country, &region, &city]));
        Group { name, place: 0, by_type: [spirit, water, both] }
    };
    Ok(rows.into_iter().map(group).collect())
}

/// Choice of a filter, with the number of reports that it would select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The most frequent spelling.
    pub name: String,
    pub reports: u64,
}

/// Choices of a list's filters, most reports first. Each filter's choices have the conditions of the
/// other filters. Regions and cities are those of the chosen country, and cities those of the region,
/// if one is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    pub countries: Vec<Choice>,
    pub regions: Vec<Choice>,
    pub cities: Vec<Choice>,
    /// In the order of [`ReportType::ALL`]; zeros if they are not known.
    pub types: [u64; 3],
}

impl Choices {
    pub(super) fn of(
        groups: &[Group],
        names: &mut NameMatch<'_>,
        kind: Option<ReportType>,
    ) -> Self {
        let (mut countries, mut regions, mut cities) =
            (Tally::default(), Tally::default(), Tally::default());
        let mut types = [0; 3];
        let place = names.place_filter();
        for group in groups {
            let found = names.place(group.names());
            if !found.has_text {
                continue;
            }
            let ([country, region, city], count) = (group.names(), group.count(kind));
            let country_key = names.country_key(country);
            if place.country.as_deref() == Some(&*country_key) {
                let region_key = names.fold(region);
                if place.region.as_deref().is_none_or(|key| *key == *region_key) {
                    cities.add(names.fold(city), city, count);
                }
                regions.add(region_key, region, count);
            }
            countries.add(country_key, country, count);
            if found.is_selected {
                types.iter_mut().zip(group.by_type).for_each(|(sum, count)| *sum += count);
            }
        }
        Self { countries: countries.most(), regions: regions.most(), cities: cities.most(), types }
    }
}

/// Numbers of reports by key, with the spellings of each.
#[derive(Default)]
struct Tally(HashMap<Arc<str>, BTreeMap<String, u64>>);

impl Tally {
    fn add(&mut self, key: Arc<str>, name: &str, count: u64) {
        if key.is_empty() || count == 0 {
            return;
        }
        let spellings = self.0.entry(key).or_default();
        match spellings.get_mut(name) {
            Some(sum) => *sum += count,
            None => _ = spellings.insert(name.to_owned(), count),
        }
    }

    /// The choices with the most reports.
    fn most(self) -> Vec<Choice> {
        let mut choices: Vec<Choice> = self
            .0
            .into_values()
            .filter_map(|spellings| {
                let reports = spellings.values().sum();
                let (name, _) = spellings.into_iter().max_by_key(|(_, count)| *count)?;
                Some(Choice { name, reports })
            })
            .collect();
        choices
            .sort_unstable_by(|a, b| b.reports.cmp(&a.reports).then_with(|| a.name.cmp(&b.name)));
        choices.truncate(MAX_CHOICES);
        choices
    }
}
