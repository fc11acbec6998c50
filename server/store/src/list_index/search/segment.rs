use sqlx::FromRow;

use crate::list_index::cache::SegmentKey;

/// Segment that may contain a part of the list.
#[derive(Clone, Copy, FromRow)]
pub(super) struct Segment {
    pub(super) id: i64,
    pub(super) size: i64,
    pub(super) live: i64,
    pub(super) newest_at: i64,
}

impl Segment {
    pub(super) fn key(&self) -> SegmentKey {
        (self.id, self.size)
    }
}
