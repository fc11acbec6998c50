//! What makes two spellings one place.
//!
//! A place is stored in the spelling it was given ([`tidy`]) and compared by its key: [`fold`] for
//! cities and regions, [`country_key`] for countries. Keys are never shown. Both are on the import
//! path, so each has a fast path for the usual case.

mod country;
mod fold;

pub use country::{country_codes, country_key, country_name, country_spellings};
pub use fold::{fold, tidy};
