//! The service as a whole: puts the parts together, runs the workers, listens, and stops.

use std::{future::Future, io, net::SocketAddr, time::Duration};

use chrono::TimeDelta;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    answers::{Answers, snapshot::Snapshots},
    api::v1::openapi::Description,
    clock::Clock,
    config,
    http::listener,
    keys::Keys,
    limit::{Limits, OpenStreams, UnlistedProxies},
    ops,
    random::Random,
    router,
    site::{
        assets::{self, Site},
        pages::Pages,
        pictures::Pictures,
    },
    state::{App, Gauges, Parts},
    store::{self, Store},
    webhooks::{
        client::{self, Client},
        dispatcher::Dispatcher,
        resolver::Resolver,
    },
};

/// How long requests in flight have after the service is told to stop.
const GRACE: Duration = Duration::from_secs(10);
const SWEEP_EVERY: Duration = Duration::from_secs(60);
const PRUNE_EVERY: Duration = Duration::from_secs(600);
/// Lets other writers in between two batches.
const PRUNE_PAUSE: Duration = Duration::from_millis(20);
const DEFAULT_OPS_ADDR: ([u8; 4], u16) = ([127, 0, 0, 1], 3001);

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{flag} {addr} cannot be listened on: {source}")]
    Listen { flag: &'static str, addr: SocketAddr, source: io::Error },
    #[error(transparent)]
    Site(#[from] assets::Incomplete),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Client(#[from] client::BuildError),
}

/// A service that listens.
#[derive(Debug)]
pub struct Service {
    pub app: App,
    /// Where the public side listens.
    pub addr: SocketAddr,
    /// Where the operator's side listens, if it does.
    pub ops_addr: Option<SocketAddr>,
    workers: JoinSet<()>,
}

impl Service {
    /// Takes the first snapshot, listens, and starts the workers.
    pub async fn start(
        settings: config::Serve,
        store: Store,
        clock: Clock,
        random: Random,
    ) -> Result<Self, Error> {
        let site = Site::load()?;
        let public = listen("--addr", settings.addr)?;
        let operators = ops_listener(settings.ops_addr)?;
        let snapshots = Snapshots::start(store.clone(), clock.clone()).await?;
        let keys = Keys::start(store.clone(), clock.clone()).await?;
        let resolver = Resolver::system();
        let client = Client::new(settings.endpoints, resolver.clone())?;
        let dispatcher = Dispatcher::new(store.clone(), clock.clone(), random.clone(), client);
        let deliveries = dispatcher.tally();
        let app = App::new(Parts {
            answers: Answers::new(store.clone(), clock.clone(), snapshots.clone()),
            openapi: Description::new(settings.public_url.as_ref()),
            pages: Pages::new(&settings),
            pictures: Pictures::default(),
            stopping: CancellationToken::new(),
            gauges: Gauges::default(),
            keys,
            limits: Limits::new(clock.clone()),
            unlisted_proxies: UnlistedProxies::new(clock.clone()),
            streams: OpenStreams::new(settings.streams_per_address),
            resolver,
            deliveries,
            settings,
            store,
            clock,
            random,
            snapshots,
            site,
        });
        let mut service = Self {
            addr: local(&public),
            ops_addr: operators.as_ref().map(local),
            workers: JoinSet::new(),
            app,
        };
        let stopping = service.app.stopping.clone();
        let watched = service.app.snapshots.clone();
        service.work(async move { watched.watch().await });
        let keys = service.app.keys.clone();
        service.work(async move { keys.watch().await });
        service.work(sweep_limits(service.app.clone()));
        service.work(prune(service.app.clone()));
        service.workers.spawn(dispatcher.run(stopping.clone()));
        let routes = router::router(service.app.clone());
        service.workers.spawn(listener::serve(public, routes, stopping.clone(), GRACE));
        if let Some(operators) = operators {
            let routes = ops::router(service.app.clone());
            service.workers.spawn(listener::serve(operators, routes, stopping, GRACE));
        }
        Ok(service)
    }

    /// Runs `worker` until the service stops.
    pub fn work(&mut self, worker: impl Future<Output = ()> + Send + 'static) {
        let stopping = self.app.stopping.clone();
        self.workers.spawn(async move {
            tokio::select! {
                () = stopping.cancelled() => {}
                () = worker => {}
            }
        });
    }

    /// Stops: streams end at once, requests in flight are finished within 10 seconds, the database
    /// is closed.
    pub async fn stop(mut self) {
        self.app.stopping.cancel();
        while self.workers.join_next().await.is_some() {}
        if let Err(error) = self.app.keys.note_uses().await {
            tracing::warn!(%error, "the last use of keys could not be written down");
        }
        self.app.store.close().await;
    }
}

/// Forgets now and then who has not asked for a while.
async fn sweep_limits(app: App) {
    loop {
        app.clock.sleep(SWEEP_EVERY).await;
        // After a flood this takes a while, during which nothing else would run on the thread.
        let limits = app.limits.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || limits.sweep()).await {
            tracing::error!(%error, "limits could not be swept");
        }
    }
}

/// Forgets now and then which deliveries are over.
async fn prune(app: App) {
    let retention = TimeDelta::days(app.settings.webhook_retention_days.into());
    loop {
        app.clock.sleep(PRUNE_EVERY).await;
        loop {
            match app.store.prune(app.clock.now() - retention).await {
                Ok(true) => tokio::time::sleep(PRUNE_PAUSE).await,
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, "old deliveries could not be removed");
                    break;
                }
            }
        }
    }
}

/// The operator's address as asked for; its default only where it is free, so that a second
/// service on the machine starts as well.
fn ops_listener(asked: Option<SocketAddr>) -> Result<Option<TcpListener>, Error> {
    match asked {
        Some(addr) => listen("--ops-addr", addr).map(Some),
        None => match listen("--ops-addr", SocketAddr::from(DEFAULT_OPS_ADDR)) {
            Ok(listener) => Ok(Some(listener)),
            Err(error) => {
                tracing::warn!(%error, "no operator's side; choose another with --ops-addr");
                Ok(None)
            }
        },
    }
}

fn listen(flag: &'static str, addr: SocketAddr) -> Result<TcpListener, Error> {
    listener::bind(addr).map_err(|source| Error::Listen { flag, addr, source })
}

fn local(listener: &TcpListener) -> SocketAddr {
    listener.local_addr().unwrap_or(SocketAddr::from(([0, 0, 0, 0], 0)))
}

/// The operator's wish that the process stop: SIGINT or SIGTERM. Heard from [`StopSignal::listen`]
/// on, so that one which comes during the start is not missed.
#[derive(Debug)]
pub struct StopSignal {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignal {
    /// Begins to listen.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Resolves when a signal came.
    pub async fn received(mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
