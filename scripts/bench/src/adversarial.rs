//! Reads of worst-case data, compared with the same reads of little data.

mod reports;

use std::{net::Ipv4Addr, time::Duration};

use anyhow::{Context as _, Result, ensure};
use chrono::{Days, NaiveDate};

use crate::{
    budget::{Budget, Unit, number},
    client::Connection,
    context::{Context, say},
    database::Database,
    report::Section,
    service::Service,
    statistics::{median, milliseconds, percentile},
    table::Row,
};

/// Number of requests per query in a round, each slightly different.
const ASKED: u64 = 100;
/// Number of reports in the small database.
const SMALL_ROWS: u64 = 10_000;
/// Time after which the service has noticed changes by another process.
const SEEN: Duration = Duration::from_secs(2);

const ABOUT: &str = "History in no order; half of it in one city, a fifth of it in 8,000 cities of one country, 4 % on one \
    day; a country that has only old reports, a type of which there is one report in 250,000, and 200 old events that were \
    approved last. Each query is sent 100 times in a round, each time with another limit or period. The figure is the \
    median of the rounds' p99.";

/// Queries: name, and path without the varying part.
const QUESTIONS: [(&str, &str); 25] = [
    ("list: the newest", "/api/v1/reports?"),
    (
        "list: a year of which old events were approved last",
        "/api/v1/reports?from=2016-01-01&to=2016-12-31",
    ),
    ("list: a long period", "/api/v1/reports?from=2016-03-17&to=2024-05-02"),
    ("list: the busy day", "/api/v1/reports?from=2020-02-02&to=2020-02-02"),
    ("list: the busy city", "/api/v1/reports?city=Megacity"),
    (
        "list: the busy city, a long period",
        "/api/v1/reports?city=Megacity&from=2016-03-17&to=2024-05-02",
    ),
    (
        "list: the busy city on the busy day",
        "/api/v1/reports?city=Megacity&from=2020-02-02&to=2020-02-02",
    ),
    ("list: a country with only old reports", "/api/v1/reports?country=Tuvalu"),
    ("list: a country of 8,000 cities", "/api/v1/reports?country=Brazil"),
    (
        "list: the same, a long period",
        "/api/v1/reports?country=Brazil&from=2017-03-17&to=2022-05-02",
    ),
    ("list: a rare city", "/api/v1/reports?country=Brazil&city=City77"),
    (
        "list: since years ago, of a country",
        "/api/v1/reports?country=Brazil&since=2018-06-01T00:00:00Z",
    ),
    ("feed: the rare type", "/embed/feed?types=both"),
    (
        "feed: the rare type, a country and a period",
        "/embed/feed?types=both&country=Brazil&from=2016-02-03&to=2025-05-06",
    ),
    (
        "metrics: a country, a long period",
        "/api/v1/metrics?country=Brazil&from=2016-03-17&to=2024-05-02",
    ),
    (
        "series: 900 to 999 days",
        "/api/v1/metrics/series?interval=day&from=2020-01-01&to=2022-06-18",
    ),
    (
        "series: nine years by week, of a country",
        "/api/v1/metrics/series?interval=week&country=Brazil&from=2016-03-17&to=2025-05-02",
    ),
    ("facets: a long period", "/api/v1/geo-facets?from=2016-03-17&to=2024-05-02"),
    (
        "counts by country: a long period",
        "/api/v1/metrics/by?group=country&from=2016-03-17&to=2024-05-02",
    ),
    (
        "counts by city: a long period",
        "/api/v1/metrics/by?group=city&from=2016-03-17&to=2024-05-02",
    ),
    (
        "counts by city: a country of 8,000 cities, a long period",
        "/api/v1/metrics/by?group=city&country=Brazil&from=2016-03-17&to=2024-05-02",
    ),
    (
        "counts by day: a country, 900 to 999 days",
        "/api/v1/metrics/by?group=day&country=Brazil&from=2020-01-01&to=2022-06-18",
    ),
    ("markers: a long period", "/embed/globe/markers?from=2016-03-17&to=2024-05-02"),
    ("markers: a few days", "/embed/globe/markers?from=2020-02-02&to=2020-02-05"),
    (
        "markers: a country, a long period",
        "/embed/globe/markers?country=Brazil&from=2016-03-17&to=2024-05-02",
    ),
];

