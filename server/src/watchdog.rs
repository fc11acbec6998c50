//! Heartbeats for the supervisor's watchdog (`WatchdogSec` of systemd), which restarts a process that sends none in
//! time. The worker that refreshes the snapshots sends one each round, because its stall would leave the service with
//! old data. So a blocked worker or blocked threads are noticed; a separate timer would not notice. Waiting for the
//! database is no stall: a restart does not bring the database back, and would lose the data in memory.

use std::{fmt, pin::pin, sync::Arc, time::Duration};

use sd_notify::NotifyState;

/// Notifies systemd, if it started this process.
pub(crate) fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "systemd could not be notified");
    }
}

/// Sends heartbeats to the watchdog, if there is one. Cheap to clone.
#[derive(Clone, Default)]
pub struct Watchdog(Option<Fed>);

#[derive(Clone)]
struct Fed {
    /// Interval of heartbeats while something else is awaited.
    every: Duration,
    feed: Arc<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Watchdog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watchdog").field(&self.0.as_ref().map(|fed| fed.every)).finish()
    }
}

impl Watchdog {
    /// Watchdog of systemd, if it has one for this process.
    pub fn of_supervisor() -> Self {
        let enabled = sd_notify::watchdog_enabled();
        enabled.map_or_else(Self::default, |timeout| {
            Self::new(timeout / 4, || tell(&[NotifyState::Watchdog]))
        })
    }

    /// Makes a watchdog that calls `feed`.
    fn new(every: Duration, feed: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Some(Fed { every, feed: Arc::new(feed) }))
    }

    /// Sends a heartbeat: the worker is running.
    pub(crate) fn feed(&self) {
        if let Some(Fed { feed, .. }) = &self.0 {
            feed();
        }
    }

    /// Waits for `answer`, which comes from outside the process, and sends heartbeats in the meantime.
    pub(crate) async fn waiting<T>(&self, answer: impl Future<Output = T>) -> T {
        let Some(Fed { every, feed }) = &self.0 else { return answer.await };
        let mut answer = pin!(answer);
        loop {
            tokio::select! {
                answer = &mut answer => return answer,
                () = tokio::time::sleep(*every) => feed(),
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use tokio::sync::oneshot;

    use super::*;

    /// Makes a watchdog that counts its heartbeats.
    pub(crate) fn counting() -> (Watchdog, Arc<AtomicUsize>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = count.clone();
        let watchdog = Watchdog::new(Duration::from_millis(5), move || {
            counted.fetch_add(1, SeqCst);
        });
        (watchdog, count)
    }

    #[tokio::test]
    async fn it_is_fed_while_an_answer_does_not_come() {
        let (watchdog, count) = counting();
        let (answer, waited_for) = oneshot::channel();
        let waiting = tokio::spawn(async move { watchdog.waiting(waited_for).await });
        while count.load(SeqCst) < 3 {
            tokio::task::yield_now().await;
        }
        answer.send("there").unwrap();
        assert_eq!(waiting.await.unwrap(), Ok("there"));
    }
}
