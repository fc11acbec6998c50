//! The service as a whole: assembles the parts, runs the workers, listens, and stops.

mod assemble;
mod connection_limit;
mod listeners;
mod loading;
mod signals;
#[cfg(test)]
mod tests;
mod waiting;
mod workers;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use base::{clock::Clock, random::Random};
use chrono::TimeDelta;
use edge::{
    Admission,
    boundary::Boundary,
    gate::Gate,
    listener::{self, Until},
    tls::{self, Tls},
};
use limits::{self, RedisLimits};
use store::{self, Store};
use webhooks::{
    client::{self, Client},
    dispatcher::Dispatcher,
    resolver::Resolver,
};

use self::{
    assemble::{Dependencies, assemble},
    connection_limit::ConnectionLimit,
    listeners::{advice, local},
    workers::Workers,
};
pub use self::{
    listeners::Listeners,
    loading::Loaded,
    signals::{StopSignal, StopSignals},
    workers::Failed,
};
use crate::{
    config::{self, ListenAddress},
    mail::{Digests, Notices},
    ops::{self, writing::watch as watch_writing},
    otlp, router,
    site::assets::{self, Site},
    state::AppState,
    websub::Announcements,
};

/// Maximum duration of requests in flight after the stop has begun.
const GRACE: Duration = Duration::from_secs(10);
/// Maximum duration of a stop: the grace, and five seconds to save and close everything.
pub const MAX_STOP: Duration = Duration::from_secs(15);
const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// Interval between two looks for history without an event, and the time for which an import must have been quiet.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(60);
const NOTIFY_EVERY: Duration = Duration::from_secs(10);
const PRUNE_EVERY: Duration = Duration::from_secs(600);
/// Pause between two batches, for other writers.
const PRUNE_PAUSE: Duration = Duration::from_millis(20);

