//! The foundation of every other part of the service, which knows none of them.
//!
//! Time and randomness are values that are passed in: a [`clock::Clock`] that tests step instead of sleeping, and a
//! [`random::Random`] whose seed makes a run repeatable. [`time`] has the one format of instants and dates that clients
//! see. [`cache`] makes each value once, however many ask for it at the same time, within a bound of bytes.
//! [`histogram`] counts durations without locks. [`redaction`] cuts keys and passwords out of whatever is logged,
//! [`spelling`] finds the known name nearest to a misspelt one, and [`causes`] walks an error's chain of causes.

pub mod cache;
pub mod causes;
pub mod clock;
pub mod histogram;
pub mod random;
pub mod redaction;
pub mod spelling;
pub mod time;
