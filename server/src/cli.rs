//! The command line: one file a command.

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
use store::secrets::Keyring;
use store::{self, Missing, Store};

pub use self::{invocation::Invocation, logging::LogLevels};
use self::{invocation::Setting, serve::Reloading};
use crate::{
    config::{ConfigFile, Database, Log, Output, Serve, operator, run_folders},
    service,
};

/// Publishes counters and recent reports: a JSON API, an event stream and widgets in one binary.
#[derive(Debug, Parser)]
#[command(name = "svc", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    log: Log,
    // Read before the rest: see `invocation`.
    #[command(flatten)]
    _config: ConfigFile,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API, the event stream and the widgets
    Serve(Box<Serve>),
    /// Import, list, approve, reject and withdraw reports
    #[command(subcommand)]
    Reports(reports::Command),
    /// Create, list and revoke partners' API keys; change the key of webhook secrets
    #[command(subcommand)]
    Keys(keys::Command),
    /// Manage webhook subscriptions and deliveries
    #[command(subcommand)]
    Webhooks(webhooks::Command),
    /// Show who did what, when and from where
    Audit(audit::Audit),
    /// Show the settings that serve has with the same flags, and where each comes from
    Config(Box<Serve>),
    /// Ask the service on this machine whether it is ready
    Health(health::Health),
    /// Migrate, check, back up and restore the database
    #[command(subcommand)]
    Db(db::Command),
    /// Generate demo data
    #[command(subcommand)]
    Demo(demo::Command),
}

/// The access that a command needs to the database of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    None,
    /// It is the service.
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

/// Refuses what is meant for the running service and would not reach it; says which database is changed. To standard
/// error: standard output may be for programs.
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

/// Opens the database that has to be there, for what an operator does.
async fn open(database: &Database, keyring: Option<Keyring>) -> store::Result<Store> {
    let store = store::open_with(&database.database_url, Missing::Refuse, keyring).await?;
    Ok(store.acting(operator()))
}

/// Opens the same, and closes it after the work, which leaves no journal beside it.
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

/// How a command ended; the numbers are part of the command line's contract. Most bad usage is found by clap, which
/// exits with 2 itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Failed = 1,
    /// Bad usage and settings that cannot work: the same again would fail again.
    Misused = 2,
    SomeRefused = 3,
}

/// The whole program: settings, logging, then the command that the arguments name.
///
/// It isn't `async`: the runtime is started here, so that the futures below are compiled in the library, once,
/// and not in each binary that calls them.
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
        // The reader of our output went away (`svc … | head`): nothing is wrong.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc: {}", redacted(&described(&error, name.as_deref())));
            ExitCode::from(Exit::Failed as u8)
        }
    }
}

/// The error with its causes, and the name of the database if it is about the database and does not name it.
fn described(error: &anyhow::Error, database: Option<&str>) -> String {
    let nameless = error.chain().filter_map(of_store).any(|error| !error.names_the_database());
    match database {
        Some(database) if nameless => format!("{error:#} (the database is {database})"),
        _ => format!("{error:#}"),
    }
}

/// Errors that only pass one of the store on have none of it among their causes.
fn of_store<'a>(cause: &'a (dyn std::error::Error + 'static)) -> Option<&'a store::Error> {
    if let Some(import::Error::Store(error)) = cause.downcast_ref() {
        return Some(error);
    }
    if let Some(service::Error::Store(error)) = cause.downcast_ref() {
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
