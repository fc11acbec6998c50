//! Size of the batches of a long change.
//!
//! During a transaction, nobody else can write. Its duration depends on what it writes: a rejection is one row; a
//! publication is sixteen rollups and, with a thousand subscriptions, two thousand deliveries. So the size of a batch
//! follows from the duration of the previous one, and a pause between batches lets others write.
//!
//! Rows that need no change, such as rows imported before, cost almost nothing, so their duration does not predict that
//! of other rows. While there are only such rows, a batch reads as many as it can, but still changes no more than
//! `size`.

use std::{ops::RangeInclusive, time::Duration};

use super::transaction::TURN;

/// Batch sizes of a long change.
#[derive(Debug)]
pub(crate) struct AdaptiveBatchSize {
    /// Intended duration of a transaction.
    target: Duration,
    /// Number of items that the next transaction changes.
    size: usize,
    sizes: RangeInclusive<usize>,
    /// Whether the last transaction found nothing to change.
    idle: bool,
    begun: bool,
}

/// Work of the next transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BatchLimit {
    /// Number of items to examine.
    pub look_at: usize,
    /// Maximum number of items to change; the transaction ends when it is reached.
    pub change: usize,
}

impl AdaptiveBatchSize {
    /// Batch size for decisions, and for reports that webhooks are notified of.
    ///
    /// The cost of a report varies. With this target, others wait for at most half a second even if a transaction takes
    /// more than twice as long as expected.
    pub(crate) fn of_news() -> Self {
        // With a thousand subscriptions, a transaction writes as many pages for one report as for eight. Above
        // 4,096, batches would take more memory without being faster.
        Self::new(Duration::from_millis(200), 64, 8..=4_096)
    }

    /// Batch size for imported rows that wait for a decision. Their costs are about equal, so a transaction may use most of
    /// the half second.
    pub(crate) fn of_pending() -> Self {
        Self::new(Duration::from_millis(400), 4_096, 512..=40_000)
    }

    /// Batch size for imported history. Others wait for up to a second, longer only on a slow disk.
    ///
    /// A batch becomes a segment of the lists, and lists get slower with the number of segments: by half with three
    /// times as many segments at a million reports. The minimum is just too few rows for a segment that is never merged
    /// with others. The maximum is the largest segment: a batch changes nearly every page of the index of ids, so fewer
    /// batches write less (five million reports: 72 s, with at most 40,000 rows 83 s).
    pub(crate) fn of_history() -> Self {
        Self::new(Duration::from_secs(2), 10_000, 4_000..=65_536)
    }

    /// A constant batch size.
    pub(crate) fn fixed(size: usize) -> Self {
        Self::new(Duration::from_secs(2), size, size..=size)
    }

    fn new(target: Duration, first: usize, sizes: RangeInclusive<usize>) -> Self {
        Self { target, size: first, sizes, idle: false, begun: false }
    }

    /// Gives others a turn to write, then returns the work of the next transaction, with `left` items remaining.
    pub(crate) async fn next(&mut self, left: usize) -> BatchLimit {
        if self.begun {
            tokio::time::sleep(TURN).await;
        }
        self.begun = true;
        self.share(left)
    }

    fn share(&self, left: usize) -> BatchLimit {
        // Equal shares, because a small remainder would cost almost as much as a full batch.
        let even = left.div_ceil(left.div_ceil(self.size).max(1));
        if self.idle {
            return BatchLimit { look_at: left.min(*self.sizes.end()), change: self.size };
        }
        BatchLimit { look_at: even, change: even }
    }

    /// Adjusts the size after a transaction that changed this many items in this time.
    pub(crate) fn learn(&mut self, changed: usize, held: Duration) {
        tracing::debug!(changed, ?held, "a batch is done");
        self.idle = changed == 0;
        if self.idle {
            return;
        }
        let factor = self.target.as_secs_f64() / held.as_secs_f64().max(f64::EPSILON);
        // At most twice as many, because small batches do not predict the cost of large ones.
        let next = (changed as f64 * factor.min(2.0)) as usize;
        // A batch that was fast because little was left is no reason for smaller ones.
        let next = if held <= self.target { next.max(self.size) } else { next };
        self.size = next.clamp(*self.sizes.start(), *self.sizes.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_while_they_are_short_and_shrink_once_one_was_long() {
        let mut batch_size = AdaptiveBatchSize::of_news();
        let mut sizes = Vec::new();
        for millis in [1, 1, 20, 20, 20, 20, 20, 400, 200, 100, 100, 2_000] {
            batch_size.learn(batch_size.size, Duration::from_millis(millis));
            sizes.push(batch_size.size);
        }
        assert_eq!(
            sizes,
            [128, 256, 512, 1_024, 2_048, 4_096, 4_096, 2_048, 2_048, 4_096, 4_096, 409]
        );
        batch_size.learn(409, Duration::from_secs(3_600));
        assert_eq!(batch_size.size, 8);
        batch_size.learn(8, Duration::ZERO);
        assert_eq!(batch_size.size, 16);
    }

    #[test]
    fn what_remains_is_shared_out_evenly() {
        let batch_size = AdaptiveBatchSize::of_news();
        let shares = [0, 1, 64, 65, 128, 129].map(|left| batch_size.share(left).look_at);
        assert_eq!(shares, [0, 1, 64, 33, 64, 43]);
    }

    #[test]
    fn what_was_little_or_nothing_to_change_leaves_the_size_as_it_was() {
        let mut batch_size = AdaptiveBatchSize::of_news();
        batch_size.learn(3, Duration::from_millis(10));
        assert_eq!(batch_size.size, 64);
        batch_size.learn(3, Duration::from_millis(600));
        assert_eq!(batch_size.size, 8);
        batch_size.learn(0, Duration::from_millis(1));
        assert_eq!(batch_size.share(10_000), BatchLimit { look_at: 4_096, change: 8 });
        batch_size.learn(8, Duration::from_millis(100));
        assert_eq!(batch_size.share(10_000), BatchLimit { look_at: 16, change: 16 });
    }
}
