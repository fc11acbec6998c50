//! What a rebuild says of itself: how far it is, and in the end what it corrected.

use std::fmt;

use indicatif::HumanCount;

/// What a rebuild is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Another one is at work.
    Waiting,
    /// Reading the reports.
    Reading,
    /// Counting them, and correcting counts and sets of cities.
    Counting,
    /// Comparing segments of the lists with them, and listing reports again.
    Listing,
    /// Moving reports to the places that they name.
    Moving,
}

/// How far a rebuild is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    /// Reports or segments.
    pub done: u64,
    pub of: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, done, of } = self;
        match stage {
            Stage::Waiting => f.write_str("waiting for another process that is doing it"),
            Stage::Reading => write!(f, "{done} of {of} reports read"),
            Stage::Counting => write!(f, "{done} of {of} reports counted"),
            Stage::Listing => write!(f, "{done} of {of} segments of the lists compared"),
            Stage::Moving => write!(f, "{done} of {of} reports moved"),
        }
    }
}

/// What a rebuild corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rebuilt {
    /// Reports that were read: those that were published at some time.
    pub reports: u64,
    pub counts: u64,
    pub sets_of_cities: u64,
    /// Segments of the lists.
    pub segments: u64,
    /// Reports that no list had.
    pub listed: u64,
    /// Reports that are in another place now.
    pub moved: u64,
    /// Places that were changed or removed.
    pub places: u64,
    /// Deliveries and attempts that belonged to nothing.
    pub orphans: u64,
}

impl Rebuilt {
    /// Whether everything agreed with the reports already.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self { reports: self.reports, ..Self::default() }
    }
}

impl fmt::Display for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.counts, "count", "counts"),
            (self.sets_of_cities, "set of cities", "sets of cities"),
            (self.segments, "segment of the lists", "segments of the lists"),
            (self.listed, "report that no list had", "reports that no list had"),
            (self.moved, "report in a wrong place", "reports in wrong places"),
            (self.places, "place", "places"),
            (self.orphans, "leftover delivery or attempt", "leftover deliveries and attempts"),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(number, ..)| *number > 0)
            .map(|(number, one, many)| {
                format!("{} {}", HumanCount(number), if number == 1 { one } else { many })
            })
            .collect();
        match parts.split_last() {
            None => f.write_str("nothing"),
            Some((only, [])) => f.write_str(only),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
        }
    }
}
