//! The receiver: counts requests, and records the arrival of some reports.

use std::{
    collections::HashMap,
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpListener, task::JoinHandle, time};

/// Seed of the reports whose arrival is recorded.
pub(super) const TIMED_SEED: u64 = 3;
/// Start of their ids in a body.
const TIMED: &str = "\"id\":\"demo-3-";

pub(super) struct Receiver {
    /// Requests to any path of this address are counted.
    pub(super) addr: SocketAddr,
    received: Arc<Received>,
    listening: JoinHandle<()>,
}

#[derive(Default)]
struct Received {
    count: AtomicU64,
    /// First arrival of each report.
    timed: Mutex<HashMap<String, Instant>>,
}

impl Receiver {
    pub(super) async fn listen() -> Result<Self> {
        Self::responding_after(Duration::ZERO).await
    }

    /// A receiver that responds to each request after a delay.
    pub(super) async fn responding_after(delay: Duration) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let addr = listener.local_addr()?;
        let received = Arc::<Received>::default();
        let receiving = Arc::clone(&received);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                let received = Arc::clone(&receiving);
                let receive =
                    service_fn(move |request| receive(Arc::clone(&received), request, delay));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), receive));
            }
        });
        Ok(Self { addr, received, listening })
    }

    /// URLs of `count` endpoints.
    pub(super) fn urls(&self, count: u64) -> Vec<String> {
        (0..count).map(|number| format!("http://{}/{number}", self.addr)).collect()
    }

    /// Time at which `count` requests have arrived.
    pub(super) async fn until(&self, count: u64, timeout: Duration) -> Result<Instant> {
        let mut looks = time::interval(Duration::from_millis(5));
        let waiting = async {
            while self.count() < count {
                looks.tick().await;
            }
        };
        time::timeout(timeout, waiting).await?;
        Ok(Instant::now())
    }

    pub(super) fn count(&self) -> u64 {
        self.received.count.load(Relaxed)
    }

    /// Arrivals of the recorded reports.
    pub(super) fn timed(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.received.timed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn receive(
    received: Arc<Received>,
    request: Request<Incoming>,
    delay: Duration,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    if let Ok(body) = request.into_body().collect().await {
        let now = Instant::now();
        received.count.fetch_add(1, Relaxed);
        if let Some(id) = timed_report(&body.to_bytes()) {
            let mut timed = received.timed.lock().unwrap_or_else(PoisonError::into_inner);
            timed.entry(id).or_insert(now);
        }
    }
    if !delay.is_zero() {
        time::sleep(delay).await;
    }
    Ok(Response::new(Empty::new()))
}

/// Id of a report whose arrival is recorded. Found without parsing, because the receiver shares the
/// machine with the service.
fn timed_report(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let at = text.find(TIMED)? + "\"id\":\"".len();
    let id = text.get(at..)?.split('"').next()?;
    Some(id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_timed_reports_are_noted() {
        let body =
            br#"{"event":"report.created","data":{"id":"demo-3-2000-17","city":"Yasenevo"}}"#;
        assert_eq!(timed_report(body).as_deref(), Some("demo-3-2000-17"));
        assert_eq!(timed_report(br#"{"data":{"id":"demo-1-20000-17"}}"#), None);
        assert_eq!(timed_report(br#"{"data":{"total":17}}"#), None);
        assert!(TIMED.contains(&format!("demo-{TIMED_SEED}-")));
    }
}
