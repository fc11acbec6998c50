//! The service as a whole: puts the parts together, runs the workers, listens, and stops.

use std::{future::Future, io, net::SocketAddr, time::Duration};

use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    answers::Answers,
    clock::Clock,
    config, listener, ops,
    pages::Pages,
    random::Random,
    router,
    site::{self, Site},
    snapshot::Snapshots,
    state::{App, Gauges, Parts},
    store::{self, Store},
};

/// How long requests in flight have after the service is told to stop.
const GRACE: Duration = Duration::from_secs(10);
const DEFAULT_OPS_ADDR: ([u8; 4], u16) = ([127, 0, 0, 1], 3001);

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{flag} {addr} cannot be listened on: {source}")]
    Listen { flag: &'static str, addr: SocketAddr, source: io::Error },
    #[error(transparent)]
    Site(#[from] site::Incomplete),
    #[error(transparent)]
    Store(#[from] store::Error),
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
        let app = App::new(Parts {
            answers: Answers::new(store.clone(), clock.clone(), snapshots.clone()),
            pages: Pages::new(&settings),
            stopping: CancellationToken::new(),
            gauges: Gauges::default(),
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
        self.app.store.close().await;
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
