//! `svc serve`.

mod demo;
mod reloading;
mod supervisor;

use std::path::Path;

use anyhow::Context;
use base::{clock::Clock, random::Random};
use store::{self, Missing};
use tokio::signal::unix::{SignalKind, signal};

pub(super) use self::reloading::Reloading;
use super::{Exit, running::Announcement};
use crate::{
    config::{self, Database, ListenAddress, Serve},
    service::{Loaded, Service, StopSignal, StopSignals},
};

pub(super) async fn run(
    database: &Database,
    settings: Serve,
    settings_file: Option<&Path>,
    mut reloading: Reloading,
) -> anyhow::Result<Exit> {
    let log = reloading.log.clone();
    // Allows as many connections as the system permits: thousands of streams are a normal load.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "the limit of open files could not be raised");
    }
    let keyring = match settings.secret_keys.keyring() {
        Ok(keyring) => keyring,
        Err(error) => {
            eprintln!("svc: {error}");
            return Ok(Exit::Misused);
        }
    };
    let (clock, random) = (Clock::system(), Random::system());
    let demo = settings.demo;
    let open = async || {
        let url = &database.database_url;
        let store = store::open_with(url, Missing::Create, keyring.clone()).await?;
        let name = store.name();
        log.announce(&match store.migrated().new {
            true => format!("The database {name} is new."),
            false => format!("The database is {name}."),
        });
        if demo && store.reports().is_empty().await? {
            log.announce("Filling the empty database with generated reports …");
            demo::fill(&store, clock.now()).await?;
            log.announce("Filled it. More reports of the last weeks follow while it serves.");
        }
        Ok(store)
    };
    let mut signals = StopSignals::listen().context("cannot listen for signals to stop")?;
    // Without a listener, SIGHUP would end the process.
    let hangups = signal(SignalKind::hangup());
    let mut hangups = hangups.context("cannot listen for signals to reload")?;
    // Announced before the service has opened the database: it may have to wait for it.
    let announced = store::name_of(&database.database_url)
        .map(|name| Announcement::of(name, settings_file, &config::run_folders()));
    if let Some(Err(error)) = &announced {
        tracing::debug!(%error, "commands cannot check that they use the same database");
    }
    let (loaded, listeners) = tokio::select! {
        loaded = Loaded::when_possible(&settings, &clock, &random, open) => loaded?,
        _ = signals.next() => return Ok(Exit::Done),
    };
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let mut service = Service::serve(settings, loaded, listeners, clock, random).await?;
    if demo {
        service.work("demo", demo::publish);
    }
    log.announce(&format!("svc serves {scheme}://{}", service.addr));
    if let Some(addr) = service.ops_addr {
        log.announce(&match service.app.settings.operator_on {
            ListenAddress::Ops => format!(
                "For the operator: http://{addr}/health, http://{addr}/metrics and http://{addr}/desk"
            ),
            ListenAddress::Public => {
                format!("For the operator: http://{addr}/health and http://{addr}/metrics")
            }
        });
    }
    supervisor::serving();
    let exit = loop {
        tokio::select! {
            signal = signals.next() => break until_drained(signal, &mut service, &mut signals).await,
            // Already logged. A supervisor restarts the process.
            _ = service.failed() => break Exit::Failed,
            _ = hangups.recv() => reloading.reload(&service),
        }
    };
    supervisor::stopping();
    tracing::info!("stopping");
    tokio::select! {
        () = service.stop() => Ok(exit),
        _ = signals.next() => {
            tracing::warn!("second stop signal: requests in flight are aborted");
            Ok(Exit::Failed)
        }
    }
}

/// Waits until the service has drained, if the signal came from a supervisor. A second signal ends the draining.
/// Returns the exit status.
async fn until_drained(
    signal: StopSignal,
    service: &mut Service,
    signals: &mut StopSignals,
) -> Exit {
    if signal == StopSignal::Interrupt {
        return Exit::Done;
    }
    supervisor::draining();
    let draining = service.app.draining.clone();
    tokio::select! {
        () = draining.drain() => Exit::Done,
        _ = signals.next() => {
            tracing::info!("second stop signal: draining ends");
            Exit::Done
        }
        _ = service.failed() => Exit::Failed,
    }
}
