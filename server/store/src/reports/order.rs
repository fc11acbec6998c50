//! The order of the lists: newest publication first, then by id.

use std::cmp::Ordering;

/// Where a report stands in the lists. The least is the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// In milliseconds since 1970.
    pub published_at: i64,
    pub id: String,
}

impl Rank {
    pub(super) fn of<'r>(published_at: i64, id: &'r str) -> RankRef<'r> {
        RankRef { published_at, id }
    }

    pub(super) fn as_ref(&self) -> RankRef<'_> {
        RankRef { published_at: self.published_at, id: &self.id }
    }
}

/// A borrowed [`Rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RankRef<'r> {
    pub published_at: i64,
    pub id: &'r str,
}

impl RankRef<'_> {
    pub(super) fn to_owned(self) -> Rank {
        Rank { published_at: self.published_at, id: self.id.to_owned() }
    }
}

impl Ord for RankRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.published_at.cmp(&self.published_at).then_with(|| self.id.cmp(other.id))
    }
}

impl PartialOrd for RankRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
