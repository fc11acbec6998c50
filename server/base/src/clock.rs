//! Time as a dependency. The service reads the time and waits only through a [`Clock`], so that
//! tests can stop time and step it instead of sleeping.

use std::{
    mem,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tokio::sync::watch;

/// A source of time: the system clock, or a clock stepped by a test.
#[derive(Clone, Debug)]
pub struct Clock(TimeSource);

#[derive(Clone, Debug)]
enum TimeSource {
    System,
    Stepped { start: DateTime<Utc>, state: Arc<watch::Sender<StepState>>, tick: Duration },
}

/// State of a stepped clock.
#[derive(Clone, Copy, Debug, Default)]
struct StepState {
    elapsed: Duration,
    /// Offset of [`Clock::now`], from calls of [`Clock::set`].
    set: TimeDelta,
}

impl Clock {
    /// The system clock.
    pub fn system() -> Self {
        Self(TimeSource::System)
    }

    /// A clock that stands still at `start` until [`Clock::advance`] moves it.
    pub fn stepped(start: DateTime<Utc>) -> Self {
        Self::ticking(start, Duration::ZERO)
    }

    /// A stepped clock on which each call of [`Clock::elapsed`] takes `tick`, so that measured
    /// durations are not zero.
    pub fn ticking(start: DateTime<Utc>, tick: Duration) -> Self {
        Self(TimeSource::Stepped { start, state: Arc::default(), tick })
    }

    /// Whether the clock is stepped by a test.
    pub fn is_stepped(&self) -> bool {
        matches!(self.0, TimeSource::Stepped { .. })
    }

    /// Current instant in UTC.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the real time")]
            TimeSource::System => Utc::now(),
            TimeSource::Stepped { start, state, .. } => {
                let StepState { elapsed, set } = *state.borrow();
                *start + elapsed + set
            }
        }
    }

    /// Time since some fixed instant, for measuring durations. Unlike [`Clock::now`], it never goes
    /// backwards.
    pub fn elapsed(&self) -> Duration {
        match &self.0 {
            TimeSource::System => {
                static START: LazyLock<Instant> = LazyLock::new(Instant::now);
                START.elapsed()
            }
            TimeSource::Stepped { state, tick, .. } => {
                let elapsed = state.borrow().elapsed;
                self.advance(*tick);
                elapsed
            }
        }
    }

    /// Current date in UTC.
    pub fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    /// Waits until `duration` has passed, regardless of changes by [`Clock::set`].
    pub async fn sleep(&self, duration: Duration) {
        match &self.0 {
            TimeSource::System => tokio::time::sleep(duration).await,
            TimeSource::Stepped { state, .. } => {
                let until = state.borrow().elapsed + duration;
                // The sender lives in `self`, so the wait cannot fail.
                let _ = state.subscribe().wait_for(|state| state.elapsed >= until).await;
            }
        }
    }

    /// Number of tasks waiting on a stepped clock. Tests use it to detect that all tasks are idle.
    pub fn waiting(&self) -> usize {
        match &self.0 {
            TimeSource::System => 0,
            TimeSource::Stepped { state, .. } => state.receiver_count(),
        }
    }

    /// Moves a stepped clock forward and wakes the tasks waiting for that time. No effect on the
    /// system clock.
    pub fn advance(&self, duration: Duration) {
        if let TimeSource::Stepped { state, .. } = &self.0 {
            if duration.is_zero() {
                return;
            }
            state.send_modify(|state| state.elapsed += duration);
        }
    }

    /// Sets a stepped clock forward or back, as an operator or a time server does. [`Clock::now`]
    /// jumps; waits and measured durations are not affected. No effect on the system clock.
    pub fn set(&self, by: TimeDelta) {
        if let TimeSource::Stepped { state, .. } = &self.0 {
            state.send_modify(|state| state.set += by);
        }
    }
}

/// Limits how often something is logged, such as a warning that any client can cause.
#[derive(Debug)]
pub struct Seldom {
    clock: Clock,
    pause: Duration,
    silence: Mutex<Silence>,
}

#[derive(Debug, Default)]
struct Silence {
    /// Time on the clock.
    until: Duration,
    held_back: u64,
}

impl Seldom {
    /// Allows one message per `pause`.
    pub fn new(clock: Clock, pause: Duration) -> Self {
        Self { clock, pause, silence: Mutex::default() }
    }

    /// Returns `Some` if a message may be logged now, with the number of messages suppressed since
    /// the last one.
    pub fn may_speak(&self) -> Option<u64> {
        let now = self.clock.elapsed();
        // A poisoned lock is safe to use, because the state is never left half changed.
        let mut silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner);
        if now < silence.until {
            silence.held_back += 1;
            return None;
        }
        silence.until = now + self.pause;
        Some(mem::take(&mut silence.held_back))
    }
}

/// Ticks at a fixed rate, from its creation on.
#[derive(Debug)]
pub struct Ticker(Rhythm);

#[derive(Debug)]
enum Rhythm {
    System(tokio::time::Interval),
    // Boxed, because only tests have it, and each open stream has a ticker.
    Stepped(Box<SteppedRhythm>),
}

#[derive(Debug)]
struct SteppedRhythm {
    clock: Clock,
    next: Duration,
    period: Duration,
}

impl Clock {
    /// Creates a ticker whose first tick is one `period` from now.
    pub fn ticker(&self, period: Duration) -> Ticker {
        Ticker(match &self.0 {
            TimeSource::System => {
                let mut interval =
                    tokio::time::interval_at(tokio::time::Instant::now() + period, period);
                // A delayed ticker skips missed ticks instead of catching up in a burst.
                interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
                Rhythm::System(interval)
            }
            TimeSource::Stepped { state, .. } => {
                let next = state.borrow().elapsed + period;
                Rhythm::Stepped(Box::new(SteppedRhythm { clock: self.clone(), next, period }))
            }
        })
    }
}

impl Ticker {
    /// Waits for the next tick. Returns its delay.
    pub async fn tick(&mut self) -> Duration {
        match &mut self.0 {
            Rhythm::System(interval) => interval.tick().await.elapsed(),
            Rhythm::Stepped(rhythm) => Box::pin(rhythm.tick()).await,
        }
    }
}

impl SteppedRhythm {
    async fn tick(&mut self) -> Duration {
        let Self { clock, next, period } = self;
        clock.sleep(next.saturating_sub(clock.elapsed())).await;
        let late = clock.elapsed().saturating_sub(*next);
        *next += *period;
        late
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
