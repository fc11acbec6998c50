//! Shared state of the parts: sizes, a folder, and databases, which take a while to fill.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};
use tempfile::TempDir;

use crate::{budget::number, database::Database, engine::Engine};

/// Sizes of the measurements. Smaller ones are for quick tries.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Sizes {
    /// Reports in the database, except for `growth`
    #[arg(long, default_value_t = 1_000_000)]
    pub(crate) rows: u64,
    /// Reports in the databases of `growth`; the largest takes some GB in the temporary folder
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000,5000000")]
    pub(crate) growth: Vec<u64>,
    /// Streams to open
    #[arg(long, default_value_t = 15_000)]
    pub(crate) streams: u32,
    /// Streams to open at once on one machine
    #[arg(long, default_value_t = 50_000)]
    pub(crate) many_streams: u32,
    /// Seconds per measurement; by default 4 for requests, 20 for streams, 600 for the soak
    #[arg(long)]
    pub(crate) seconds: Option<u64>,
    /// Rounds; results are their median
    #[arg(long, default_value_t = 5)]
    pub(crate) rounds: u32,
    /// Requests of `memory`
    #[arg(long, default_value_t = 10_000_000)]
    pub(crate) requests: u64,
    /// Requests of `memory` of which no two are alike
    #[arg(long, default_value_t = 3_000_000)]
    pub(crate) new_requests: u64,
    /// Events of `event-log`; the default takes 4 GB in the temporary folder
    #[arg(long, default_value_t = 10_000_000)]
    pub(crate) events: u64,
    /// Engines, for the parts that depend on them
    #[arg(long, value_delimiter = ',', default_value = "sqlite,postgres")]
    pub(crate) engines: Vec<Engine>,
    /// Binary of the service
    #[arg(long, value_name = "FILE", default_value = "target/release/svc")]
    pub(crate) svc: PathBuf,
}

impl Sizes {
    /// The sizes, as one line of the report.
    pub(crate) fn described(&self) -> String {
        let [rows, requests] = [self.rows, self.requests].map(|size| number(size as f64));
        let streams = number(self.streams.into());
        let rounds = self.rounds;
        format!(
            "Sizes: {rows} reports, {streams} streams, {requests} mixed requests, {rounds} rounds"
        )
    }
}

pub(crate) struct Context {
    pub(crate) sizes: Sizes,
    folder: TempDir,
    engine: Cell<Engine>,
    databases: RefCell<BTreeMap<(Engine, u64), Database>>,
}

impl Context {
    pub(crate) fn new(mut sizes: Sizes) -> Result<Self> {
        let svc = &sizes.svc;
        ensure!(svc.exists(), "{} is missing: `make build` builds it", svc.display());
        sizes.svc = svc.canonicalize()?;
        let folder = tempfile::Builder::new().prefix("svc-bench-").tempdir()?;
        let (engine, databases) = (Cell::new(Engine::Sqlite), RefCell::default());
        Ok(Self { sizes, folder, engine, databases })
    }

    /// Temporary folder, removed at the end.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Engine of new databases.
    pub(crate) fn engine(&self) -> Engine {
        self.engine.get()
    }

    /// Sets the engine of new databases.
    pub(crate) fn use_engine(&self, engine: Engine) {
        self.engine.set(engine);
    }

    pub(crate) fn seconds(&self, default: u64) -> u64 {
        self.sizes.seconds.unwrap_or(default)
    }

    /// A database of `rows` published reports, filled once. Read-only.
    pub(crate) async fn database(&self, rows: u64) -> Result<Database> {
        let key = (self.engine(), rows);
        if let Some(database) = self.databases.borrow().get(&key) {
            return Ok(database.clone());
        }
        let database = Database::fill(self, &rows.to_string(), rows).await?;
        self.databases.borrow_mut().insert(key, database.clone());
        Ok(database)
    }
}

/// Prints the progress, because a run takes a while.
pub(crate) fn say(text: impl AsRef<str>) {
    println!("— {}", text.as_ref());
}
