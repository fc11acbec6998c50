//! Publications by several nodes at once. Their transactions run one after the other, so this
//! measures the time from one to the next.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use domain::report::Step;
use store::{self, Missing};

use crate::{
    budget::{Budget, Unit},
    context::{Context, say},
    database::{Database, Made},
    engine::Engine,
    report::Section,
    statistics::median,
    table::Row,
};

const NODES: u64 = 4;
/// Number of reports published by each node, each in its own transaction.
const EACH: u64 = 500;
/// Number of reports in the database at the start.
const HISTORY: u64 = 100_000;
/// Budget: transactions per second.
const RATE: f64 = 500.0;

const ABOUT: &str = "Four nodes publish pending reports, each one report in a transaction, one after the other, as many as a \
    moderator would click. A node is a thread with a pool of connections of its own. Every transaction is durable.";

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    say(format!("Publications by {NODES} nodes at once on {}", context.engine()));
    let database = Database::fill(context, "nodes", HISTORY).await?;
    let mut rates = Vec::new();
    for round in 0..context.sizes.rounds {
        let made = Made { rows: NODES * EACH, seed: 100 + u64::from(round), mode: None };
        database.import(context, &made).await?;
        rates.push((NODES * EACH) as f64 / publish(&database, &made)?.as_secs_f64());
    }
    database.remove()?;
    let budget = match context.engine() {
        Engine::Sqlite => Budget::None,
        Engine::Postgres => Budget::AtLeast(RATE),
    };
    let row =
        Row::new("publishing transactions of 4 nodes", median(&rates), Unit::PerSecond, budget);
    Ok(Section::new(context.engine().titled("Nodes"), ABOUT, vec![row]))
}

/// Time until all nodes have published their share.
fn publish(database: &Database, made: &Made) -> Result<Duration> {
    let began = Instant::now();
    thread::scope(|scope| {
        let nodes: Vec<_> = (0..NODES)
            .map(|node| {
                let ids = (1..=EACH).map(|number| made.id(node * EACH + number)).collect();
                scope.spawn(move || publish_all(database, ids))
            })
            .collect();
        nodes.into_iter().try_for_each(|node| node.join().ok().context("a node panicked")?)
    })?;
    Ok(began.elapsed())
}

fn publish_all(database: &Database, ids: Vec<String>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = store::open_url(&database.url, Missing::Refuse).await?;
        for id in ids {
            store.reports().decide(Step::Approve, &[id]).await?;
        }
        store.close().await;
        Ok(())
    })
}
