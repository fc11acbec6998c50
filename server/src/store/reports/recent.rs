//! The recent list: approved reports, newest publication first, then by id.
//!
//! There are two ways to find the newest reports of a filter, and the rollups tell which is shorter.
//! Many matches: scan the publications from the newest on until enough have passed the filter. Few
//! matches: read all of them, by place and day, and sort. Either way, at most about
//! √(limit × all reports) rows are read if the publications of a place are spread evenly.

use app::model::ReportType;
use chrono::{DateTime, Utc};
use roaring::RoaringBitmap;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::{
    order::Rank,
    report::{PUBLIC_COLUMNS, PublicReport, PublicRow},
};
use crate::{
    store::{
        Store,
        counters::{grain::Span, metrics::counts, presence},
        error::Result,
        filter::{Filter, PlaceFilter},
        places::{index::SharedPlaceIndex, place::WORLD},
    },
    time::day_number,
};

/// No type is left out.
pub const ALL_TYPES: [bool; 3] = [true; 3];

/// Which of the recent reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReportsQuery {
    pub filter: Filter,
    /// Which types, in the order of [`ReportType::ALL`].
    pub types: [bool; 3],
    /// Only those published at or after this instant.
    pub since: Option<DateTime<Utc>>,
    /// Only those that come after this one in the list.
    pub after: Option<Rank>,
    /// Maximum number.
    pub limit: u32,
}

impl ReportsQuery {
    /// The newest of all.
    pub fn newest(limit: u32) -> Self {
        Self { filter: Filter::default(), types: ALL_TYPES, since: None, after: None, limit }
    }
}

impl Store {
    /// The newest approved reports that `query` selects.
    pub async fn reports(&self, query: &ReportsQuery) -> Result<Vec<PublicReport>> {
        let places = &self.places;
        self.read(move |tx| Box::pin(newest(tx, places, query))).await
    }
}

async fn newest(
    tx: &mut SqliteConnection,
    places: &SharedPlaceIndex,
    query: &ReportsQuery,
) -> Result<Vec<PublicReport>> {
    let filter = &query.filter;
    if *filter == Filter::default() && query.types == ALL_TYPES {
        return scan_recent(tx, query, i64::MAX).await;
    }
    let spans = filter.period.spans();
    let scopes = places.with(tx, |index| index.scopes(&filter.place)).await?;
    let by_type = counts(tx, &scopes, &spans).await?;
    let wanted = by_type.iter().zip(query.types).filter(|(_, wanted)| *wanted);
    let matches: i64 = wanted.map(|(count, _)| count).sum();
    if matches == 0 {
        return Ok(Vec::new());
    }
    let everything: i64 = counts(tx, &[WORLD], &Span::all_time()).await?.iter().sum();
    let presence = presence::union(tx, &spans).await?;
    if matches.saturating_mul(matches) > everything.saturating_mul(i64::from(query.limit)) {
        let bound = if filter.period.is_open() { i64::MAX } else { presence.last_published_at };
        return scan_recent(tx, query, bound).await;
    }
    let mut cities = presence.cities;
    if !filter.place.is_empty() {
        cities &= places.with(tx, |index| index.select(&filter.place)).await?;
    }
    collect_matches(tx, query, &cities).await
}

