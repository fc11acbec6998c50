//! The metrics widget: four counters, alive.

pub mod board;
mod counts;
#[cfg(feature = "ssr")]
pub mod document;
mod shown;

#[cfg(feature = "ssr")]
pub use document::MetricsWidget;

/// Where the words of this widget stand in its list.
mod word {
    use crate::lang::FORMS;

    pub(super) const TOTAL: usize = 0;
    pub(super) const SPIRIT: usize = 1;
    pub(super) const WATER: usize = 2;
    pub(super) const BOTH: usize = 3;
    pub(super) const TODAY: usize = 4;
    pub(super) const AS_OF: usize = 5;
    pub(super) const LIVE: usize = 6;
    pub(super) const RECONNECTING: usize = 7;
    pub(super) const COUNTRY: usize = 8;
    pub(super) const CITY: usize = COUNTRY + FORMS;
}
