//! Places: which spellings are one place, and where it is.
//!
//! A report has its city, region and country as somebody wrote them. [`places`] makes a key of each: names with equal keys
//! are one place, in counters as in filters. Keys ignore case, accents and forms of apostrophes; a country is recognized by
//! its codes and its names in many languages.
//!
//! [`gazetteer`] knows where a place is, by its names alone, and how exactly: the city, or only its region or country. The
//! data are GeoNames', part of the binary and read where they lie, so a look-up takes microseconds and no memory. Nothing
//! here asks a server, a database or a clock.

pub mod gazetteer;
pub mod places;
