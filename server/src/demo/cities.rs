use std::sync::LazyLock;

use geo::cities::{City, cities};

use super::rng::Rng;

/// For each city, the sum of the weights up to and including it.
static SUMS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let weighed = cities().iter().scan(0, |sum, city| {
        // The square root of the population, so that a few giants don't get most of the reports.
        *sum += city.population.isqrt().max(1);
        Some(*sum)
    });
    weighed.collect()
});

/// Returns the index of a random city; larger ones are more likely.
pub(super) fn pick(rng: &mut Rng) -> usize {
    let point = rng.below(SUMS.last().copied().unwrap_or(0));
    SUMS.partition_point(|sum| *sum <= point)
}

/// Returns a random city; larger ones are more likely.
pub(super) fn random(rng: &mut Rng) -> &'static City {
    &cities()[pick(rng)]
}
