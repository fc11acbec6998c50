//! Plain SQL for the same work, as the reference of the service's own tables.

use std::time::Instant;

use anyhow::Result;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use tokio::process::Command;

use crate::{
    context::{Context, say},
    database::{Database, Made},
    engine::Engine,
    process,
    statistics::{milliseconds, percentile},
};

/// Number of queries of each kind. Fewer than of the service, because a query reads a large part of the table.
const QUERIES: usize = 20;
/// Number of rows loaded into a plain table.
const ROWS: u64 = 1_000_000;
/// Range of days of the made-up reports, since 1970-01-01.
const DAYS: std::ops::Range<i64> = 16_801..20_454;

/// Number of the first event whose deliveries are recorded, which no event of the service has.
const FIRST_EVENT: u64 = 1 << 40;

/// A table of the same columns, with the indexes that queries by day and by place need.
const TABLE: &str = "CREATE TABLE plain (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, city TEXT NOT NULL, region TEXT, country TEXT NOT NULL,
    people_count BIGINT NOT NULL, event_date TEXT NOT NULL, created_at TEXT NOT NULL, lat TEXT, lng TEXT
);
CREATE INDEX plain_by_day ON plain (event_date);
CREATE INDEX plain_by_place ON plain (country, region, city);";

/// Counts random periods by scanning the reports that meet a condition. Returns the p99, ms.
pub(crate) async fn count(database: &Database, condition: &str) -> Result<f64> {
    say(format!("Counting {} reports with plain SQL, where {condition}", database.rows));
    let mut rng = StdRng::seed_from_u64(1);
    let mut times = Vec::new();
    for _ in 0..QUERIES {
        let mut days = [(); 2].map(|()| rng.random_range(DAYS));
        days.sort_unstable();
        let [from, to] = days;
        let sql = format!(
            "SELECT type, COUNT(*), COUNT(DISTINCT country), COUNT(DISTINCT place_id) FROM reports \
             WHERE status = 'APPROVED' AND event_day BETWEEN {from} AND {to} AND {condition} GROUP BY type"
        );
        times.push(timed(&database.url, sql).await?);
    }
    Ok(percentile(&times, 0.99))
}

/// Deliveries per second that the engine alone records, with their attempts, in transactions of this
/// many. Those of an endpoint are neighbours in the tables, so each has pages of its own to change.
pub(crate) async fn record(
    database: &Database,
    endpoints: u64,
    deliveries: u64,
    at_once: usize,
) -> Result<f64> {
    say(format!("Recording deliveries to {endpoints} endpoints with plain SQL"));
    let rows: Vec<(u64, u64)> = (0..deliveries)
        .map(|number| (number % endpoints + 1, FIRST_EVENT + number / endpoints))
        .collect();
    let changes = rows.chunks(at_once).map(|rows| {
        let values = |row: &dyn Fn(&(u64, u64)) -> String| {
            rows.iter().map(row).collect::<Vec<_>>().join(", ")
        };
        let attempts = values(&|(endpoint, event)| format!("({endpoint}, {event}, 1, 0, 1, 200)"));
        let deliveries = values(&|(endpoint, event)| format!("({endpoint}, {event}, 'DELIVERED', 1)"));
        format!(
            "BEGIN; \
             INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code) \
             VALUES {attempts}; \
             INSERT INTO deliveries (subscription_seq, event_seq, status, attempts) VALUES {deliveries}; \
             COMMIT"
        )
    });
    let changes: Vec<String> = changes.collect();
    let start;
    if database.url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(&database.url).await?;
        start = Instant::now();
        for change in changes {
            sqlx::raw_sql(AssertSqlSafe(change)).execute(&mut connection).await?;
        }
    } else {
        let mut connection = PgConnection::connect(&database.url).await?;
        start = Instant::now();
        for change in changes {
            sqlx::raw_sql(AssertSqlSafe(change)).execute(&mut connection).await?;
        }
    }
    Ok(deliveries as f64 / start.elapsed().as_secs_f64())
}

/// Time of a query on an open connection, ms.
async fn timed(url: &str, sql: String) -> Result<f64> {
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(url).await?;
        let start = Instant::now();
        sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut connection).await?;
        return Ok(milliseconds(start.elapsed()));
    }
    let mut connection = PgConnection::connect(url).await?;
    let start = Instant::now();
    sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut connection).await?;
    Ok(milliseconds(start.elapsed()))
}

/// Rows per second that the engine's own client loads into a plain table.
pub(crate) async fn load(context: &Context) -> Result<f64> {
    say(format!("Loading {ROWS} rows into a plain table, {}", context.engine()));
    let file = context.folder().join("plain.csv");
    let database = Database::empty(context, "plain");
    database.make_csv(&Made { rows: ROWS, seed: 1, mode: None }, &file).await?;
    let csv = file.display();
    let mut command = client(context.engine(), &database);
    match context.engine() {
        Engine::Sqlite => {
            command.args(["PRAGMA journal_mode = wal; PRAGMA synchronous = normal;", TABLE]);
            command.args([".mode csv", &format!(".import --skip 1 {csv} plain")])
        }
        Engine::Postgres => {
            command.args(["--command", TABLE]);
            command.args(["--command", &format!("\\copy plain FROM '{csv}' CSV HEADER")])
        }
    };
    let (took, _) = process::run_measured(command).await?;
    std::fs::remove_file(file)?;
    database.remove()?;
    Ok(ROWS as f64 / took.as_secs_f64())
}

/// Rows per second that the engine's own client writes as CSV.
pub(crate) async fn dump(context: &Context, database: &Database) -> Result<f64> {
    say(format!("Writing {} reports with the engine's own client", database.rows));
    let query = "SELECT id, type, city, region, country, people_count, event_day, created_at, lat, lng FROM reports \
        WHERE status = 'APPROVED' ORDER BY seq";
    let mut command = client(context.engine(), database);
    match context.engine() {
        Engine::Sqlite => command.args([".mode csv", query]),
        Engine::Postgres => command.args(["--command", &format!("COPY ({query}) TO STDOUT CSV")]),
    };
    let (took, _) = process::run_measured(command).await?;
    Ok(database.rows as f64 / took.as_secs_f64())
}

/// Command-line client of the engine, on this database.
fn client(engine: Engine, database: &Database) -> Command {
    match engine {
        Engine::Sqlite => {
            let mut command = Command::new("sqlite3");
            command.arg(database.url.trim_start_matches("sqlite://"));
            command
        }
        Engine::Postgres => {
            let mut command = Command::new("psql");
            command.args(["--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", &database.url]);
            command
        }
    }
}
