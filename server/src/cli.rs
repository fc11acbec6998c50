//! The command line: one file per command.

mod audit;
mod bar;
mod config;
mod db;
mod demo;
mod health;
pub mod invocation;
mod keys;
mod logging;
mod output;
mod reports;
mod running;
mod serve;
mod webhooks;

use std::{path::Path, process::ExitCode};

use base::redaction::redacted;
use clap::{Parser, Subcommand};
use store::{self, Missing, Store, secrets::Keyring};

pub use self::{invocation::Invocation, logging::LogLevels};
use self::{invocation::Setting, serve::Reloading};
use crate::{
    config::{ConfigFile, Database, Log, Output, Serve, operator, run_folders},
    service,
};

/// Publishes counters and recent reports: a JSON API, an event stream and widgets in one binary.
#[derive(Debug, Parser)]
#[command(name = "svc", version, propagate_version = true, arg_required_else_help = true)]
#[command(next_help_heading = "Global options", after_help = "Example: svc serve --demo")]
pub struct Cli {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    log: Log,
    // Read before the other flags: see `invocation`.
    #[command(flatten)]
    _config: ConfigFile,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API, the event stream and the widgets
    #[command(
        after_help = "Example: svc serve --addr 0.0.0.0:3000 --public-url https://svc.example.org"
    )]
    Serve(Box<Serve>),
    /// Import, list, approve, reject and withdraw reports
    #[command(subcommand, after_help = "Example: svc reports import reports.csv")]
    Reports(reports::Command),
    /// Create, list and revoke API keys; rotate the key of webhook secrets
    #[command(subcommand, after_help = "Example: svc keys create --partner Acme")]
    Keys(keys::Command),
    /// Manage webhook subscriptions and deliveries
    #[command(subcommand, after_help = "Example: svc webhooks list")]
    Webhooks(webhooks::Command),
    /// Show the audit log: who did what, when and from where
    #[command(after_help = "Example: svc audit --report r-17")]
    Audit(audit::Audit),
    /// Show the effective settings of serve, and where each comes from
    #[command(after_help = "Example: svc config --config /etc/svc/svc.toml")]
    Config(Box<Serve>),
    /// Check whether the service on this machine is ready
    #[command(after_help = "Example: svc health --ops-addr 127.0.0.1:3001")]
    Health(health::Health),
    /// Migrate, check, back up and restore the database
    #[command(subcommand, after_help = "Example: svc db backup copy.db")]
    Db(db::Command),
    /// Generate demo data
    #[command(subcommand, after_help = "Example: svc demo csv --rows 1000")]
    Demo(demo::Command),
}

/// Access of a command to the configured database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    None,
    /// As the service itself.
    Serve,
    Read,
    Change,
}

impl Command {
    fn access(&self) -> Access {
        match self {
            Command::Config(_) | Command::Health(_) | Command::Demo(_) => Access::None,
            Command::Serve(_) => Access::Serve,
            Command::Audit(_) => Access::Read,
            Command::Reports(command) => command.access(),
            Command::Keys(command) => command.access(),
            Command::Webhooks(command) => command.access(),
            Command::Db(command) => command.access(),
        }
    }
}

/// Refuses a command that is meant for the running service but would use another database; prints the database that is
/// changed. To standard error, because programs may read standard output.
fn check_database(
    name: Option<&str>,
    access: Access,
    settings: &[Setting],
    settings_file: Option<&Path>,
) -> anyhow::Result<()> {
    let (Some(name), Access::Read | Access::Change) = (name, access) else { return Ok(()) };
    let is_explicit = |setting: &Setting| {
        setting.name == running::SETTING && setting.from == invocation::Origin::Flag
    };
    if !settings.iter().any(is_explicit) {
        running::check(name, settings, settings_file, &run_folders())?;
    }
    if access == Access::Change {
        eprintln!("Database: {name}");
    }
    Ok(())
}

/// Opens an existing database in the name of the operator.
async fn open(database: &Database, keyring: Option<Keyring>) -> store::Result<Store> {
    let store = store::open_with(&database.database_url, Missing::Refuse, keyring).await?;
    Ok(store.acting(operator()))
}

/// Opens an existing database, and closes it after the work, which leaves no journal beside it.
async fn with_store<T>(
    database: &Database,
    keyring: Option<Keyring>,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let store = open(database, keyring).await?;
    let done = work(&store).await;
    store.close().await;
    done
}

/// Exit status of a command; the numbers are part of the command line's contract. Clap detects most bad usage, and
/// exits with 2, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Failed = 1,
    /// Bad usage, or settings that cannot work: a retry would fail again.
    Misused = 2,
    SomeRefused = 3,
}

/// The whole program: reads settings, starts logging, then runs the command.
///
/// Not `async`: the runtime is started here, so that the futures below are compiled in the library, once, and not in
/// each binary that calls them.
pub fn main() -> ExitCode {
    let invocation = match Invocation::read(crate::config::arguments()) {
        Ok(invocation) => invocation,
        Err(refused) => refused.exit(),
    };
    let log = invocation.cli.start_log();
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(run(invocation, log)),
        Err(error) => {
            eprintln!("svc: cannot start threads: {error}");
            ExitCode::from(Exit::Failed as u8)
        }
    }
}

/// Runs the command that the arguments name.
async fn run(Invocation { cli, settings, file }: Invocation, log: LogLevels) -> ExitCode {
    let Cli { database, output, log: _, _config, command } = cli;
    let name = store::name_of(&database.database_url);
    if command.access() != Access::None
        && let Err(error) = store::check_url(&database.database_url)
    {
        eprintln!("svc: {error}");
        return ExitCode::from(Exit::Misused as u8);
    }
    let checked = check_database(name.as_deref(), command.access(), &settings, file.as_deref());
    let ended = match command {
        _ if checked.is_err() => checked.map(|()| Exit::Failed),
        Command::Serve(serve) => {
            serve::run(&database, *serve, file.as_deref(), Reloading { settings, log }).await
        }
        Command::Reports(command) => reports::run(&database, output, command).await,
        Command::Keys(command) => keys::run(&database, output, command).await,
        Command::Webhooks(command) => webhooks::run(&database, output, command).await,
        Command::Audit(audit) => audit::run(&database, output, audit).await,
        Command::Config(_) => config::run(output, &settings),
        Command::Health(health) => health::run(output, health).await,
        Command::Db(command) => db::run(&database, output, command).await,
        Command::Demo(command) => demo::run(&command),
    };
    match ended {
        Ok(exit) => ExitCode::from(exit as u8),
        // The reader of the output has ended (`svc … | head`), which is no error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc: {}", redacted(&described(&error, name.as_deref())));
            ExitCode::from(Exit::Failed as u8)
        }
    }
}

/// Returns the error with its causes, and the name of the database if the error is about the database and does not name
/// it.
fn described(error: &anyhow::Error, database: Option<&str>) -> String {
    let nameless = error.chain().filter_map(of_store).any(|error| !error.names_the_database());
    match database {
        Some(database) if nameless => format!("{error:#} (the database is {database})"),
        _ => format!("{error:#}"),
    }
}

/// Returns the store's error. Transparent wrappers need their own cases, because they don't have it among their causes.
fn of_store<'a>(cause: &'a (dyn std::error::Error + 'static)) -> Option<&'a store::Error> {
    if let Some(import::Error::Store(error)) = cause.downcast_ref() {
        return Some(error);
    }
    if let Some(service::ServiceError::Store(error)) = cause.downcast_ref() {
        return Some(error);
    }
    cause.downcast_ref()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
