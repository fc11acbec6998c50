//! Time index of a segment: times of publication at regular intervals of slots. They allow most searches by time
//! without reading reports.

/// Number of slots per entry.
pub(super) const TIME_INDEX_STEP: usize = if cfg!(test) { 4 } else { 256 };

/// Publication times of every [`TIME_INDEX_STEP`]th slot when the segment was created.
#[derive(Debug, Default)]
pub(super) struct TimeIndex(Vec<i64>);

impl From<Vec<u8>> for TimeIndex {
    fn from(stored: Vec<u8>) -> Self {
        Self(stored.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
    }
}

impl TimeIndex {
    /// Returns a lower bound for the publication times from `slot` on.
    pub(super) fn since(&self, slot: u32) -> i64 {
        let entry = self.0.get(slot as usize / TIME_INDEX_STEP).or_else(|| self.0.last());
        entry.copied().unwrap_or(i64::MIN)
    }

    /// Returns an upper bound for the publication times up to `slot`, if one is known.
    pub(super) fn until(&self, slot: u32) -> Option<i64> {
        self.0.get(slot as usize / TIME_INDEX_STEP + 1).copied()
    }

    /// Estimates the publication time of the report in `slot`. Assumes that publications are evenly
    /// distributed between entries, and between the last entry and `end`, the last slot with its
    /// time.
    pub(super) fn estimate(&self, slot: u32, end: (u32, i64)) -> i64 {
        let Some(last) = self.0.len().checked_sub(1) else { return end.1 };
        let entry = |index: usize| {
            let slot = u32::try_from(index * TIME_INDEX_STEP).ok()?;
            Some((slot, *self.0.get(index)?))
        };
        let index = (slot as usize / TIME_INDEX_STEP).min(last);
        let (before, since) = entry(index).unwrap_or(end);
        let (after, until) = entry(index + 1).unwrap_or(end);
        let (passed, whole) = (slot.saturating_sub(before), after.saturating_sub(before).max(1));
        let time = i128::from(until) - i128::from(since);
        let at = i128::from(since) + time * i128::from(passed) / i128::from(whole);
        i64::try_from(at).unwrap_or(until)
    }

    /// Returns the size in memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.0)
    }

    /// Returns a range of slots that contains the first report published at `at` or later, or ends
    /// with it. All slots before the range were published before `at`, all slots from its end on
    /// after `at`.
    pub(super) fn around(&self, at: i64) -> std::ops::Range<u32> {
        let before = self.0.partition_point(|time| *time < at);
        let until = self.0.partition_point(|time| *time <= at);
        let slot = |entry: usize| u32::try_from(entry * TIME_INDEX_STEP).unwrap_or(u32::MAX);
        let end = if until < self.0.len() { slot(until) } else { u32::MAX };
        slot(before.saturating_sub(1))..end
    }

    /// Whether the times are sorted and within the bounds of their segment.
    pub(super) fn fit(&self, oldest_at: i64, newest_at: i64) -> bool {
        self.0.is_sorted()
            && self.0.first() == Some(&oldest_at)
            && self.0.last().is_some_and(|last| *last <= newest_at)
    }

    /// Whether a report published at `at` may have this slot.
    pub(super) fn enclose(&self, slot: u32, at: i64) -> bool {
        self.around(at).contains(&slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time_index(times: &[i64]) -> TimeIndex {
        times.iter().flat_map(|time| time.to_le_bytes()).collect::<Vec<u8>>().into()
    }

    #[test]
    fn publications_are_estimated_as_if_they_came_evenly_between_fences() {
        // Entries of slots 0, 4 and 8, in a segment that has grown since.
        let time_index = time_index(&[100, 140, 140]);
        let estimates = [0, 1, 3, 4, 7, 8, 10, 13].map(|slot| time_index.estimate(slot, (13, 640)));
        assert_eq!(estimates, [100, 110, 130, 140, 140, 140, 340, 640]);
    }

    #[test]
    fn any_time_can_be_estimated() {
        let time_index = time_index(&[i64::MIN]);
        assert_eq!(time_index.estimate(0, (0, i64::MAX)), i64::MIN);
        assert_eq!(time_index.estimate(65_535, (65_535, i64::MAX)), i64::MAX);
        assert_eq!(TimeIndex::default().estimate(3, (7, 5)), 5);
    }
}