/// Measurements of one database.
struct Measured {
    /// p99 of each query, ms.
    reads: Vec<f64>,
    /// Imported rows per second.
    import: f64,
    /// Bytes of the database per report.
    bytes: f64,
}

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let many = context.sizes.growth.iter().copied().max().unwrap_or(SMALL_ROWS);
    let engine = context.engine();
    let small = measure_one(context, SMALL_ROWS).await?;
    let large = measure_one(context, many).await?;
    let figures = large.reads.iter().zip(&small.reads);
    let mut rows: Vec<Row> = QUESTIONS
        .iter()
        .zip(figures)
        .map(|((name, _), (large, small))| {
            Row::new(*name, *large, Unit::Milliseconds, Budget::AtMost(engine.read())).against(
                &format!("of {} reports", number(SMALL_ROWS as f64)),
                *small,
                large / small,
            )
        })
        .collect();
    rows.push(Row::new(
        "import",
        large.import,
        Unit::RowsPerSecond,
        Budget::AtLeast(engine.import()),
    ));
    let kibibytes = large.bytes / 1_024.0;
    rows.push(Row::new("database, of each report", kibibytes, Unit::Kibibytes, Budget::None));
    let about = format!("{ABOUT} The database has {} reports.", number(many as f64));
    Ok(Section::new(engine.titled("Adversarial data"), about, rows))
}

async fn measure_one(context: &Context, rows: u64) -> Result<Measured> {
    say(format!("Importing {rows} adversarial reports as history"));
    let mut database = Database::empty(context, &format!("adversarial-{rows}"));
    database.output(&["db", "migrate"]).await?;
    let file = context.folder().join("adversarial.csv");
    reports::write_history(&file, rows)?;
    let (took, _) = database.import_file(&file, &["--backfill"]).await?;
    database.rows = rows;
    reports::write_late(&file, 0)?;
    database.import_file(&file, &["--approve"]).await?;
    let service = Service::start(&database).await?;
    let mut rounds = vec![Vec::new(); QUESTIONS.len()];
    // Each query comes from its own address, because the service limits uncached
    // responses per address.
    let mut sources = (2..=254).cycle().map(|last| Ipv4Addr::new(127, 0, 0, last));
    for round in 0..context.sizes.rounds {
        // A new version of the data, so that cached responses of the previous round are not used.
        reports::write_late(&file, round + 1)?;
        database.import_file(&file, &["--approve"]).await?;
        tokio::time::sleep(SEEN).await;
        for (((_, path), rounds), source) in QUESTIONS.iter().zip(&mut rounds).zip(sources.by_ref())
        {
            rounds.push(ask(&service, source, path).await?);
        }
    }
    std::fs::remove_file(&file)?;
    let reads: Vec<f64> = rounds.iter().map(|rounds| median(rounds)).collect();
    for ((name, _), p99) in QUESTIONS.iter().zip(&reads) {
        say(format!("{name}, {rows} reports: {p99:.2} ms at p99"));
    }
    service.process.stop().await?;
    let bytes = database.bytes().await? as f64 / rows as f64;
    database.remove()?;
    Ok(Measured { reads, import: rows as f64 / took.as_secs_f64(), bytes })
}

/// p99 of one round, ms.
async fn ask(service: &Service, source: Ipv4Addr, path: &str) -> Result<f64> {
    let mut connection = Connection::open_from(source, service.addr()).await?;
    let headers = [("authorization", service.authorization.as_str())];
    let mut times: Vec<f64> = Vec::new();
    for number in 0..ASKED {
        let path = varied(path, number)?;
        let answer = connection.get(&path, &headers).await?;
        ensure!(answer.status == 200, "{path}: {}", answer.status);
        times.push(milliseconds(answer.took));
    }
    Ok(percentile(&times, 0.99))
}

/// Varies a query by `number` to bypass the response cache: lists get another limit, all other
/// queries another end of the period.
fn varied(path: &str, number: u64) -> Result<String> {
    if path.contains("/reports?") || path.contains("/feed?") {
        return Ok(format!("{path}&limit={}", 1 + number));
    }
    let (before, to) = path.split_once("&to=").context("a question without an end")?;
    let to: NaiveDate = to.parse()?;
    Ok(format!("{before}&to={}", to + Days::new(number)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Maximum number of days of a series.
    const MAX_DAYS: i64 = 1_000;

    #[test]
    fn no_series_by_day_is_longer_than_the_service_permits() {
        for (_, path) in QUESTIONS.iter().filter(|(_, path)| path.contains("=day")) {
            let last = varied(path, ASKED - 1).unwrap();
            let day = |name: &str| -> NaiveDate {
                let (_, rest) = last.split_once(name).unwrap();
                rest.split('&').next().unwrap().parse().unwrap()
            };
            assert!((day("&to=") - day("&from=")).num_days() < MAX_DAYS, "{last}");
        }
    }

    #[test]
    fn no_question_is_asked_twice() {
        let ask = |path| (0..ASKED).map(move |number| varied(path, number).unwrap());
        let asked: Vec<String> = QUESTIONS.iter().flat_map(|(_, path)| ask(*path)).collect();
        let distinct: HashSet<&String> = asked.iter().collect();
        assert_eq!(distinct.len(), asked.len());
    }
}
