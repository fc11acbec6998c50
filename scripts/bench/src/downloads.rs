//! Downloads of all reports: their rate, and the memory that they take.

use anyhow::{Context as _, Result, ensure};

use crate::{
    budget::{Budget, Unit, number},
    client::Connection,
    context::{Context, say},
    database::Database,
    plain,
    report::Section,
    service::Service,
    statistics::median,
    table::Row,
};

/// Number of reports in the small database.
const SMALL_ROWS: u64 = 100_000;
/// Minimum rate of a download as CSV.
const RATE: f64 = 200_000.0;
/// Maximum ratio of the peak memory with many reports to that with few.
const FLAT: f64 = 1.3;

/// Formats: name, path and accepted encoding.
const FORMATS: [(&str, &str, &str); 4] = [
    ("CSV", "/api/v1/reports.csv", "identity"),
    ("CSV, gzip", "/api/v1/reports.csv", "gzip"),
    ("NDJSON", "/api/v1/reports.ndjson", "identity"),
    ("GeoJSON", "/api/v1/reports.geojson", "identity"),
];

const ABOUT: &str = "All reports in one response, read as fast as it comes. The figure is the median of the rounds. The \
    peak of memory is the process's, after all downloads. The reference is `sqlite3 -csv` or `COPY … TO STDOUT` on the \
    same database: the engine alone, without HTTP.";

/// Measurements of one database.
struct Measured {
    /// Rows per second of each format.
    rates: Vec<f64>,
    /// Peak memory, MiB.
    peak: f64,
}

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let many = context.sizes.growth.iter().copied().max().unwrap_or(SMALL_ROWS);
    let engine = context.engine();
    let small = measure_one(context, &context.database(SMALL_ROWS).await?).await?;
    let database = context.database(many).await?;
    let large = measure_one(context, &database).await?;
    let dumped = plain::dump(context, &database).await?;
    let rates = FORMATS.iter().zip(&large.rates).enumerate();
    let mut rows: Vec<Row> = rates
        .map(|(index, ((name, ..), rate))| {
            let budget = if index == 0 { Budget::AtLeast(RATE) } else { Budget::None };
            let row = Row::new(*name, *rate, Unit::RowsPerSecond, budget);
            if index == 0 {
                row.against("by the engine\u{2019}s client", dumped, rate / dumped)
            } else {
                row
            }
        })
        .collect();
    let peak = Row::new("peak of memory", large.peak, Unit::Mebibytes, Budget::RatioAtMost(FLAT));
    let few = format!("of {} reports", number(SMALL_ROWS as f64));
    rows.push(peak.against(&few, small.peak, large.peak / small.peak));
    let about = format!("{ABOUT} The database has {} reports.", number(many as f64));
    Ok(Section::new(engine.titled("Downloads"), about, rows))
}

async fn measure_one(context: &Context, database: &Database) -> Result<Measured> {
    let service = Service::start(database).await?;
    let mut rates = Vec::new();
    for (name, path, encoding) in FORMATS {
        let mut rounds = Vec::new();
        for _ in 0..context.sizes.rounds {
            let mut connection = Connection::open(service.addr()).await?;
            let headers =
                [("authorization", service.authorization.as_str()), ("accept-encoding", encoding)];
            let drained = connection.drain(path, &headers).await?;
            ensure!(drained.status == 200, "{path}: {}", drained.status);
            if encoding == "identity" {
                ensure!(drained.lines >= database.rows, "{path} has only {} lines", drained.lines);
            }
            rounds.push(database.rows as f64 / drained.took.as_secs_f64());
        }
        let rate = median(&rounds);
        say(format!("{name} of {} reports: {} rows/s", database.rows, number(rate)));
        rates.push(rate);
    }
    let peak = service.process.peak().context("its peak of memory cannot be read")? / 1024.0;
    service.process.stop().await?;
    Ok(Measured { rates, peak })
}
