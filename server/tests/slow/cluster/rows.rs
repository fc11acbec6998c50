//! Contents of the database, read with plain SQL, and counted without rollups.

use std::collections::BTreeSet;

use chrono::{Datelike, Months, NaiveDate};
use model::Metrics;
use scratch::postgres::Server;
use sqlx::{Connection, FromRow, PgConnection};

/// Report in the database.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) r#type: String,
    pub(super) country: String,
    pub(super) region: String,
    pub(super) city: String,
    pub(super) people: i64,
    /// Event date as `YYYY-MM-DD`.
    pub(super) day: String,
    /// Number of imports that list the report.
    pub(super) imports: i64,
}

/// Event in the log.
#[derive(Clone, Debug, FromRow)]
pub(super) struct EventRow {
    pub(super) id: String,
    pub(super) name: String,
    /// Id of the report, if the event is about one.
    pub(super) report: Option<String>,
    /// Number of reports of imported history.
    pub(super) reports: Option<i64>,
}

pub(super) async fn reports(server: &Server) -> Vec<Row> {
    let mut connection = PgConnection::connect(&server.url("svc")).await.unwrap();
    let sql = "SELECT id, status, type, country, region, city, people_count AS people,
            to_char(DATE '1970-01-01' + event_day::int, 'YYYY-MM-DD') AS day,
            (SELECT count(*) FROM import_ranges
             WHERE seq BETWEEN first_seq AND last_seq) AS imports
        FROM reports ORDER BY seq";
    sqlx::query_as(sql).fetch_all(&mut connection).await.unwrap()
}

pub(super) async fn events(server: &Server) -> Vec<EventRow> {
    let mut connection = PgConnection::connect(&server.url("svc")).await.unwrap();
    let sql = "SELECT id, name, data->>'id' AS report, (data->>'reports')::bigint AS reports
        FROM (SELECT seq, id, name, convert_from(body, 'UTF8')::json->'data' AS data FROM events) AS log
        ORDER BY seq";
    sqlx::query_as(sql).fetch_all(&mut connection).await.unwrap()
}

/// Numbers of reports by type and in total, of countries, and of cities.
pub(super) type Counted = [u64; 6];

/// Counts the approved reports that `is_counted` selects.
pub(super) fn count(rows: &[Row], is_counted: impl Fn(&Row) -> bool) -> Counted {
    let (mut counted, mut countries, mut cities) = ([0; 6], BTreeSet::new(), BTreeSet::new());
    for row in rows.iter().filter(|row| row.status == "APPROVED" && is_counted(row)) {
        let kind = ["spirit", "water", "both"].iter().position(|kind| *kind == row.r#type).unwrap();
        counted[kind] += 1;
        counted[3] += 1;
        countries.insert(&row.country);
        cities.insert((&row.country, &row.region, &row.city));
    }
    counted[4] = countries.len() as u64;
    counted[5] = cities.len() as u64;
    counted
}

/// Numbers of the service, in the same order.
pub(super) fn counted(metrics: &Metrics) -> Counted {
    let Metrics { spirit, water, both, total, countries, cities, .. } = *metrics;
    [spirit, water, both, total, countries, cities]
}

/// Queries of metrics, each with the rows that it counts: all reports, those of each place, and those of each day,
/// month and year, in the world and in one country.
pub(super) fn queries(rows: &[Row]) -> Vec<(String, Counted)> {
    let mut queries = vec![(String::new(), count(rows, |_| true))];
    let approved = || rows.iter().filter(|row| row.status == "APPROVED");
    let countries: BTreeSet<_> = approved().map(|row| &row.country).collect();
    for country in countries {
        let counted = count(rows, |row| row.country == *country);
        queries.push((format!("country={country}"), counted));
    }
    let regions: BTreeSet<_> = approved().map(|row| (&row.country, &row.region)).collect();
    for (country, region) in regions.iter().filter(|(_, region)| !region.is_empty()) {
        let counted = count(rows, |row| (&row.country, &row.region) == (*country, *region));
        queries.push((format!("country={country}&region={region}"), counted));
    }
    let cities: BTreeSet<_> = approved().map(|row| (&row.country, &row.city)).collect();
    for (country, city) in cities {
        let counted = count(rows, |row| (&row.country, &row.city) == (country, city));
        queries.push((format!("country={country}&city={city}"), counted));
    }
    // The first characters of a date are its year, its month, or all of it.
    let periods: BTreeSet<_> =
        approved().flat_map(|row| [&row.day[..4], &row.day[..7], &row.day[..]]).collect();
    for period in periods {
        let (from, to) = match period.len() {
            4 => (format!("{period}-01-01"), format!("{period}-12-31")),
            7 => (format!("{period}-01"), format!("{period}-{}", last_day(period))),
            _ => (period.to_owned(), period.to_owned()),
        };
        let counted = count(rows, |row| row.day.starts_with(period));
        queries.push((format!("from={from}&to={to}"), counted));
        let counted = count(rows, |row| row.day.starts_with(period) && row.country == "Norway");
        queries.push((format!("from={from}&to={to}&country=Norway"), counted));
    }
    queries
}

fn last_day(month: &str) -> u32 {
    let first: NaiveDate = format!("{month}-01").parse().unwrap();
    (first + Months::new(1)).pred_opt().unwrap().day()
}
