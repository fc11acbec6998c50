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
    /// Those of the names that are known; `None` where there is none.
    pub(crate) fn parse(names: &str) -> Option<Self> {
        let mut types = [false; 3];
        for name in names.split(',') {
            if let Some(kind) = ReportType::from_name(name.trim()) {
                types[kind as usize] = true;
            }
        }
        types.contains(&true).then_some(Self(types))
    }

    /// Just these; all of them where there is none.
    pub(crate) fn of(kinds: impl IntoIterator<Item = ReportType>) -> Self {
        let mut types = [false; 3];
        for kind in kinds {
            types[kind as usize] = true;
        }
        if types.contains(&true) { Self(types) } else { Self::default() }
    }

    /// The sum of a count of each of them.
    pub(crate) fn sum(self, count: impl Fn(ReportType) -> u64) -> u64 {
        self.each().map(count).sum()
    }

    /// Those of either.
    pub(crate) fn and(self, other: Self) -> Self {
        let (Self(one), Self(other)) = (self, other);
        Self(std::array::from_fn(|index| one[index] || other[index]))
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

    /// The names, with a blank between two: as `data-types` has them.
    pub fn names(self) -> String {
        self.list().join(" ")
    }
}
