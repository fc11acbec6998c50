use std::{collections::VecDeque, mem, time::Duration};

use super::{WINDOW, quota::Verdict};

const WINDOW_MS: u32 = WINDOW.as_secs() as u32 * 1_000;

/// Number of stamps that a log holds without an allocation.
const INLINE_STAMPS: usize = 5;

/// Instant of an accepted request: milliseconds on the clock, rounded up, modulo 2^32, which is 49 days. Stamps are
/// rounded up and [`Now`] is rounded down, so a request only ever seems younger than it is. So rounding may delay the
/// next request by a millisecond or two, but never accepts one too early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp(u32);

/// Current time of one decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    /// Milliseconds, rounded down.
    millis: u32,
    /// Remainder that `millis` leaves out.
    fraction: Duration,
}

impl Now {
    /// Current time by a clock's [`elapsed`](base::clock::Clock::elapsed).
    pub(super) fn new(elapsed: Duration) -> Self {
        // Truncated on purpose: see `Stamp`.
        let millis = elapsed.as_millis() as u32;
        let fraction = Duration::from_nanos(u64::from(elapsed.subsec_nanos() % 1_000_000));
        Self { millis, fraction }
    }

    fn stamp(self) -> Stamp {
        Stamp(self.millis.wrapping_add(u32::from(!self.fraction.is_zero())))
    }

    /// Milliseconds since the one before the stamp: a stamp of the current millisecond was rounded up to the next.
    fn since(self, stamp: Stamp) -> u32 {
        self.millis.wrapping_add(1).wrapping_sub(stamp.0)
    }

    fn has_left(self, stamp: Stamp) -> bool {
        self.since(stamp) > WINDOW_MS
    }

    /// Age of a stamp, in whole milliseconds.
    fn age(self, stamp: Stamp) -> Duration {
        Duration::from_millis(u64::from(self.since(stamp).saturating_sub(1)))
    }

    /// Time until a stamp in the window leaves it.
    fn until_left(self, stamp: Stamp) -> Duration {
        let millis = (WINDOW_MS + 1).saturating_sub(self.since(stamp));
        Duration::from_millis(u64::from(millis)).saturating_sub(self.fraction)
    }
}

/// Accepted requests of one client, oldest first. Most clients of a flood make only a few, which need no allocation.
#[derive(Debug)]
pub(super) enum Log {
    Few { count: u8, stamps: [Stamp; INLINE_STAMPS] },
    Many(Box<Ring>),
}

/// Boxed as a whole, because the largest variant determines the size of a million logs.
type Ring = VecDeque<Stamp>;

const _: () = assert!(size_of::<Log>() <= 24);

impl Default for Log {
    fn default() -> Self {
        Log::Few { count: 0, stamps: [Stamp::default(); INLINE_STAMPS] }
    }
}

impl Log {
    /// Decides on `count` requests together, and records them if they are accepted.
    pub(super) fn take(&mut self, now: Now, requests: u32, count: u32) -> Verdict {
        self.expire(now);
        let over = (self.len() + count).saturating_sub(requests);
        if over == 0 {
            (0..count).for_each(|_| self.push(now.stamp()));
            return Verdict { accepted: true, ..self.peek(now, requests) };
        }
        // The requests are accepted when as many others have left the window.
        let last = self.stamp(over.min(self.len()).saturating_sub(1));
        let reset = last.map_or(Duration::ZERO, |stamp| now.until_left(stamp));
        Verdict { accepted: false, reset, ..self.peek(now, requests) }
    }

    /// Decision on a request, without recording it.
    pub(super) fn peek(&mut self, now: Now, requests: u32) -> Verdict {
        self.expire(now);
        Verdict {
            accepted: self.len() < requests,
            remaining: requests.saturating_sub(self.len()),
            reset: self.oldest().map_or(Duration::ZERO, |oldest| now.until_left(oldest)),
        }
    }

    /// Drops the stamps that have left the window.
    pub(super) fn expire(&mut self, now: Now) {
        match self {
            Log::Few { count, stamps } => {
                let kept = &stamps[..usize::from(*count)];
                let left = kept.iter().take_while(|stamp| now.has_left(**stamp)).count();
                stamps.copy_within(left..usize::from(*count), 0);
                *count -= left as u8;
            }
            Log::Many(ring) => while ring.pop_front_if(|oldest| now.has_left(*oldest)).is_some() {},
        }
    }

    /// Number of recorded requests.
    pub(super) fn len(&self) -> u32 {
        match self {
            Log::Few { count, .. } => u32::from(*count),
            Log::Many(ring) => u32::try_from(ring.len()).unwrap_or(u32::MAX),
        }
    }

    fn oldest(&self) -> Option<Stamp> {
        self.stamp(0)
    }

    /// Time of a request, counted from the oldest.
    fn stamp(&self, index: u32) -> Option<Stamp> {
        match self {
            Log::Few { count, stamps } => {
                stamps[..usize::from(*count)].get(index as usize).copied()
            }
            Log::Many(ring) => ring.get(index as usize).copied(),
        }
    }

    /// Records a request that was accepted elsewhere.
    pub(super) fn note(&mut self, now: Now) {
        self.expire(now);
        self.push(now.stamp());
    }

    /// Ages of the requests, oldest first.
    pub(super) fn ages(&mut self, now: Now) -> Vec<Duration> {
        self.expire(now);
        let age = |stamp: &Stamp| now.age(*stamp);
        match self {
            Log::Few { count, stamps } => stamps[..usize::from(*count)].iter().map(age).collect(),
            Log::Many(ring) => ring.iter().map(age).collect(),
        }
    }

    fn push(&mut self, stamp: Stamp) {
        match self {
            Log::Few { count, stamps } if usize::from(*count) < INLINE_STAMPS => {
                stamps[usize::from(*count)] = stamp;
                *count += 1;
            }
            Log::Few { stamps, .. } => {
                let mut ring = Ring::with_capacity(8);
                ring.extend(mem::take(stamps));
                ring.push_back(stamp);
                *self = Log::Many(Box::new(ring));
            }
            Log::Many(ring) => ring.push_back(stamp),
        }
    }

    /// Frees the memory of a log that has become short.
    pub(super) fn shrink(&mut self) {
        if let Log::Many(ring) = self
            && ring.len() <= INLINE_STAMPS
        {
            let mut few = Log::default();
            ring.iter().for_each(|stamp| few.push(*stamp));
            *self = few;
        }
    }
}

#[cfg(test)]
mod tests;
