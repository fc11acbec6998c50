//! Places: which spellings are one place, what it is called in other languages, and where it is.

pub mod gazetteer;
pub mod places;
