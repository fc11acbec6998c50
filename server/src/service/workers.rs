//! Workers: background tasks that run as long as the service.
//!
//! Nothing waits for a worker, so its end would go unnoticed: the service would keep serving data that no longer
//! changes. A worker that ends while the service is not stopping has therefore failed, whether it panicked or returned,
//! and the service must stop.

use std::{any::Any, collections::HashMap};

use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// The workers of a service.
#[derive(Debug)]
pub(super) struct Workers {
    stopping: CancellationToken,
    running: JoinSet<()>,
    names: HashMap<Id, &'static str>,
}

/// A worker that ended while the service was not stopping.
#[derive(Debug, thiserror::Error)]
#[error("the worker {worker:?} failed: {reason}")]
pub struct Failed {
    pub worker: &'static str,
    /// Message of its panic, or a note that it ended without one.
    pub reason: String,
}

impl Workers {
    pub(super) fn new(stopping: CancellationToken) -> Self {
        Self { stopping, running: JoinSet::new(), names: HashMap::new() }
    }

    /// Runs a worker that never ends; it is dropped when the service stops.
    pub(super) fn start(
        &mut self,
        name: &'static str,
        worker: impl Future<Output = ()> + Send + 'static,
    ) {
        let stopping = self.stopping.clone();
        self.start_stoppable(name, async move {
            tokio::select! {
                () = stopping.cancelled() => {}
                () = worker => {}
            }
        });
    }

    /// Runs a worker that ends on its own when the service stops.
    pub(super) fn start_stoppable(
        &mut self,
        name: &'static str,
        worker: impl Future<Output = ()> + Send + 'static,
    ) {
        self.names.insert(self.running.spawn(worker).id(), name);
    }

    /// Waits until a worker fails, and logs it. Safe to cancel.
    pub(super) async fn failed(&mut self) -> Failed {
        while let Some(ended) = self.running.join_next_with_id().await {
            if let Some(failed) = self.failure(ended) {
                return failed;
            }
        }
        // All have ended because the service stops.
        std::future::pending().await
    }

    /// Waits until all have ended, and logs those that fail until then.
    pub(super) async fn join(&mut self) {
        while let Some(ended) = self.running.join_next_with_id().await {
            self.failure(ended);
        }
    }

    fn failure(&mut self, ended: Result<(Id, ()), JoinError>) -> Option<Failed> {
        let id = ended.as_ref().map_or_else(JoinError::id, |(id, ())| *id);
        let worker = self.names.remove(&id).unwrap_or_default();
        let reason = match ended {
            Ok(_) if self.stopping.is_cancelled() => return None,
            Ok(_) => "it ended".to_owned(),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => format!("it panicked: {}", text(panic.as_ref())),
                Err(error) => error.to_string(),
            },
        };
        tracing::error!(%worker, error = %reason, "a worker failed");
        Some(Failed { worker, reason })
    }
}

/// Returns the message of a panic.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&'static str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_worker_that_panics_or_ends_has_failed_and_is_named() {
        for (worker, told) in [
            (Some("out of ideas"), "the worker \"thinker\" failed: it panicked: out of ideas"),
            (None, "the worker \"thinker\" failed: it ended"),
        ] {
            let mut workers = Workers::new(CancellationToken::new());
            workers.start("idler", std::future::pending());
            workers.start("thinker", async move {
                if let Some(text) = worker {
                    panic!("{text}");
                }
            });
            assert_eq!(workers.failed().await.to_string(), told);
        }
    }

    #[tokio::test]
    async fn who_ends_because_the_service_stops_has_not_failed() {
        let stopping = CancellationToken::new();
        let mut workers = Workers::new(stopping.clone());
        workers.start("idler", std::future::pending());
        workers.start_stoppable("listener", stopping.clone().cancelled_owned());
        stopping.cancel();
        while !workers.running.is_empty() {
            assert!(workers.failed().now_or_never().is_none());
            tokio::task::yield_now().await;
        }
    }
}
