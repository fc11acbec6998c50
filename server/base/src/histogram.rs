//! Histogram of durations.

use std::{
    iter,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Upper bounds of the buckets, in microseconds. A last bucket counts everything above.
const BOUNDS: [u64; 16] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000,
];

/// Number of recorded durations by length. Recording takes two additions without locks or
/// allocations, because it is done for each request.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    nanos: AtomicU64,
}

/// A snapshot of a [`Histogram`].
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Upper bound in seconds of each bucket, and the number of durations in the bucket (not
    /// cumulative). The last bound is infinite.
    pub buckets: Vec<(f64, u64)>,
    pub sum: Duration,
}

impl Histogram {
    pub fn record(&self, duration: Duration) {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|bound| bound * 1_000 < nanos);
        if let Some(bucket) = self.buckets.get(bucket) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }

    /// Takes a snapshot. Durations recorded at the same time may be missing either from the buckets
    /// or from the sum.
    pub fn counted(&self) -> Counted {
        let bounds = BOUNDS.iter().map(|micros| Duration::from_micros(*micros).as_secs_f64());
        let counts = self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed));
        Counted {
            buckets: bounds.chain(iter::once(f64::INFINITY)).zip(counts).collect(),
            sum: Duration::from_nanos(self.nanos.load(Ordering::Relaxed)),
        }
    }
}

impl Counted {
    /// Number of recorded durations.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_counted_up_to_the_first_bound_that_it_does_not_exceed() {
        let histogram = Histogram::default();
        for micros in [0, 100, 101, 999, 1_000, 10_000_000, 10_000_001, 3_600_000_000] {
            histogram.record(Duration::from_micros(micros));
        }
        let counted = histogram.counted();
        let full: Vec<_> = counted.buckets.iter().filter(|(_, count)| *count > 0).collect();
        assert_eq!(
            full,
            [&(0.0001, 2), &(0.00025, 1), &(0.001, 2), &(10.0, 1), &(f64::INFINITY, 2)]
        );
        assert_eq!(counted.count(), 8);
        assert_eq!(counted.sum, Duration::from_micros(3_620_002_201));
    }
}
