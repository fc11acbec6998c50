//! Durable webhooks, as in production: deliveries per second, and the time from a publication to
//! its arrival.

mod bare;
mod crowd;
mod receiver;

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use domain::report::Step;
use serde_json::json;
use store::{self, Missing};
use tokio::time;

use crate::{
    budget::{Budget, Unit},
    client::Connection,
    context::{Context, say},
    database::{Database, Made},
    engine::Engine,
    plain,
    process::Process,
    report::Section,
    service::serve,
    statistics::{median, milliseconds, percentile},
    table::Row,
    webhooks::receiver::Receiver,
};

/// Number of deliveries whose rate is measured, and number of events per report.
const DELIVERIES: u64 = 40_000;
const EVENTS: u64 = 2;
/// Budget: deliveries per second, on either engine.
const RATE: f64 = 15_000.0;
/// Number of deliveries that plain SQL records in a transaction.
const AT_ONCE: usize = 64;
/// Maximum number of concurrent requests of the service to one endpoint, and to all.
const ONE_ENDPOINT: u64 = 64;
const ALL_ENDPOINTS: u64 = 768;
/// Number of endpoints in the measurement with many.
const ENDPOINTS: u64 = 1_000;
/// Maximum number of subscriptions of one partner.
const PER_PARTNER: usize = 25;
/// Number of publications whose latency is measured, and the time between two.
const PUBLICATIONS: u64 = 2_000;
const GAP: Duration = Duration::from_millis(10);
/// Budget: p99 of the latency, ms.
const LATENCY: f64 = 100.0;
/// Number of reports published at once, and maximum ratio of the time with many subscriptions to
/// that without.
const BATCH: u64 = 10_000;
const SLOWER: f64 = 1.3;
/// Timeout until all events have arrived.
const TIMEOUT: Duration = Duration::from_secs(300);

const ABOUT: &str = "The receiver is one thread that answers 200 at once. Reports are published while the service is \
    stopped; once it runs, the first tenth of their 40,000 deliveries warms up. For comparison, a plain HTTP \
    client sends requests of the same size over as many connections, and records nothing; and plain SQL \
    records as many deliveries and attempts, 64 in a transaction, and sends nothing. The latency is from before \
    the transaction that publishes until the receiver has read the body. Publications are \
    timed with the service stopped, so that nothing is delivered in between.";

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let mut rows = Vec::new();
    for endpoints in [1, ENDPOINTS] {
        say(format!("Webhooks, endpoints: {endpoints}"));
        let bench = Bench::with(context, "webhooks", endpoints).await?;
        let (rate, bare) = (bench.rate(context).await?, bench.bare_rate(context).await?);
        let latencies = match endpoints {
            1 => Some(bench.latencies(context).await?),
            _ => None,
        };
        // The last work on this database, because the service would take these deliveries for its own.
        let recorded = plain::record(&bench.database, endpoints, DELIVERIES, AT_ONCE).await?;
        let work = if endpoints == 1 { "one endpoint" } else { "1,000 endpoints" };
        for (reference, limit) in
            [("sent and not recorded", bare), ("recorded and not sent", recorded)]
        {
            let work = format!("deliveries to {work}");
            let row = Row::new(work, rate, Unit::PerSecond, Budget::AtLeast(RATE));
            rows.push(row.against(reference, limit, rate / limit));
        }
        if let Some(latencies) = latencies {
            let [middle, tail] = [0.5, 0.99].map(|share| percentile(&latencies, share));
            let work = "from a publication to its arrival, 100 a second";
            rows.push(Row::new(
                format!("{work}, median"),
                middle,
                Unit::Milliseconds,
                Budget::None,
            ));
            rows.push(Row::new(
                format!("{work}, p99"),
                tail,
                Unit::Milliseconds,
                Budget::AtMost(LATENCY),
            ));
        }
    }
    rows.push(publishing(context).await?);
    // Measured once, because this part tests the dispatcher and does not depend on the engine.
    if context.engine() == Engine::Sqlite {
        rows.extend(crowd::measure(context).await?);
    }
    Ok(Section::new(context.engine().titled("Webhooks"), ABOUT, rows))
}

