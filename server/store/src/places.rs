//! Places: matching of spellings, the rows of places, and an in-memory index of all places.

pub(super) mod apart;
pub(super) mod city_name;
pub(super) mod index;
pub(super) mod place;
pub(super) mod place_check;
pub(super) mod repair;
pub(super) mod spellings;
