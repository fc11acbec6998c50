//! Cost of a long event log, with a thousand subscriptions, some of them far behind.

mod rows;

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use base::clock::Clock;
use chrono::TimeDelta;
use domain::cursor::Cursor;
use serde_json::{Value, json};
use store::{self, Missing, Store};

use crate::{
    budget::{Budget, Unit, number},
    client::{Answer, Connection},
    context::{Context, say},
    database::Database,
    process::Process,
    report::Section,
    service,
    statistics::{median, milliseconds, percentile},
    table::Row,
    webhooks::subscribed,
};

/// Nothing listens on this port.
const DEAD_URL: &str = "http://127.0.0.1:9/";
const SUBSCRIPTIONS: usize = 1_000;
/// A lease owner without leases.
const NOBODY: i64 = 7;
/// Repetitions of each measurement.
const TIMES: usize = 100;
const REPLAYS: usize = 20;
/// Time for the service to settle after its start.
const SETTLED: Duration = Duration::from_secs(2);
/// Pause between two writes.
const GAP: Duration = Duration::from_millis(5);
/// Maximum time for which pruning is measured. The last steps are those that remove events.
const PRUNED: Duration = Duration::from_secs(90);
/// Budget: maximum wait of a writer, ms.
const STEP: f64 = 200.0;
/// Budget: p99 of a read, ms.
const READ: f64 = 10.0;
/// Budget: maximum duration of a metrics scrape, ms.
const SCRAPE: f64 = 200.0;

const ABOUT: &str = "A log of 40 days, of which 30 are kept, and 1,000 subscriptions: most have everything, some are \
    paused far behind, one of them with many deliveries to be tried again, some have thousands of failed deliveries \
    with ten attempts each, one is deleted. While old events are pruned, with the service stopped, something small is \
    written every few milliseconds.";

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    let events = context.sizes.events;
    say(format!("A log of {} events", number(events as f64)));
    let urls = vec![DEAD_URL.to_owned(); SUBSCRIPTIONS];
    let database = subscribed(context, "log", &urls).await?;
    let key = database.key("partner 0", "enterprise").await?;
    rows::write(&database.url, events).await?;
    let mut rows = starts(context, &database).await?;
    rows.extend(requests(&database, &key, events).await?);
    let store = store::open_url(&database.url, Missing::Refuse).await?;
    rows.push(looks(&store).await?);
    rows.push(pruning(&store).await?);
    store.close().await;
    rows::check(&database.url).await?;
    database.remove()?;
    let about = format!("{ABOUT} The log has {} events.", number(events as f64));
    Ok(Section::new("Event log", about, rows))
}

async fn starts(context: &Context, database: &Database) -> Result<Vec<Row>> {
    let empty = Database::empty(context, "empty-log");
    empty.output(&["db", "migrate"]).await?;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..context.sizes.rounds {
        for (database, times) in [database, &empty].into_iter().zip(&mut times) {
            let process = service::start(database, None).await?;
            times.push(milliseconds(process.took));
            process.stop().await?;
        }
    }
    let [long, none] = times.map(|times| median(&times));
    let row = Row::new("start with a long log", long, Unit::Milliseconds, Budget::None);
    Ok(vec![row.against("without one", none, long / none)])
}

/// Measures requests to the service.
async fn requests(database: &Database, key: &str, events: u64) -> Result<Vec<Row>> {
    // Another process could take the port before the service does, which is unlikely.
    let ops = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let process = Process::start(service::serve_with_ops(database, None, ops, &[]), "svc").await?;
    tokio::time::sleep(SETTLED).await;
    let mut asking = Asking { connection: Connection::open(process.addr).await?, key };
    let mut rows = Vec::new();
    let newest = i64::try_from(events)?;
    let places = [("oldest", newest / 4), ("middle", newest / 2), ("newest", newest - 200)];
    for (place, after) in places {
        let cursor = Cursor::after(after).context("too many events")?;
        let times = asking.often(&format!("/api/v1/events?limit=100&after={cursor}")).await?;
        rows.push(read(format!("100 events at the {place} of the log, p99"), &times));
    }
    let rare = asking.often("/api/v1/events?events=report.withdrawn").await?;
    rows.push(read("events of which there are none, p99".to_owned(), &rare));
    rows.push(asking.replays().await?);
    let mut operator = Connection::open(ops).await?;
    let mut scrapes = Vec::new();
    for _ in 0..TIMES {
        scrapes.push(succeeded(operator.get("/metrics", &[]).await?)?);
    }
    let longest = percentile(&scrapes, 1.0);
    let work = "numbers for the operator (/metrics), longest";
    rows.push(Row::new(work, longest, Unit::Milliseconds, Budget::AtMost(SCRAPE)));
    process.stop().await?;
    Ok(rows)
}

