//! Keys that identify a place in spite of different spellings.
//!
//! A place is stored in the spelling it was given ([`tidy`]) and compared by its key: [`fold`](fn@fold) for cities and regions,
//! [`country_key`] for countries. Keys are never displayed. An import calls these functions for every row, so each has
//! a fast path for the usual case.

mod country;
mod fold;

pub use country::{country_codes, country_key, country_name, country_spellings};
pub use fold::{fold, tidy};
