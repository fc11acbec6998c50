//! Databases of made-up reports.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use anyhow::{Result, ensure};
use scratch::postgres;
use sqlx::Connection as _;
use tokio::process::Command;

use crate::{
    context::{Context, say},
    engine::{self, Engine},
    process,
};

#[derive(Clone, Debug)]
pub(crate) struct Database {
    svc: PathBuf,
    pub(crate) url: String,
    place: Place,
    pub(crate) rows: u64,
    /// Time taken to fill the database.
    pub(crate) took: Duration,
    /// Peak memory while it was filled, KiB.
    pub(crate) peak: f64,
}

/// Location of a database.
#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    /// A database on a server, which drops it with the last reference; and the file with the keys
    /// of webhook secrets.
    Server {
        _database: Arc<postgres::Database>,
        keys: PathBuf,
    },
}

impl Database {
    /// Creates an empty database called `name`.
    pub(crate) fn empty(context: &Context, name: &str) -> Self {
        let (url, place) = match context.engine() {
            Engine::Sqlite => {
                let file = context.folder().join(format!("{name}.db"));
                (format!("sqlite://{}", file.display()), Place::File(file))
            }
            Engine::Postgres => {
                let database = engine::on_server();
                let keys = context.folder().join(format!("{name}.key"));
                (database.url().to_owned(), Place::Server { _database: database, keys })
            }
        };
        let svc = context.sizes.svc.clone();
        Self { svc, url, place, rows: 0, took: Duration::ZERO, peak: 0.0 }
    }

    /// Creates a database with `rows` reports, published long ago.
    pub(crate) async fn fill(context: &Context, name: &str, rows: u64) -> Result<Self> {
        say(format!("Importing {rows} made-up reports as history, {}", context.engine()));
        let mut database = Self::empty(context, name);
        database.output(&["db", "migrate"]).await?;
        (database.took, database.peak) =
            database.import(context, &Made { rows, seed: 1, mode: Some("--backfill") }).await?;
        database.rows = rows;
        Ok(database)
    }

    /// Imports made-up reports. Returns the time taken and the peak memory, KiB.
    pub(crate) async fn import(&self, context: &Context, made: &Made) -> Result<(Duration, f64)> {
        let file = context.folder().join("reports.csv");
        self.make_csv(made, &file).await?;
        let measured = self.import_file(&file, made.mode.as_slice()).await?;
        // The largest file has half a gigabyte.
        std::fs::remove_file(file)?;
        Ok(measured)
    }

    /// Writes made-up reports to a CSV file.
    pub(crate) async fn make_csv(&self, made: &Made, file: &Path) -> Result<()> {
        let mut command = Command::new(&self.svc);
        command.args(["demo", "csv", "--rows", &made.rows.to_string()]);
        command.args(["--seed", &made.seed.to_string()]).stdout(std::fs::File::create(file)?);
        ensure!(command.status().await?.success(), "no reports were made up");
        Ok(())
    }

    /// Imports a file. Returns the time taken and the peak memory, KiB.
    pub(crate) async fn import_file(&self, file: &Path, flags: &[&str]) -> Result<(Duration, f64)> {
        let mut command = self.command(&["reports", "import"]);
        // Warnings about unknown countries are not interesting here.
        command.arg(file).args(flags).stderr(Stdio::null());
        process::run_measured(command).await
    }

    /// Size in bytes.
    pub(crate) async fn bytes(&self) -> Result<u64> {
        let Place::File(file) = &self.place else {
            let mut connection = sqlx::PgConnection::connect(&self.url).await?;
            let size = sqlx::query_scalar("SELECT pg_database_size(current_database())");
            let size: i64 = size.fetch_one(&mut connection).await?;
            return Ok(size.cast_unsigned());
        };
        Ok(std::fs::metadata(file)?.len())
    }

    /// Removes the files of the database.
    pub(crate) fn remove(self) -> Result<()> {
        let Place::File(file) = &self.place else { return Ok(()) };
        let file = file.display();
        for file in ["", "-wal", "-shm"].map(|suffix| PathBuf::from(format!("{file}{suffix}"))) {
            if file.exists() {
                std::fs::remove_file(file)?;
            }
        }
        Ok(())
    }

    /// `svc` with these arguments, on this database.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.svc);
        // As an option, because commands refuse a variable that differs from the running service's.
        command.args(arguments).args(["--database-url", &self.url]).env("SVC_LOG", "warn");
        if let Place::Server { keys, .. } = &self.place {
            command.env("SVC_SECRET_KEY_FILE", keys);
        }
        command
    }

    /// Output of `svc` with these arguments.
    pub(crate) async fn output(&self, arguments: &[&str]) -> Result<String> {
        process::output(self.command(arguments)).await
    }

    /// Creates a key.
    pub(crate) async fn key(&self, partner: &str, tier: &str) -> Result<String> {
        let arguments = ["keys", "create", "--partner", partner, "--tier", tier, "--json"];
        let created: serde_json::Value = serde_json::from_str(&self.output(&arguments).await?)?;
        let key = created["key"].as_str();
        Ok(key.ok_or_else(|| anyhow::anyhow!("no key in {created}"))?.to_owned())
    }
}

/// A set of reports to generate.
pub(crate) struct Made {
    pub(crate) rows: u64,
    /// Part of the ids, which are `demo-SEED-ROWS-NUMBER`.
    pub(crate) seed: u64,
    /// `--approve`, `--backfill`, or none for pending reports.
    pub(crate) mode: Option<&'static str>,
}

impl Made {
    /// Id of the report with this number, counted from 1.
    pub(crate) fn id(&self, number: u64) -> String {
        format!("demo-{}-{}-{number}", self.seed, self.rows)
    }
}
