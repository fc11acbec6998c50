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
    Stepped { start: DateTime<Utc>, state: Arc<watch::Sender<State>>, tick: Duration },
}

/// How far a stepped clock has come.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    elapsed: Duration,
    /// By how much its hands were moved.
    set: TimeDelta,
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
        Self(Source::Stepped { start, state: Arc::default(), tick })
    }

    /// Whether a test steps it.
    pub fn is_stepped(&self) -> bool {
        matches!(self.0, Source::Stepped { .. })
    }

    /// The present instant, UTC.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the real time")]
            Source::System => Utc::now(),
            Source::Stepped { start, state, .. } => {
                let State { elapsed, set } = *state.borrow();
                *start + elapsed + set
            }
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
            Source::Stepped { state, tick, .. } => {
                let elapsed = state.borrow().elapsed;
                self.advance(*tick);
                elapsed
            }
        }
    }

    /// The present UTC date.
    pub fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    /// Waits until `duration` has passed, however the clock is set meanwhile.
    pub async fn sleep(&self, duration: Duration) {
        match &self.0 {
            Source::System => tokio::time::sleep(duration).await,
            Source::Stepped { state, .. } => {
                let until = state.borrow().elapsed + duration;
                // The sender lives in `self`, so the wait cannot fail.
                let _ = state.subscribe().wait_for(|state| state.elapsed >= until).await;
            }
        }
    }

    /// How many wait on a stepped clock: by that a test knows when everybody is done and sleeps.
    pub fn waiting(&self) -> usize {
        match &self.0 {
            Source::System => 0,
            Source::Stepped { state, .. } => state.receiver_count(),
        }
    }

    /// Moves a stepped clock forward and wakes who waited for it. Does nothing to the machine's.
    pub fn advance(&self, duration: Duration) {
        if let Source::Stepped { state, .. } = &self.0 {
            if duration.is_zero() {
                return;
            }
            state.send_modify(|state| state.elapsed += duration);
        }
    }

    /// Sets a stepped clock ahead or back, as an operator or a time server does: [`Clock::now`] jumps, and
    /// whoever sleeps or measures a duration does not notice. Does nothing to the machine's.
    pub fn set(&self, by: TimeDelta) {
        if let Source::Stepped { state, .. } = &self.0 {
            state.send_modify(|state| state.set += by);
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
    Stepped { clock: Clock, next: Duration, period: Duration },
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
            Source::Stepped { state, .. } => {
                let next = state.borrow().elapsed + period;
                Rhythm::Stepped { clock: self.clone(), next, period }
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
                clock.sleep(next.saturating_sub(clock.elapsed())).await;
                let late = clock.elapsed().saturating_sub(*next);
                *next += *period;
                late
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn setting_a_clock_changes_what_it_says_and_not_how_long_anything_takes() {
        let clock = Clock::stepped(DateTime::<Utc>::UNIX_EPOCH);
        let sleeper = clock.clone();
        let asleep = tokio::spawn(async move { sleeper.sleep(Duration::from_secs(10)).await });
        while clock.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        clock.set(TimeDelta::days(1));
        clock.advance(Duration::from_secs(9));
        tokio::task::yield_now().await;
        assert!(!asleep.is_finished());
        assert_eq!(clock.elapsed(), Duration::from_secs(9));
        clock.set(TimeDelta::hours(-25));
        let an_hour_before = DateTime::<Utc>::UNIX_EPOCH - TimeDelta::hours(1);
        assert_eq!(clock.now(), an_hour_before + TimeDelta::seconds(9));
        clock.advance(Duration::from_secs(1));
        asleep.await.unwrap();
    }

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
