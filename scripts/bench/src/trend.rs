//! Detection of growing memory.

use crate::statistics::median;

/// Maximum ratio of the memory in the last quarter to that in the second.
pub(crate) const TOLERANCE: f64 = 1.10;

/// Explanation of the rule, for reports.
pub(crate) const RULE: &str = "Memory keeps growing if its median over the last quarter of the run is more than \
     10 % above that over the second quarter. The first quarter warms up.";

/// Median of the last quarter divided by that of the second. Caches fill in the first quarter.
/// Medians, because the memory for drawing a picture is a peak and not a leak. Fewer than eight
/// samples are not significant: the result is 1.
pub(crate) fn growth(samples: &[f64]) -> f64 {
    let quarter = samples.len() / 4;
    if quarter < 2 {
        return 1.0;
    }
    let second = median(&samples[quarter..2 * quarter]);
    let last = median(&samples[samples.len() - quarter..]);
    last / second
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(value: impl Fn(f64) -> f64) -> f64 {
        growth(&(0..600).map(|second| value(f64::from(second))).collect::<Vec<_>>())
    }

    #[test]
    fn memory_that_fills_up_at_first_does_not_grow() {
        assert_eq!(run(|_| 20.0), 1.0);
        assert!(run(|second| 20.0 + second.min(100.0)) <= TOLERANCE);
    }

    #[test]
    fn a_peak_is_no_growth() {
        assert_eq!(run(|second| if second % 50.0 == 0.0 { 90.0 } else { 20.0 }), 1.0);
    }

    #[test]
    fn memory_that_grows_all_the_time_is_noticed() {
        assert!(run(|second| 20.0 + second / 60.0) > TOLERANCE);
    }

    #[test]
    fn a_few_samples_say_nothing() {
        assert_eq!(growth(&[1.0, 9.0, 90.0]), 1.0);
        assert_eq!(growth(&[]), 1.0);
    }
}
