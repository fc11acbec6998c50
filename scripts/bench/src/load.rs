//! Connections that send a mix of requests, each as soon as the previous response arrives.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use anyhow::Result;
use rand::{SeedableRng, rngs::StdRng};
use tokio::{task::JoinSet, time};

use crate::{
    client::{Answer, Connection},
    statistics::milliseconds,
};

/// A source of requests.
pub(crate) trait Requests: Send + Sync + 'static {
    /// Maximum number of requests on a connection.
    const PER_CONNECTION: u64 = u64::MAX;

    /// Opens a new connection to the service.
    fn connect(&self, rng: &mut StdRng) -> impl Future<Output = Result<Connection>> + Send;

    /// Sends one of the requests.
    fn send(
        &self,
        rng: &mut StdRng,
        connection: &mut Connection,
    ) -> impl Future<Output = Result<Answer>> + Send;
}

/// Running senders. They stop when this is dropped.
pub(crate) struct Load {
    pub(crate) tally: Arc<Tally>,
    _senders: JoinSet<()>,
}

impl Load {
    /// Sends requests until `requests` responses have arrived.
    pub(crate) fn start(source: impl Requests, connections: u64, requests: u64) -> Self {
        let (source, tally) = (Arc::new(source), Arc::<Tally>::default());
        let mut senders = JoinSet::new();
        for seed in 0..connections {
            let (source, tally) = (Arc::clone(&source), Arc::clone(&tally));
            senders.spawn(async move {
                let mut rng = StdRng::seed_from_u64(seed);
                while tally.answers() < requests {
                    if send(&*source, &tally, &mut rng, requests).await.is_err() {
                        tally.broken.fetch_add(1, Relaxed);
                        time::sleep(Duration::from_millis(100)).await;
                    }
                }
            });
        }
        Self { tally, _senders: senders }
    }
}

/// Sends on one connection until there are enough responses, or the connection breaks.
async fn send<R: Requests>(
    source: &R,
    tally: &Tally,
    rng: &mut StdRng,
    requests: u64,
) -> Result<()> {
    let mut connection = source.connect(rng).await?;
    let mut sent = 0;
    while tally.answers() < requests && sent < R::PER_CONNECTION {
        tally.add(&source.send(rng, &mut connection).await?);
        sent += 1;
    }
    Ok(())
}

/// Numbers of responses and errors.
#[derive(Default)]
pub(crate) struct Tally {
    answers: AtomicU64,
    server_errors: AtomicU64,
    broken: AtomicU64,
    latencies: Mutex<Vec<f64>>,
}

impl Tally {
    fn add(&self, answer: &Answer) {
        self.answers.fetch_add(1, Relaxed);
        self.server_errors.fetch_add(u64::from(answer.status >= 500), Relaxed);
        let mut latencies = self.latencies.lock().unwrap_or_else(PoisonError::into_inner);
        latencies.push(milliseconds(answer.took));
    }

    pub(crate) fn answers(&self) -> u64 {
        self.answers.load(Relaxed)
    }

    /// Number of responses with a status of 500 or more.
    pub(crate) fn server_errors(&self) -> u64 {
        self.server_errors.load(Relaxed)
    }

    /// Number of broken connections.
    pub(crate) fn broken(&self) -> u64 {
        self.broken.load(Relaxed)
    }

    /// Latencies in milliseconds since the last call.
    pub(crate) fn take_latencies(&self) -> Vec<f64> {
        std::mem::take(&mut self.latencies.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