/// Reasons why the service could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error("cannot listen on {flag} {addr}: {why}{}", advice(why))]
    Listen { flag: &'static str, addr: SocketAddr, why: io::Error },
    #[error("--tls-cert, --tls-key: {0}")]
    Tls(tls::Unusable),
    #[error(transparent)]
    Site(#[from] assets::Incomplete),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Client(#[from] client::BuildError),
    #[error(transparent)]
    Redis(#[from] limits::UrlError),
    #[error(transparent)]
    Spans(#[from] otlp::OtlpError),
}

/// A running service.
#[derive(Debug)]
pub struct Service {
    pub app: AppState,
    /// Address of the public side.
    pub addr: SocketAddr,
    /// Address of the operator's side, if it has one.
    pub ops_addr: Option<SocketAddr>,
    tls: Option<Tls>,
    sides: Vec<(ListenAddress, Boundary)>,
    workers: Workers,
}

impl Service {
    /// Takes the first snapshot, listens, and starts the workers.
    pub async fn start(
        settings: config::Serve,
        store: Store,
        clock: Clock,
        random: Random,
    ) -> Result<Self, ServiceError> {
        let loaded = Loaded::of(store, &clock).await?;
        let listeners = Listeners::bind(&settings, &clock).await?;
        Self::serve(settings, loaded, listeners, clock, random).await
    }

    /// Serves what was loaded, and starts the workers.
    pub async fn serve(
        settings: config::Serve,
        loaded: Loaded,
        listeners: Listeners,
        clock: Clock,
        random: Random,
    ) -> Result<Self, ServiceError> {
        let Loaded { store, snapshots, keys } = loaded;
        let Listeners { public, operators, tls } = listeners;
        let site = Site::load()?.with_logo(settings.branding.site_logo.as_deref()).await?;
        let redis = match settings.redis_url.as_ref().filter(|url| !url.is_empty()) {
            Some(url) => Some(RedisLimits::start(url, clock.clone()).await?),
            None => None,
        };
        let (redis, heartbeat) = redis.unzip();
        let background = store.background();
        let resolver = Resolver::system();
        let spans = otlp::spans(&settings.tracing, &random)?;
        let client = Client::new(settings.endpoints.clone(), resolver.clone())?;
        let client = client.with_spans(spans.clone());
        let sender = client.clone();
        let dispatcher = Dispatcher::new(background, clock.clone(), random.clone(), sender);
        let deliveries = dispatcher.tally();
        let outside =
            Dependencies { settings, store, clock, random, resolver, client, redis, spans };
        let app = assemble(outside, site, snapshots, keys, deliveries);
        let stopping = app.stopping.clone();
        let mut service = Self {
            addr: local(&public),
            ops_addr: operators.as_ref().map(local),
            tls: tls.clone(),
            sides: Vec::new(),
            workers: Workers::new(stopping.clone()),
            app,
        };
        let app = service.app.clone();
        service.work("snapshot", |app| async move { app.snapshots.watch().await });
        service.work("announcements", |app| async move { app.store.background().listen().await });
        service.work("keys", |app| async move { app.keys.watch().await });
        service.work("limits", sweep_limits);
        service.work("writing", |app| async move { watch_writing(&app.store, &app.clock).await });
        service.work("readings", |app| async move { app.readings.watch().await });
        service.work("timeline", |app| async move {
            app.store.background().watch_timeline().await;
        });
        service.work("pruning", prune);
        service.work("imported history", announce_history);
        service.work("endpoint notices", announce_endpoints);
        if let Some(digests) = Digests::new(
            &app.settings,
            service.ops_addr,
            app.store.background(),
            app.clock.clone(),
            app.random.clone(),
        ) {
            service.work("mails", |_| digests.run());
        }
        if let Some(notices) = Notices::new(
            &app.settings,
            app.store.background(),
            app.clock.clone(),
            app.random.clone(),
        ) {
            service.work("mails to partners", |_| notices.run());
        }
        if let Some(announcements) = Announcements::new(&app)? {
            service.work("feeds", |_| announcements.run());
        }
        if let Some(tls) = tls.clone() {
            service.work("certificate", |_| async move { tls.watch().await });
        }
        if let Some(heartbeat) = heartbeat {
            service.workers.start_stoppable("shared limits", heartbeat.run(stopping.clone()));
        }
        service.workers.start_stoppable("dispatcher", dispatcher.run(stopping.clone()));
        let routes = router::router(app.clone());
        let traffic = routes.traffic();
        service.sides.push((ListenAddress::Public, routes.clone()));
        let (clock, settings) = (app.clock.clone(), &app.settings);
        let admission = ConnectionLimit::new(
            settings.connections_per_address,
            settings.trusted_proxies.clone(),
            clock.clone(),
        );
        let until = Until { draining: app.draining.clone(), stopping, grace: GRACE };
        let admission: Option<Arc<dyn Admission>> = Some(Arc::new(admission));
        let (clock_there, until_then) = (clock.clone(), until.clone());
        let serving =
            listener::serve(public, tls.clone(), routes, admission, clock_there, until_then);
        service.workers.start_stoppable("listener", serving);
        if let Some(operators) = operators {
            let routes = ops::router(app, traffic, tls);
            service.sides.push((ListenAddress::Ops, routes.clone()));
            let serving = listener::serve(operators, None, routes, None, clock, until);
            service.workers.start_stoppable("operator listener", serving);
        }
        Ok(service)
    }

    /// Every route of each side: its path pattern, and the gate in front of it.
    pub fn routes(&self) -> impl Iterator<Item = (ListenAddress, &str, Gate)> {
        self.sides
            .iter()
            .flat_map(|(side, boundary)| boundary.routes().map(|(path, gate)| (*side, path, gate)))
    }

    /// Runs `worker`, which never ends, until the service stops. If it ends earlier, the service has
    /// [`failed`](Self::failed).
    pub fn work<F>(&mut self, name: &'static str, worker: impl FnOnce(AppState) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.workers.start(name, worker(self.app.clone()));
    }

    /// Applies the settings that can change at run time: trusted proxies from the settings, and the certificate from
    /// its files.
    pub fn reload(&self, settings: &config::Serve) {
        self.app.settings.trusted_proxies.replace(&settings.trusted_proxies);
        if let Some(tls) = &self.tls {
            tls.reload_soon();
        }
    }

    /// Waits until a worker fails, and logs that. The service is incomplete without this worker: [stop](Self::stop) it.
    /// Safe to cancel.
    pub async fn failed(&mut self) -> Failed {
        self.workers.failed().await
    }

    /// Stops: streams end at once, requests in flight have 10 seconds to finish, then the database is closed. Work that
    /// isn't done after 15 seconds is abandoned. Let the service [drain](edge::draining::Draining::drain) first if
    /// clients should not notice.
    pub async fn stop(mut self) {
        self.app.stopping.cancel();
        let orderly = async {
            self.workers.join().await;
            if let Err(error) = self.app.keys.note_uses().await {
                tracing::warn!(%error, "the last use of keys could not be saved");
            }
            self.app.store.close().await;
            self.app.spans.close().await;
        };
        if tokio::time::timeout(MAX_STOP, orderly).await.is_err() {
            tracing::error!("the service did not stop in time: what was left is abandoned");
        }
    }
}

/// Removes, every minute, clients that haven't sent a request for a while.
async fn sweep_limits(app: AppState) {
    loop {
        app.clock.sleep(SWEEP_EVERY).await;
        // After a flood this takes a while, and would block the thread for all other work.
        let (limits, visitors) = (app.limits.clone(), app.visitors.clone());
        let sweep = move || {
            limits.sweep();
            visitors.sweep();
        };
        app.uploads.sweep();
        if let Err(error) = tokio::task::spawn_blocking(sweep).await {
            tracing::error!(%error, "expired limits could not be removed");
        }
    }
}

/// Announces, every minute, the history of imports that ended without announcing it.
async fn announce_history(app: AppState) {
    let store = app.store.background();
    loop {
        app.clock.sleep(ANNOUNCE_EVERY).await;
        let quiet_since = app.clock.now() - ANNOUNCE_EVERY;
        if let Err(error) = store.event_log().announce_history(quiet_since).await {
            tracing::warn!(%error, "imported history could not be announced");
        }
    }
}

/// Notifies partners, every few seconds, of endpoints that were paused or disabled.
async fn announce_endpoints(app: AppState) {
    let (store, with_mails) = (app.store.background(), app.settings.mail.smtp_url.is_some());
    loop {
        app.clock.sleep(NOTIFY_EVERY).await;
        loop {
            match store.subscriptions().announce_endpoints(with_mails).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "partners could not be notified of their endpoints");
                    break;
                }
            }
        }
    }
}

