//! Cost of reads, imports and a start, with a growing number of reports.

use std::{
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use rand::{SeedableRng, rngs::StdRng};

use crate::{
    budget::{Budget, Unit, number},
    chart::{Axis, Chart, Series},
    client::Connection,
    context::{Context, say},
    database::Database,
    engine::Engine,
    plain,
    questions::{Questions, Subject},
    report::Section,
    service::{self, Service},
    statistics::{median, milliseconds, percentile},
    table::Row,
};

/// Number of queries of each kind in a round, and maximum duration of a round.
const QUESTIONS: usize = 200;
const ROUND: Duration = Duration::from_secs(10);

const ABOUT: &str = "Random places and periods are requested, each once, one after the other on one connection: 200 \
    of each kind in a round, or as many as ten seconds allow. The figure is the median of the rounds' p99. Imports are of history (`--backfill`); their peak \
    of memory is the process's. A start lasts until the service logs that it serves, the median of the rounds. A plain COUNT is of the same table, by type, with \
    the distinct countries and cities. A plain table has the same columns and three indexes, and is loaded by \
    the engine's own client, without any check.";

/// Measurements with one number of reports.
struct Step {
    reports: f64,
    /// p99 of each subject, ms.
    reads: Vec<f64>,
    /// Imported rows per second.
    import: f64,
    /// Peak memory, MiB.
    peak: f64,
    /// Duration of a start, ms.
    start: f64,
}

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let (engine, mut steps) = (context.engine(), Vec::new());
    for reports in &context.sizes.growth {
        let database = context.database(*reports).await?;
        steps.push(measure_one(context, &database).await?);
    }
    let (last, reports) =
        steps.last().zip(context.sizes.growth.last()).context("no number of reports to measure")?;
    let database = context.database(*reports).await?;
    let of_period = plain::count(&database, "1 = 1").await?;
    let of_country = plain::count(&database, "country = 'Brazil'").await?;
    let loaded = plain::load(context).await?;
    let mut rows: Vec<Row> = Subject::ALL
        .iter()
        .zip(&last.reads)
        .map(|(subject, p99)| {
            let work = format!("{}, first request, p99", subject.name());
            let row = Row::new(work, *p99, Unit::Milliseconds, Budget::AtMost(engine.read()));
            let counted = match subject {
                Subject::Metrics => of_period,
                Subject::Country => of_country,
                _ => return row,
            };
            row.against("plain COUNT", counted, p99 / counted)
        })
        .collect();
    rows.extend([
        Row::new(
            "import of history",
            last.import,
            Unit::RowsPerSecond,
            Budget::AtLeast(engine.import()),
        )
        .against("loaded into a plain table", loaded, last.import / loaded),
        Row::new("peak of memory of the import", last.peak, Unit::Mebibytes, Budget::None),
        Row::new("start", last.start, Unit::Milliseconds, engine.start()),
    ]);
    let about = format!("{ABOUT} The table is of {} reports.", number(last.reports));
    Ok(Section {
        charts: charts(engine, &steps),
        ..Section::new(engine.titled("Growth"), about, rows)
    })
}

async fn measure_one(context: &Context, database: &Database) -> Result<Step> {
    let mut starts = Vec::new();
    for _ in 0..context.sizes.rounds {
        let process = service::start(database, None).await?;
        starts.push(milliseconds(process.took));
        process.stop().await?;
    }
    let service = Service::start(database).await?;
    let questions = Questions::about(&service).await?;
    let mut rng = StdRng::seed_from_u64(1);
    let mut reads = Vec::new();
    // Each round comes from its own address, because the service limits uncached
    // responses per address.
    let mut sources = (2..=254).cycle().map(|last| Ipv4Addr::new(127, 0, 0, last));
    for subject in Subject::ALL {
        let mut rounds = Vec::new();
        for source in sources.by_ref().take(context.sizes.rounds as usize) {
            rounds.push(ask(&service, source, &questions, &mut rng, subject).await?);
        }
        let p99 = median(&rounds);
        let engine = context.engine();
        say(format!("{}, {} reports, {engine}: {p99:.2} ms at p99", subject.name(), database.rows));
        reads.push(p99);
    }
    Ok(Step {
        reports: database.rows as f64,
        reads,
        import: database.rows as f64 / database.took.as_secs_f64(),
        peak: database.peak / 1024.0,
        start: median(&starts),
    })
}

/// p99 of one round, ms.
async fn ask(
    service: &Service,
    source: Ipv4Addr,
    questions: &Questions,
    rng: &mut StdRng,
    subject: Subject,
) -> Result<f64> {
    let mut connection = Connection::open_from(source, service.addr()).await?;
    let headers = [("authorization", service.authorization.as_str())];
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.len() < QUESTIONS && start.elapsed() < ROUND {
        let path = questions.next(rng, subject)?;
        let answer = connection.get(&path, &headers).await?;
        ensure!(answer.status == 200, "{path}: {}", answer.status);
        times.push(milliseconds(answer.took));
    }
    Ok(percentile(&times, 0.99))
}

fn charts(engine: Engine, steps: &[Step]) -> Vec<Chart> {
    let points = |value: &dyn Fn(&Step) -> f64| -> Vec<(f64, f64)> {
        steps.iter().map(|step| (step.reports, value(step))).collect()
    };
    let reads = Subject::ALL.iter().enumerate().map(|(index, subject)| {
        Series::new(subject.short_name(), points(&|step| step.reads[index]))
    });
    vec![
        Chart {
            name: engine.named("growth-reads"),
            title: "Reads that are not cached",
            x: Axis::powers("Reports"),
            y: Axis::powers("Time, p99 (ms)"),
            series: reads.collect(),
            budget: Some(engine.read()),
        },
        Chart {
            name: engine.named("growth-import"),
            title: "Import of history",
            x: Axis::powers("Reports"),
            y: Axis::counts("Speed (rows/s)"),
            series: vec![Series::new("import", points(&|step| step.import))],
            budget: Some(engine.import()),
        },
        Chart {
            name: engine.named("growth-start"),
            title: "Start of the service",
            x: Axis::powers("Reports"),
            y: Axis::counts("Time until it serves (ms)"),
            series: vec![Series::new("start", points(&|step| step.start))],
            budget: None,
        },
    ]
}
