use std::fmt;

use indicatif::HumanCount;

/// Result of a rebuild: numbers of corrections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rebuilt {
    /// Number of approved reports that were counted.
    pub reports: u64,
    pub counts: u64,
    /// Sets of cities, and that of countries.
    pub sets_of_cities: u64,
    /// Segments of the lists.
    pub segments: u64,
    /// Reports that were missing in the lists.
    pub listed: u64,
    /// Reports that were moved to another place.
    pub moved: u64,
    /// Places that were changed or removed.
    pub places: u64,
    /// Deliveries and attempts without a subscription or event.
    pub orphans: u64,
}

impl Rebuilt {
    /// Whether nothing needed correction.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self { reports: self.reports, ..Self::default() }
    }
}

impl fmt::Display for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.counts, "count", "counts"),
            (self.sets_of_cities, "set of places", "sets of places"),
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
