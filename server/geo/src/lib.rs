//! Places: comparison of their names, and their positions.
//!
//! A report has its city, region and country as somebody wrote them. [`places`] derives a key from each: names with
//! equal keys are one place, in counters as in filters. Keys ignore case, accents and forms of apostrophes; a country
//! is recognised by its codes and by its names in many languages.
//!
//! [`gazetteer`] finds the position of a place from its names alone, with its precision: city, or only region or
//! country. The data are from GeoNames and part of the binary. They are read in place, so a lookup takes microseconds
//! and loads nothing. [`cities`] has the usual spelling of the largest cities. Nothing here uses a server, a database or a clock.

pub mod cities;
pub mod gazetteer;
pub mod places;
