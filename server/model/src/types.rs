use super::ReportType;
use serde::{Serialize, Serializer};

/// `types=`: the types of reports that are shown, such as `spirit,water`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Types([bool; 3]);

impl Default for Types {
    /// All types.
    fn default() -> Self {
        Self([true; 3])
    }
}

impl Types {
    /// The given types, or all if there are none.
    pub fn of(kinds: impl IntoIterator<Item = ReportType>) -> Self {
        let mut types = [false; 3];
        for kind in kinds {
            types[kind as usize] = true;
        }
        if types.contains(&true) { Self(types) } else { Self::default() }
    }

    /// Sum of a count over these types.
    pub fn sum(self, count: impl Fn(ReportType) -> u64) -> u64 {
        self.each().map(count).sum()
    }

    pub fn has(self, kind: ReportType) -> bool {
        self.0[kind as usize]
    }

    /// Whether all types are included.
    pub fn is_all(self) -> bool {
        self == Self::default()
    }

    /// The types, in display order.
    pub fn each(self) -> impl Iterator<Item = ReportType> {
        ReportType::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// Names of the types.
    pub fn list(self) -> Vec<&'static str> {
        self.each().map(ReportType::as_str).collect()
    }
}

/// Serialised as the names of the types.
impl Serialize for Types {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list())
    }
}
