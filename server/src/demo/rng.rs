/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). Written out, because the
/// generators of `rand` may change with its version, and the rows must not.
pub(super) struct Rng(u64);

impl Rng {
    /// Makes an independent generator for each part of the work, so that draws of one don't shift those of another.
    pub(super) fn with_stream(seed: u64, stream: u64) -> Self {
        Self(Self(seed).next() ^ Self(!stream).next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number in `0..bound`, and 0 for a bound of 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a number in `low..=high`.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Returns one of the choices, with a probability by weight. At least one weight must not be 0.
    pub(super) fn pick<'a, T>(&mut self, choices: &'a [(u64, T)]) -> &'a T {
        let mut left = self.below(choices.iter().map(|(weight, _)| weight).sum());
        let mut last = 0;
        for (index, (weight, _)) in choices.iter().enumerate() {
            last = index;
            if left < *weight {
                break;
            }
            left -= weight;
        }
        &choices[last].1
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut rng = Rng(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| rng.next()).collect();
        // From the reference implementation (https://prng.di.unimi.it/splitmix64.c) for this seed.
        let reference =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, reference);
    }

    #[test]
    fn choices_come_as_often_as_they_weigh() {
        let mut rng = Rng(1);
        let mut seen = [0; 3];
        for _ in 0..10_000 {
            seen[*rng.pick(&[(70, 0), (0, 1), (30, 2)])] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((6_800..7_200).contains(&seen[0]), "{seen:?}");
    }
}
