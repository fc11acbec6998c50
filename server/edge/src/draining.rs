//! Draining: the service still responds, but its clients should move to other nodes before it stops.
//!
//! Draining has two phases. First the node reports that it is not ready, and load balancers get some time to detect
//! that. Then each open stream ends at a different moment, so that thousands of browsers don't reconnect at the same
//! instant. During both phases, requests are handled as usual. A new stream gets its first frame and then ends,
//! because `EventSource` would give up for good after a status other than 200.
//!
//! A stop without draining ends all streams at once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use base::{clock::Clock, random::Random};
use tokio_util::{
    sync::CancellationToken,
    task::{TaskTracker, task_tracker::TaskTrackerToken},
};

/// State of draining, and the open streams. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Draining(Arc<DrainingInner>);

#[derive(Debug)]
struct DrainingInner {
    clock: Clock,
    delay: Duration,
    spread: Duration,
    moments: Moments,
    begun: CancellationToken,
    /// From here on, each stream chooses the moment of its end.
    ending: CancellationToken,
    stopping: CancellationToken,
    streams: TaskTracker,
}

impl Draining {
    /// Streams end within `spread` after `delay`, or at once when `stopping` is cancelled.
    pub fn new(
        clock: Clock,
        random: &Random,
        (delay, spread): (Duration, Duration),
        stopping: CancellationToken,
    ) -> Self {
        Self(Arc::new(DrainingInner {
            clock,
            delay,
            spread,
            moments: Moments::new(random),
            // A service that stops is not ready either, and accepts no new streams.
            begun: stopping.child_token(),
            ending: stopping.child_token(),
            stopping,
            streams: TaskTracker::new(),
        }))
    }

    /// Whether draining has begun, or the service stops without it.
    pub fn has_begun(&self) -> bool {
        self.0.begun.is_cancelled()
    }

    /// Waits until draining begins.
    pub async fn begun(&self) {
        self.0.begun.cancelled().await;
    }

    /// Drains. Returns when no stream is open, at the latest after the delay and the spread. Safe to cancel: the
    /// remaining streams continue until their moments, or until the service stops.
    pub async fn drain(&self) {
        let DrainingInner { clock, delay, spread, begun, ending, streams, .. } = &*self.0;
        begun.cancel();
        tracing::info!(?delay, "draining: no longer ready, requests still get responses");
        if !delay.is_zero() {
            clock.sleep(*delay).await;
        }
        tracing::info!(streams = streams.len(), over = ?spread, "draining: ending the open streams");
        ending.cancel();
        streams.close();
        tokio::select! {
            () = streams.wait() => {}
            // A client that does not read may delay the end of its stream; the stop ends it.
            () = clock.sleep(*spread) => {}
        }
    }

    /// Opens a stream; `None` if it should not stay open.
    pub fn enter(&self) -> Option<Stay> {
        let stay = Stay { draining: self.clone(), until: None, _open: self.0.streams.token() };
        (!self.has_begun()).then_some(stay)
    }
}

/// Open stream, counted until this is dropped.
#[derive(Debug)]
pub struct Stay {
    draining: Draining,
    /// Time of its end, by [`Clock::elapsed`]; `None` until streams are ending.
    until: Option<Duration>,
    _open: TaskTrackerToken,
}

impl Stay {
    /// Waits until the stream has to end. Safe to cancel.
    pub async fn over(&mut self) {
        let draining = &*self.draining.0;
        let until = match self.until {
            Some(until) => until,
            None => {
                draining.ending.cancelled().await;
                let moment = draining.moments.next(draining.spread);
                *self.until.insert(draining.clock.elapsed() + moment)
            }
        };
        // Boxed, because the future is large, and each open stream would keep memory for it.
        Box::pin(draining.elapsed_or_stopping(until)).await;
    }
}

impl DrainingInner {
    /// Waits until a time by [`Clock::elapsed`], or until the service stops.
    async fn elapsed_or_stopping(&self, until: Duration) {
        tokio::select! {
            () = self.stopping.cancelled() => {}
            () = self.clock.sleep(until.saturating_sub(self.clock.elapsed())) => {}
        }
    }
}

/// Evenly spread moments, for any number of them: each follows the previous one by the golden ratio of the whole (a
/// Weyl sequence). A few random moments would cluster.
#[derive(Debug)]
struct Moments(AtomicU32);

/// Golden ratio: 2³² divided by it.
const STEP: u32 = 0x9E37_79B9;

impl Moments {
    /// Starts at a random moment, so that nodes that drain at the same time are not in step.
    fn new(random: &Random) -> Self {
        let [a, b, c, d] = random.bytes();
        Self(AtomicU32::new(u32::from_be_bytes([a, b, c, d])))
    }

