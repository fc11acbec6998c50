//! The foundation of the service. It does not depend on any other part.
//!
//! Time and randomness are passed in as values: a [`clock::Clock`] that tests step instead of
//! sleeping, and a [`random::Random`] whose seed makes a run repeatable. [`time`] has the only
//! format of instants and dates in the API. [`cache`] is an in-memory cache with a maximum weight,
//! which computes each value once for concurrent requests. [`histogram`] counts durations without
//! locks. [`redaction`] removes keys and passwords from logged text, [`spelling`] finds the known
//! name nearest to a misspelt one, and [`causes`] iterates over an error's chain of causes.

pub mod cache;
pub mod causes;
pub mod clock;
pub mod histogram;
pub mod random;
pub mod redaction;
pub mod spelling;
pub mod time;
