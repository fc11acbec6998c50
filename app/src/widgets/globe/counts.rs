use model::ReportType;

/// Number of reports of each type, in the order of [`ReportType::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(pub(super) [u64; 3]);

/// Smallest drawn share of a type that occurs at all. Less would be invisible.
const LEAST_SHARE: f32 = 0.12;

impl Counts {
    pub(super) fn total(self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn of(self, kind: ReportType) -> u64 {
        self.0.get(kind as usize).copied().unwrap_or_default()
    }

    pub(super) fn add(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    /// Index of the type with the most reports; the first one if several have the same number.
    pub(super) fn leading(self) -> usize {
        let Self([spirit, water, both]) = self;
        if spirit >= water && spirit >= both {
            0
        } else if water >= both {
            1
        } else {
            2
        }
    }

    /// Share of each type in a ring, from 0 to 1. Types that occur get at least [`LEAST_SHARE`].
    pub(super) fn shares(self) -> [f32; 3] {
        let total = self.total().max(1) as f32;
        let exact = self.0.map(|count| count as f32 / total);
        let lifted = exact.map(|share| if share > 0.0 { share.max(LEAST_SHARE) } else { 0.0 });
        let sum: f32 = lifted.iter().sum();
        lifted.map(|share| if sum > 0.0 { share / sum } else { share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leading_type_is_the_one_with_the_most_reports_and_the_first_of_equals() {
        let leading = |counts| Counts(counts).leading();
        assert_eq!([[2, 1, 1], [1, 2, 1], [1, 1, 2]].map(leading), [0, 1, 2]);
        assert_eq!([[2, 2, 2], [1, 2, 2], [0, 0, 0]].map(leading), [0, 1, 0]);
    }

    #[test]
    fn a_rare_type_keeps_a_visible_share_and_a_missing_one_has_none() {
        assert_eq!(Counts([0, 0, 0]).shares(), [0.0, 0.0, 0.0]);
        assert_eq!(Counts([7, 0, 0]).shares(), [1.0, 0.0, 0.0]);
        assert_eq!(Counts([1, 1, 2]).shares(), [0.25, 0.25, 0.5]);
        let [spirit, water, both] = Counts([1_000_000, 0, 1]).shares();
        assert!(water == 0.0 && both > 0.1, "{both}");
        assert!((spirit + both - 1.0).abs() < 1e-6);
    }
}