fn read(work: String, times: &[f64]) -> Row {
    Row::new(work, percentile(times, 0.99), Unit::Milliseconds, Budget::AtMost(READ))
}

/// Duration of a successful request, ms.
fn succeeded(answer: Answer) -> Result<f64> {
    let text = String::from_utf8_lossy(&answer.body);
    ensure!((200..300).contains(&answer.status), "{}: {text}", answer.status);
    Ok(milliseconds(answer.took))
}

/// A partner's connection.
struct Asking<'k> {
    connection: Connection,
    key: &'k str,
}

impl Asking<'_> {
    fn authorization(&self) -> String {
        format!("Bearer {}", self.key)
    }

    async fn get(&mut self, path: &str) -> Result<Answer> {
        let authorization = self.authorization();
        self.connection.get(path, &[("authorization", &authorization)]).await
    }

    /// Durations of repeated `GET path` requests, ms.
    async fn often(&mut self, path: &str) -> Result<Vec<f64>> {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            times.push(succeeded(self.get(path).await?)?);
        }
        Ok(times)
    }

    /// Replays from different times, for a paused subscription.
    async fn replays(&mut self) -> Result<Row> {
        let listed = self.get("/api/v1/webhooks").await?;
        let listed: Value = serde_json::from_slice(&listed.body)?;
        // The oldest subscription is the last one in the list.
        let first = listed["subscriptions"].as_array().and_then(|all| all.last());
        let id = first.and_then(|first| first["id"].as_str()).context("no subscription")?;
        let path = format!("/api/v1/webhooks/replay?id={id}");
        let mut times = Vec::new();
        for days in 0..REPLAYS {
            let from = Clock::system().now() - TimeDelta::days(i64::try_from(days)?);
            let authorization = self.authorization();
            let body = json!({ "from": from });
            times.push(succeeded(self.connection.post(&path, &authorization, &body).await?)?);
        }
        let longest = percentile(&times, 1.0);
        let work = "replay from a time, longest";
        Ok(Row::new(work, longest, Unit::Milliseconds, Budget::AtMost(STEP)))
    }
}

async fn looks(store: &Store) -> Result<Row> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let start = Instant::now();
        store.deliveries().pending_work(NOBODY).await?;
        times.push(milliseconds(start.elapsed()));
    }
    let work = "the dispatcher's look for work, p99";
    Ok(read(work.to_owned(), &times))
}

/// Waits of another writer in the same process while old events are pruned.
async fn pruning(store: &Store) -> Result<Row> {
    let mut alone = Vec::new();
    for _ in 0..TIMES {
        alone.push(write(store).await?);
    }
    let cutoff = Clock::system().now() - TimeDelta::days(30);
    let (steps, mut waits) = (Cell::new(0), Vec::new());
    let step = async || steps.set(steps.get() + 1);
    let pruning = async {
        match tokio::time::timeout(PRUNED, store.event_log().prune(cutoff, &step)).await {
            Ok(pruned) => Ok(pruned?),
            Err(_elapsed) => anyhow::Ok(()),
        }
    };
    let writing = async {
        loop {
            waits.push(write(store).await?);
            tokio::time::sleep(GAP).await;
        }
    };
    tokio::select! {
        pruned = pruning => pruned?,
        failed = writing => return failed,
    }
    let [middle, tail, longest] = [0.5, 0.99, 1.0].map(|share| percentile(&waits, share));
    say(format!("{} steps of pruning; writers wait {middle:.1} ms, {tail:.1} at p99", steps.get()));
    let alone = percentile(&alone, 1.0);
    let work = "a write while old events are pruned, longest";
    let row = Row::new(work, longest, Unit::Milliseconds, Budget::AtMost(STEP));
    Ok(row.against("while they are not", alone, longest / alone))
}

/// Milliseconds until a small write is durable.
async fn write(store: &Store) -> Result<f64> {
    let start = Instant::now();
    store.try_write().await?;
    Ok(milliseconds(start.elapsed()))
}
