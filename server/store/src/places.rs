//! Places: matching of spellings, the rows of places, and an in-memory index of all places.

pub(super) mod atlas;
pub(super) mod index;
pub(super) mod place;
pub(super) mod repair;
