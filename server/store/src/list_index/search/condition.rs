use std::collections::HashMap;

use roaring::RoaringBitmap;

use super::segment::Segment;
use crate::{
    engine::sql::Connection,
    error::Result,
    list_index::{
        cache::SegmentCache,
        calendar::Days,
        postings::{self, LIVE, PostingKey},
    },
};

/// Condition that narrows a list.
pub(in crate::list_index) enum Condition {
    /// The slot is in at least one of the sets.
    Within(Vec<PostingKey>),
    /// The report is still approved.
    Live,
    Dated(Days),
}

impl Condition {
    /// Removes the slots of `segments` from `matching` that do not meet the condition, and segments
    /// without any slots left.
    pub(super) async fn narrow(
        &self,
        tx: &mut Connection,
        cache: &SegmentCache,
        segments: &[Segment],
        matching: &mut HashMap<i64, RoaringBitmap>,
    ) -> Result<()> {
        match self {
            Self::Within(keys) => {
                let segments: Vec<_> = segments.iter().map(Segment::key).collect();
                if let [key] = keys.as_slice() {
                    let found = cache.set(tx, &segments, *key).await?;
                    for (segment, slots) in &mut *matching {
                        match found.get(segment) {
                            Some(found) => *slots &= &**found,
                            None => slots.clear(),
                        }
                    }
                } else {
                    let numbers: Vec<i64> = segments.iter().map(|(number, _)| *number).collect();
                    let mut found = postings::union(tx, &numbers, keys).await?;
                    for (segment, slots) in &mut *matching {
                        *slots &= found.remove(segment).unwrap_or_default();
                    }
                }
            }
            Self::Live => {
                let partial = segments.iter().filter(|segment| segment.live < segment.size);
                let numbers: Vec<i64> = partial.map(|segment| segment.id).collect();
                if !numbers.is_empty() {
                    let mut found = postings::union(tx, &numbers, &[LIVE]).await?;
                    for segment in numbers {
                        let live = found.remove(&segment).unwrap_or_default();
                        matching.entry(segment).and_modify(|slots| *slots &= live);
                    }
                }
            }
            Self::Dated(days) => {
                let keys: Vec<_> = segments.iter().map(Segment::key).collect();
                let calendars = cache.calendars(tx, &keys).await?;
                for (Segment { id, .. }, calendar) in segments.iter().zip(calendars) {
                    matching.entry(*id).and_modify(|slots| calendar.narrow(*days, slots));
                }
            }
        }
        matching.retain(|_, slots| !slots.is_empty());
        Ok(())
    }
}
