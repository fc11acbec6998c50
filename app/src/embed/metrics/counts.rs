/// The counters of a metrics object as the widget moves them: all alike, all at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(pub(super) [u64; 10]);

/// A place in [`Counts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    Total,
    Spirit,
    Water,
    Both,
    TotalToday,
    SpiritToday,
    WaterToday,
    BothToday,
    Countries,
    Cities,
}

impl Counts {
    /// The fields of the API's metrics object, by [`Counter`].
    #[cfg(any(feature = "hydrate", test))]
    pub(super) const FIELDS: [&'static str; 10] = [
        "total",
        "spirit",
        "water",
        "both",
        "totalToday",
        "spiritToday",
        "waterToday",
        "bothToday",
        "countries",
        "cities",
    ];

    /// The counts of some of the types, spirit, water and both, and totals of these alone.
    pub(super) fn of(self, types: [bool; 3]) -> Self {
        let Self(mut counts) = self;
        for total in [Counter::Total as usize, Counter::TotalToday as usize] {
            for (index, shown) in types.into_iter().enumerate() {
                let kind = total + 1 + index;
                if !shown {
                    counts[total] = counts[total].saturating_sub(counts[kind]);
                    counts[kind] = 0;
                }
            }
        }
        Self(counts)
    }

    pub(super) fn get(&self, counter: Counter) -> u64 {
        self.0[counter as usize]
    }

    /// The parts of the total that `spirit`, `water` and `both` have, in thousandths, each as
    /// where it starts and how long it is. Together they fill the whole.
    pub(super) fn shares(&self) -> [(u64, u64); 3] {
        let [total, spirit, water, both, ..] = self.0;
        let end = |sum: u64| (u128::from(sum) * 1_000 / u128::from(total.max(1))) as u64;
        let (first, second, third) = (end(spirit), end(spirit + water), end(spirit + water + both));
        [(0, first), (first, second - first), (second, third - second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Metrics;

    #[test]
    fn shares_fill_the_whole() {
        let shares = Counts([3, 1, 1, 1, 0, 0, 0, 0, 0, 0]).shares();
        assert_eq!(shares, [(0, 333), (333, 333), (666, 334)]);
    }

    #[test]
    fn totals_are_of_the_types_that_are_shown() {
        let all = Counts([60, 10, 20, 30, 6, 1, 2, 3, 4, 5]);
        assert_eq!(all.of([true; 3]), all);
        assert_eq!(all.of([true, false, true]), Counts([40, 10, 0, 30, 4, 1, 0, 3, 4, 5]));
    }

    #[test]
    fn nothing_has_no_shares() {
        assert_eq!(Counts::default().shares(), [(0, 0), (0, 0), (0, 0)]);
    }

    #[test]
    fn fields_are_those_of_the_metrics_object() {
        let metrics = serde_json::to_value(Metrics::default()).unwrap();
        for field in Counts::FIELDS {
            assert!(metrics.get(field).is_some_and(|value| value.is_u64()), "{field}");
        }
    }
}