    /// Next moment within `spread`.
    fn next(&self, spread: Duration) -> Duration {
        let drawn = self.0.fetch_add(STEP, Ordering::Relaxed);
        spread.mul_f64(f64::from(drawn) / 2_f64.powi(32))
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use futures_util::FutureExt;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn draining(delay: Duration, spread: Duration) -> (Draining, Clock, CancellationToken) {
        let (clock, stopping) = (Clock::stepped(DateTime::UNIX_EPOCH), CancellationToken::new());
        let random = Random::seeded(1);
        let draining = Draining::new(clock.clone(), &random, (delay, spread), stopping.clone());
        (draining, clock, stopping)
    }

    async fn soon<T>(future: impl Future<Output = T>) -> T {
        tokio::time::timeout(Duration::from_secs(60), future).await.unwrap()
    }

    /// End of each of `count` streams, in seconds after the call of `drain`.
    async fn ends(draining: &Draining, clock: &Clock, count: usize) -> Vec<u64> {
        let mut open: Vec<Stay> = (0..count).map(|_| draining.enter().unwrap()).collect();
        let task = tokio::spawn({
            let draining = draining.clone();
            async move { draining.drain().await }
        });
        let mut ends = Vec::new();
        for second in 0..60 {
            // Lets streams that are due end before time advances.
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            open.retain_mut(|stay| {
                let is_over = stay.over().now_or_never().is_some();
                ends.extend(is_over.then_some(second));
                !is_over
            });
            if open.is_empty() {
                break;
            }
            clock.advance(SECOND);
        }
        soon(task).await.unwrap();
        ends
    }

    #[tokio::test]
    async fn streams_end_evenly_over_the_spread_and_not_before_the_delay() {
        let (draining, clock, _) = draining(3 * SECOND, 10 * SECOND);
        let ends = ends(&draining, &clock, 1_000).await;
        for second in 4..=13 {
            let ended = ends.iter().filter(|end| **end == second).count();
            assert!((99..=101).contains(&ended), "{ended} ended in second {second}");
        }
        assert_eq!((ends.len(), clock.elapsed()), (1_000, 13 * SECOND));
    }

    #[tokio::test]
    async fn a_few_streams_are_apart_too_and_the_last_of_them_ends_the_draining() {
        let (draining, clock, _) = draining(Duration::ZERO, 10 * SECOND);
        let mut ends = ends(&draining, &clock, 3).await;
        ends.dedup();
        assert_eq!(ends.len(), 3, "{ends:?}");
        assert!(clock.elapsed() <= 10 * SECOND);
    }

    #[tokio::test]
    async fn without_streams_there_is_nothing_to_wait_for() {
        let (draining, clock, _) = draining(Duration::ZERO, 10 * SECOND);
        assert!(!draining.has_begun());
        soon(draining.drain()).await;
        assert_eq!((draining.has_begun(), clock.elapsed()), (true, Duration::ZERO));
    }

    #[tokio::test]
    async fn a_stream_that_is_not_given_up_holds_the_draining_up_for_the_spread_at_most() {
        let (draining, clock, _) = draining(Duration::ZERO, 10 * SECOND);
        let _stuck = draining.enter().unwrap();
        let mut drained = Box::pin(draining.drain());
        assert!(drained.as_mut().now_or_never().is_none());
        clock.advance(9 * SECOND);
        assert!(drained.as_mut().now_or_never().is_none());
        clock.advance(SECOND);
        soon(drained).await;
    }

    #[tokio::test]
    async fn no_stream_is_opened_while_draining() {
        let (draining, ..) = draining(10 * SECOND, SECOND);
        let before = draining.enter();
        assert!(draining.drain().now_or_never().is_none());
        assert_eq!((before.is_some(), draining.enter().is_none()), (true, true));
        assert!(
            before.unwrap().over().now_or_never().is_none(),
            "what is open stays for the delay"
        );
    }

    #[tokio::test]
    async fn a_stop_ends_streams_at_once_whether_they_have_a_moment_or_not() {
        for is_draining in [true, false] {
            let (draining, _, stopping) = draining(Duration::ZERO, 10 * SECOND);
            let mut stay = draining.enter().unwrap();
            if is_draining {
                assert!(draining.drain().now_or_never().is_none());
                assert!(stay.over().now_or_never().is_none());
            }
            stopping.cancel();
            soon(stay.over()).await;
            assert!(draining.has_begun() && draining.enter().is_none());
        }
    }
}
