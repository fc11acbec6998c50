//! Time, passed in. The service asks a [`Clock`] for the time and waits on it, so that a test can
//! hold time still and step it instead of sleeping.

use std::{
    mem,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tokio::sync::watch;

/// A source of time: the machine's, or one that a test steps.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Stepped { start: DateTime<Utc>, now: Arc<watch::Sender<DateTime<Utc>>>, tick: Duration },
}

impl Clock {
    /// The machine's own clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still at `start` until [`Clock::advance`] moves it.
    pub fn stepped(start: DateTime<Utc>) -> Self {
        Self::ticking(start, Duration::ZERO)
    }

    /// A stepped clock on which everything that is timed takes `tick`: each [`Clock::elapsed`] moves it.
    pub fn ticking(start: DateTime<Utc>, tick: Duration) -> Self {
        Self(Source::Stepped { start, now: Arc::new(watch::Sender::new(start)), tick })
    }

    /// Whether a test steps it.
    pub(crate) fn is_stepped(&self) -> bool {
        matches!(self.0, Source::Stepped { .. })
    }

    /// The present instant, UTC.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the real time")]
            Source::System => Utc::now(),
            Source::Stepped { now, .. } => *now.borrow(),
        }
    }

    /// Time that has passed since some fixed instant. Unlike [`Clock::now`] it never steps back, so
    /// it is what durations are measured with.
    pub fn elapsed(&self) -> Duration {
        match &self.0 {
            Source::System => {
                static START: LazyLock<Instant> = LazyLock::new(Instant::now);
                START.elapsed()
            }
            Source::Stepped { start, now, tick } => {
                let elapsed = (*now.borrow() - *start).to_std().unwrap_or_default();
                self.advance(*tick);
                elapsed
            }
        }
    }

    /// The present UTC date.
    pub fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    /// Waits until `duration` has passed on this clock.
    pub async fn sleep(&self, duration: Duration) {
        match &self.0 {
            Source::System => tokio::time::sleep(duration).await,
            Source::Stepped { .. } => self.sleep_until(self.now() + duration).await,
        }
    }

    /// Waits until this clock reads `instant` or later.
    pub async fn sleep_until(&self, instant: DateTime<Utc>) {
        match &self.0 {
            Source::System => {
                let wait = (instant - self.now()).to_std().unwrap_or_default();
                tokio::time::sleep(wait).await;
            }
            Source::Stepped { now, .. } => {
                // The sender lives in `self`, so the wait cannot fail.
                let _ = now.subscribe().wait_for(|now| *now >= instant).await;
            }
        }
    }

    /// How many wait on a stepped clock: by that a test knows when everybody is done and sleeps.
    pub fn waiting(&self) -> usize {
        match &self.0 {
            Source::System => 0,
            Source::Stepped { now, .. } => now.receiver_count(),
        }
    }

    /// Moves a stepped clock forward and wakes who waited for it. Does nothing to the machine's.
    pub fn advance(&self, duration: Duration) {
        if let Source::Stepped { now, .. } = &self.0 {
            if duration.is_zero() {
                return;
            }
            let step = TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX);
            now.send_modify(|now| *now += step);
        }
    }
}

/// Holds back what would be said too often, such as a warning that anybody can cause.
#[derive(Debug)]
pub struct Seldom {
    clock: Clock,
    pause: Duration,
    silence: Mutex<Silence>,
}

#[derive(Debug, Default)]
struct Silence {
    /// On the clock.
    until: Duration,
    held_back: u64,
}

impl Seldom {
    /// Something may be said again after `pause`.
    pub fn new(clock: Clock, pause: Duration) -> Self {
        Self { clock, pause, silence: Mutex::default() }
    }

    /// Whether it may be said now; and if so, how often it was not since the last time.
    pub fn may_speak(&self) -> Option<u64> {
        let now = self.clock.elapsed();
        // It is never left half changed.
        let mut silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner);
        if now < silence.until {
            silence.held_back += 1;
            return None;
        }
        silence.until = now + self.pause;
        Some(mem::take(&mut silence.held_back))
    }
}

/// Ticks in a steady rhythm from its start on.
#[derive(Debug)]
pub struct Ticker(Rhythm);

#[derive(Debug)]
enum Rhythm {
    System(tokio::time::Interval),
    Stepped { clock: Clock, next: DateTime<Utc>, period: Duration },
}

impl Clock {
    /// A ticker whose first tick is one `period` from now.
    pub fn ticker(&self, period: Duration) -> Ticker {
        Ticker(match &self.0 {
            Source::System => {
                let mut interval =
                    tokio::time::interval_at(tokio::time::Instant::now() + period, period);
                // Who was held up goes on in its own rhythm and does not catch up in a burst.
                interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
                Rhythm::System(interval)
            }
            Source::Stepped { .. } => {
                Rhythm::Stepped { clock: self.clone(), next: self.now() + period, period }
            }
        })
    }
}

impl Ticker {
    /// Waits for the next tick; returns how late it is.
    pub async fn tick(&mut self) -> Duration {
        match &mut self.0 {
            Rhythm::System(interval) => interval.tick().await.elapsed(),
            Rhythm::Stepped { clock, next, period } => {
                clock.sleep_until(*next).await;
                let late = clock.now() - *next;
                *next += *period;
                late.to_std().unwrap_or_default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_seldom_counts_what_it_held_back() {
        let clock = Clock::stepped(DateTime::<Utc>::UNIX_EPOCH);
        let seldom = Seldom::new(clock.clone(), Duration::from_secs(60));
        assert_eq!(seldom.may_speak(), Some(0));
        assert_eq!((seldom.may_speak(), seldom.may_speak()), (None, None));
        clock.advance(Duration::from_millis(59_999));
        assert_eq!(seldom.may_speak(), None);
        clock.advance(Duration::from_millis(1));
        assert_eq!(seldom.may_speak(), Some(3));
        clock.advance(Duration::from_secs(600));
        assert_eq!(seldom.may_speak(), Some(0));
    }
}