/// Ratio of the time to publish reports with many subscriptions to the time without.
async fn publishing(context: &Context) -> Result<Row> {
    say("Publishing with many subscriptions, and with none");
    let (mut times, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
    for _ in 0..context.sizes.rounds {
        let [with, without] =
            [publish_once(context, ENDPOINTS).await?, publish_once(context, 0).await?];
        times[0].push(with);
        times[1].push(without);
        ratios.push(with / without);
    }
    let [with, without] = times.map(|times| median(&times));
    let work = "publishing 10,000 reports with 1,000 subscriptions";
    let row = Row::new(work, with, Unit::Seconds, Budget::RatioAtMost(SLOWER));
    Ok(row.against("with none", without, median(&ratios)))
}

/// Seconds to publish reports in a new database.
async fn publish_once(context: &Context, endpoints: u64) -> Result<f64> {
    let bench = Bench::with(context, "publishing", endpoints).await?;
    let made = Made { rows: BATCH, seed: 1, mode: Some("--approve") };
    let (took, _) = bench.database.import(context, &made).await?;
    // With its pending deliveries, the database may have gigabytes.
    bench.database.remove()?;
    Ok(took.as_secs_f64())
}

/// A database with subscriptions, and their receiver.
struct Bench {
    database: Database,
    endpoints: u64,
    receiver: Receiver,
}

/// Creates a database with these subscriptions to all events.
pub(crate) async fn subscribed(context: &Context, name: &str, urls: &[String]) -> Result<Database> {
    let database = Database::empty(context, &format!("{name}-{}", urls.len()));
    database.output(&["db", "migrate"]).await?;
    subscribe(&database, urls).await?;
    Ok(database)
}

/// Adds these subscriptions, to all future events.
async fn subscribe(database: &Database, urls: &[String]) -> Result<()> {
    let mut keys = Vec::new();
    for partner in 0..urls.len().div_ceil(PER_PARTNER) {
        keys.push(database.key(&format!("partner {partner}"), "partner").await?);
    }
    let process = served(database).await?;
    let mut connection = Connection::open(process.addr).await?;
    for (number, url) in urls.iter().enumerate() {
        let authorization = format!("Bearer {}", keys[number / PER_PARTNER]);
        let body = json!({ "url": url, "events": ["report.created", "metrics.updated"] });
        let answer = connection.post("/api/v1/webhooks", &authorization, &body).await?;
        let text = String::from_utf8_lossy(&answer.body);
        ensure!(answer.status == 201, "no subscription: {text}");
    }
    process.stop().await
}

/// Starts the service on such a database.
async fn served(database: &Database) -> Result<Process> {
    let flags = ["--webhook-allow-http", "--webhook-allow-private"];
    Process::start(serve(database, None, &flags), "svc").await
}

impl Bench {
    async fn with(context: &Context, name: &str, endpoints: u64) -> Result<Self> {
        let receiver = Receiver::listen().await?;
        let database = subscribed(context, name, &receiver.urls(endpoints)).await?;
        Ok(Self { database, endpoints, receiver })
    }

    async fn serve(&self) -> Result<Process> {
        served(&self.database).await
    }

    /// Deliveries per second, as the median of the rounds.
    async fn rate(&self, context: &Context) -> Result<f64> {
        let rows = DELIVERIES / EVENTS / self.endpoints;
        let all = rows * EVENTS * self.endpoints;
        let mut rates = Vec::new();
        for round in 0..context.sizes.rounds {
            let seed = receiver::TIMED_SEED + 1 + u64::from(round);
            let made = Made { rows, seed, mode: Some("--approve") };
            self.database.import(context, &made).await?;
            let before = self.receiver.count();
            let process = self.serve().await?;
            let warm = self.arrived(before + all / 10).await?;
            let warm_count = self.receiver.count();
            let end = self.arrived(before + all).await?;
            let sent = self.receiver.count() - warm_count;
            process.stop().await?;
            rates.push(sent as f64 / (end - warm).as_secs_f64());
        }
        Ok(median(&rates))
    }

    /// Requests per second from a client that does nothing else, as the median of the rounds.
    async fn bare_rate(&self, context: &Context) -> Result<f64> {
        let connections = self.endpoints.clamp(ONE_ENDPOINT, ALL_ENDPOINTS);
        let mut rates = Vec::new();
        for _ in 0..context.sizes.rounds {
            let (before, start) = (self.receiver.count(), Instant::now());
            bare::send(self.receiver.addr, connections, DELIVERIES).await?;
            rates.push((self.receiver.count() - before) as f64 / start.elapsed().as_secs_f64());
        }
        Ok(median(&rates))
    }

    /// Time at which `count` requests have arrived.
    async fn arrived(&self, count: u64) -> Result<Instant> {
        self.receiver.until(count, TIMEOUT).await
    }

    /// Milliseconds from each publication to its arrival.
    async fn latencies(&self, context: &Context) -> Result<Vec<f64>> {
        let made = Made { rows: PUBLICATIONS, seed: receiver::TIMED_SEED, mode: None };
        self.database.import(context, &made).await?;
        let process = self.serve().await?;
        // Uses the store directly, because the command line would start a process for each
        // publication.
        let store = store::open_url(&self.database.url, Missing::Refuse).await?;
        let mut published = HashMap::new();
        let mut turns = time::interval(GAP);
        for number in 1..=PUBLICATIONS {
            turns.tick().await;
            let id = made.id(number);
            published.insert(id.clone(), Instant::now());
            store.reports().decide(Step::Approve, &[id]).await?;
        }
        let mut looks = time::interval(Duration::from_millis(20));
        let waiting = async {
            while self.receiver.timed().len() < published.len() {
                looks.tick().await;
            }
        };
        time::timeout(TIMEOUT, waiting).await?;
        process.stop().await?;
        let arrived = self.receiver.timed();
        let latency = |(id, at): (&String, &Instant)| {
            Some(milliseconds(arrived.get(id)?.saturating_duration_since(*at)))
        };
        Ok(published.iter().filter_map(latency).collect())
    }
}
