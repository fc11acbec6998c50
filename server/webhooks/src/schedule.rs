//! Schedule of retries: soon at first, for receivers that restart, then less and less often, for receivers that need
//! repair.
//!
//! An event that fails while others succeed has a schedule of its own. An endpoint at which everything fails is
//! paused and probed, which does not count against the attempts of any event.

use std::time::Duration;

use base::random::Random;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// Waits after the first failure, the second, and so on, before jitter.
pub const WAITS: [Duration; 9] = [
    SECOND.saturating_mul(5),
    SECOND.saturating_mul(30),
    MINUTE.saturating_mul(2),
    MINUTE.saturating_mul(10),
    HOUR,
    HOUR.saturating_mul(3),
    HOUR.saturating_mul(6),
    HOUR.saturating_mul(12),
    HOUR.saturating_mul(24),
];

/// Maximum `Retry-After` that is honoured: a receiver must not keep a delivery open forever.
pub const LONGEST_RETRY_AFTER: Duration = HOUR.saturating_mul(24);

/// Waits before the first probe of a paused endpoint, the second, and so on; the last one is repeated.
pub const PROBES: [Duration; 6] = [
    SECOND.saturating_mul(5),
    SECOND.saturating_mul(30),
    MINUTE.saturating_mul(2),
    MINUTE.saturating_mul(10),
    MINUTE.saturating_mul(30),
    HOUR,
];

/// Wait before the next attempt, after an event's failure number `failures` (starting at 1, including this one);
/// `None` if it was the last attempt.
pub fn next_try(failures: u32, random: &Random) -> Option<Duration> {
    let index = usize::try_from(failures.saturating_sub(1)).ok()?;
    Some(spread(*WAITS.get(index)?, random))
}

/// Wait before the next probe of an endpoint after `failed` failed ones in a row. Never shorter than the receiver
/// requested.
pub fn next_probe(failed: u32, retry_after: Option<Duration>, random: &Random) -> Duration {
    let index = usize::try_from(failed).unwrap_or(usize::MAX).min(PROBES.len() - 1);
    let wait = PROBES.get(index).map_or(HOUR, |wait| spread(*wait, random));
    wait.max(retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER))
}

/// Adds jitter of up to a fifth either way, so that attempts that failed together are not repeated together.
fn spread(wait: Duration, random: &Random) -> Duration {
    random.duration(wait * 4 / 5..wait * 6 / 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: [u64; 9] = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 86_400];

    #[test]
    fn waits_grow_and_stay_within_a_fifth_of_the_plan() {
        let random = Random::seeded(3);
        for (failures, seconds) in (1..).zip(EXPECTED) {
            let planned = Duration::from_secs(seconds);
            for _ in 0..1_000 {
                let wait = next_try(failures, &random).unwrap();
                assert!(
                    (planned * 4 / 5..=planned * 6 / 5).contains(&wait),
                    "after failure {failures}: {wait:?}"
                );
            }
        }
    }

    #[test]
    fn waits_are_spread_evenly_over_the_whole_range() {
        let random = Random::seeded(4);
        let mut fifths = [0; 5];
        for _ in 0..10_000 {
            let wait = next_try(5, &random).unwrap().as_secs_f64();
            let share = (wait - 3_600.0 * 0.8) / (3_600.0 * 0.4);
            fifths[((share * 5.0) as usize).min(4)] += 1;
        }
        assert!(fifths.iter().all(|count| (1_800..2_200).contains(count)), "{fifths:?}");
    }

    #[test]
    fn after_the_tenth_failure_there_is_no_other_try() {
        let random = Random::seeded(5);
        assert!(next_try(9, &random).is_some());
        for failures in [10, 11, 1_000, u32::MAX] {
            assert_eq!(next_try(failures, &random), None);
        }
    }

    #[test]
    fn probes_come_ever_more_rarely_and_then_every_hour() {
        let random = Random::seeded(6);
        for (failed, seconds) in (0..).zip([5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600]) {
            let planned = Duration::from_secs(seconds);
            let wait = next_probe(failed, None, &random);
            assert!((planned * 4 / 5..=planned * 6 / 5).contains(&wait), "{failed}: {wait:?}");
        }
        assert!(next_probe(u32::MAX, None, &random) >= HOUR * 4 / 5);
    }

    #[test]
    fn a_receiver_can_ask_for_a_longer_pause_but_not_for_a_shorter_one() {
        let random = Random::seeded(6);
        assert_eq!(next_probe(0, Some(MINUTE), &random), MINUTE);
        assert_eq!(next_probe(5, Some(HOUR * 2), &random), HOUR * 2);
        assert!(next_probe(5, Some(SECOND), &random) >= HOUR * 4 / 5);
        assert!(next_probe(0, Some(Duration::ZERO), &random) >= SECOND * 4);
    }

    #[test]
    fn a_receiver_cannot_ask_for_more_than_a_day() {
        let random = Random::seeded(7);
        assert_eq!(next_probe(0, Some(HOUR * 25), &random), HOUR * 24);
        assert_eq!(next_probe(0, Some(Duration::MAX), &random), HOUR * 24);
    }

    #[test]
    fn the_same_seed_gives_the_same_waits() {
        let waits = |seed| {
            let random = Random::seeded(seed);
            (1..=9).map(|failures| next_try(failures, &random)).collect::<Vec<_>>()
        };
        assert_eq!(waits(8), waits(8));
        assert_ne!(waits(8), waits(9));
    }
}
