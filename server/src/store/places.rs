//! Places: which spellings mean the same place, their rows, and an index of all of them in memory.

pub(super) mod index;
pub(super) mod name;
pub(super) mod place;
