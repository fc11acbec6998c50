//! Places: which spellings mean the same place, their rows, and an index of all places in memory.

pub(super) mod atlas;
pub(super) mod index;
pub(super) mod place;
pub(super) mod repair;