/// Removes, every ten minutes, data that are too old: deliveries, idempotency keys, replaced secrets, and the private
/// data of submitted reports.
async fn prune(app: AppState) {
    let retention = TimeDelta::days(app.settings.webhook_retention_days.into());
    let kept = TimeDelta::days(app.settings.intake.intake_retention_days.into());
    let (store, clock) = (&app.store, &app.clock);
    loop {
        clock.sleep(PRUNE_EVERY).await;
        let pause = || tokio::time::sleep(PRUNE_PAUSE);
        if let Err(error) = store.event_log().prune(clock.now() - retention, pause).await {
            tracing::warn!(%error, "old deliveries could not be removed");
        }
        remove("secrets", || store.subscriptions().forget_old_secrets(clock.now())).await;
        remove("idempotency keys", || store.idempotent_requests().forget(clock.now())).await;
        let reports = store.reports();
        remove("submissions", || reports.forget_submissions(clock.now(), kept)).await;
        if let Err(error) = reports.forget_senders(clock.now()).await {
            tracing::warn!(%error, "old hashes of networks could not be removed");
        }
    }
}

/// Removes old rows, one batch at a time, until `remove_some` returns that there are no more.
async fn remove<F>(what: &'static str, remove_some: impl Fn() -> F)
where
    F: Future<Output = store::Result<bool>>,
{
    loop {
        match remove_some().await {
            Ok(true) => tokio::time::sleep(PRUNE_PAUSE).await,
            Ok(false) => break,
            Err(error) => {
                tracing::warn!(%error, "old {what} could not be removed");
                break;
            }
        }
    }
}
