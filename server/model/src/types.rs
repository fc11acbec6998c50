use super::ReportType;

/// `types=`: which types of reports are shown, such as `spirit,water`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Types([bool; 3]);

impl Default for Types {
    /// All of them.
    fn default() -> Self {
        Self([true; 3])
    }
}

impl Types {
    /// Just these, or all of them if there are none.
    pub fn of(kinds: impl IntoIterator<Item = ReportType>) -> Self {
        let mut types = [false; 3];
        for kind in kinds {
            types[kind as usize] = true;
        }
        if types.contains(&true) { Self(types) } else { Self::default() }
    }

    /// The sum of a count of each of them.
    pub fn sum(self, count: impl Fn(ReportType) -> u64) -> u64 {
        self.each().map(count).sum()
    }

    pub fn has(self, kind: ReportType) -> bool {
        self.0[kind as usize]
    }

    /// Whether none is left out.
    pub fn is_all(self) -> bool {
        self == Self::default()
    }

    /// Each of them.
    pub fn each(self) -> impl Iterator<Item = ReportType> {
        ReportType::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// The names.
    pub fn list(self) -> Vec<&'static str> {
        self.each().map(ReportType::as_str).collect()
    }
}