/// From the newest publication (of those up to `bound`) on, those that pass the filter.
async fn scan_recent(
    tx: &mut SqliteConnection,
    query: &ReportsQuery,
    bound: i64,
) -> Result<Vec<PublicReport>> {
    let PlaceFilter { country, region, city } = &query.filter.place;
    let mut sql = format!("SELECT {PUBLIC_COLUMNS} FROM reports r");
    if !query.filter.place.is_empty() {
        sql += " CROSS JOIN places p";
    }
    sql += " WHERE r.status = 'APPROVED' AND r.published_at BETWEEN ? AND ?";
    if !query.filter.place.is_empty() {
        sql += " AND p.id = r.place_id";
    }
    if !query.filter.period.is_open() {
        sql += " AND r.event_day BETWEEN ? AND ?";
    }
    sql += &of_types(query.types);
    sql += after(query);
    for (column, key) in [("country", country), ("region", region), ("city", city)] {
        if key.is_some() {
            sql += &format!(" AND p.{column}_key = ?");
        }
    }
    sql += " ORDER BY r.published_at DESC, r.id LIMIT ?";
    let mut statement = sqlx::query_as::<_, PublicRow>(AssertSqlSafe(sql));
    statement = statement.bind(since_millis(query)).bind(bound);
    if !query.filter.period.is_open() {
        let (from, to) = query.filter.period.ends();
        statement = statement.bind(day_number(from)).bind(day_number(to));
    }
    if let Some(Rank { published_at, id }) = &query.after {
        statement = statement.bind(published_at).bind(published_at).bind(id);
    }
    for key in [country, region, city].into_iter().flatten() {
        statement = statement.bind(key.clone());
    }
    let rows = statement.bind(i64::from(query.limit)).fetch_all(tx).await?;
    rows.into_iter().map(PublicReport::try_from).collect()
}

/// All that match in `cities`, sorted. Only for few of them.
async fn collect_matches(
    tx: &mut SqliteConnection,
    query: &ReportsQuery,
    cities: &RoaringBitmap,
) -> Result<Vec<PublicReport>> {
    let (from, to) = query.filter.period.ends();
    let mut found = Vec::new();
    let cities: Vec<u32> = cities.iter().collect();
    for cities in cities.chunks(256) {
        let sql = format!(
            "SELECT {PUBLIC_COLUMNS} FROM reports r
             WHERE r.status = 'APPROVED' AND r.place_id IN ({})
               AND r.event_day BETWEEN ? AND ? AND +r.published_at >= ? {} {}
             ORDER BY +r.published_at DESC, r.id LIMIT ?",
            vec!["?"; cities.len()].join(", "),
            of_types(query.types),
            after(query),
        );
        let mut statement = sqlx::query_as::<_, PublicRow>(AssertSqlSafe(sql)).persistent(false);
        for city in cities {
            statement = statement.bind(i64::from(*city));
        }
        statement = statement.bind(day_number(from)).bind(day_number(to)).bind(since_millis(query));
        if let Some(Rank { published_at, id }) = &query.after {
            statement = statement.bind(published_at).bind(published_at).bind(id);
        }
        let rows = statement.bind(i64::from(query.limit)).fetch_all(&mut *tx).await?;
        for row in rows {
            found.push(PublicReport::try_from(row)?);
        }
    }
    found.sort_by(|a, b| {
        b.published_at.cmp(&a.published_at).then_with(|| a.report.id.cmp(&b.report.id))
    });
    found.truncate(query.limit as usize);
    Ok(found)
}

/// A condition on the type, where not all are wanted. Their names are our own.
fn of_types(types: [bool; 3]) -> String {
    if types == ALL_TYPES {
        return String::new();
    }
    let wanted = ReportType::ALL.into_iter().zip(types).filter(|(_, wanted)| *wanted);
    let names: Vec<String> = wanted.map(|(kind, _)| format!("'{}'", kind.as_str())).collect();
    format!(" AND r.type IN ({})", names.join(", "))
}

/// A condition on the place in the list, where it doesn't begin at the top.
fn after(query: &ReportsQuery) -> &'static str {
    match query.after {
        Some(_) => " AND (r.published_at < ? OR (r.published_at = ? AND r.id > ?))",
        None => "",
    }
}

/// The first stored millisecond at or after `since`.
fn since_millis(query: &ReportsQuery) -> i64 {
    query.since.map_or(i64::MIN, |since| {
        let whole = since.timestamp_millis();
        whole + i64::from(since.timestamp_subsec_nanos() % 1_000_000 != 0)
    })
}
