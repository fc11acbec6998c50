use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

const MS: Duration = Duration::from_millis(1);

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn take(log: &mut Log, at: Duration, requests: u32) -> Verdict {
    log.take(Now::new(at), requests, 1)
}

#[test]
fn a_request_leaves_the_window_when_it_is_sixty_seconds_old() {
    let mut log = Log::default();
    assert!(take(&mut log, secs(5.0), 1).accepted);
    let refused = take(&mut log, secs(64.999), 1);
    assert_eq!(refused, Verdict { accepted: false, remaining: 0, reset: MS });
    let accepted = take(&mut log, secs(65.0), 1);
    assert_eq!(accepted, Verdict { accepted: true, remaining: 0, reset: WINDOW });
}

#[test]
fn a_burst_is_accepted_up_to_the_quota_and_one_more_when_the_first_has_left() {
    for requests in [1, 2, 4, 5, 6, 7, 8, 9, 60, 64, 1_000] {
        let mut log = Log::default();
        for used in 1..=requests {
            let at = secs(1.0) + MS * used;
            let reset = WINDOW - MS * (used - 1);
            let expected = Verdict { accepted: true, remaining: requests - used, reset };
            assert_eq!(take(&mut log, at, requests), expected, "{used} of {requests}");
        }
        let first_leaves = secs(61.001);
        for early in [MS * 2, MS, Duration::from_nanos(1)] {
            let refused = take(&mut log, first_leaves - early, requests);
            assert_eq!(refused, Verdict { accepted: false, remaining: 0, reset: early });
        }
        assert!(take(&mut log, first_leaves, requests).accepted, "{requests}");
        if requests > 1 {
            assert!(!take(&mut log, first_leaves, requests).accepted, "{requests}");
            assert!(take(&mut log, first_leaves + MS, requests).accepted, "{requests}");
        }
    }
}

#[test]
fn fractions_of_a_millisecond_never_let_one_in_early() {
    for nanos in [1, 499_999, 500_000, 999_999] {
        let mut log = Log::default();
        let first = secs(5.0) + Duration::from_nanos(nanos);
        take(&mut log, first, 1);
        let early = take(&mut log, first + WINDOW - Duration::from_nanos(1), 1);
        assert!(!early.accepted, "{nanos}");
        assert!(early.reset <= MS, "{nanos}");
        // The reset of a rejected request is exact to the nanosecond.
        let told = first + WINDOW - Duration::from_nanos(1) + early.reset;
        assert!(!take(&mut log, told - Duration::from_nanos(1), 1).accepted, "{nanos}");
        assert!(take(&mut log, told, 1).accepted, "{nanos}");
        assert!(told - first < WINDOW + 2 * MS, "{nanos}");
    }
}

#[test]
fn refused_requests_do_not_count() {
    let mut log = Log::default();
    take(&mut log, secs(0.0), 1);
    for at in 1..60 {
        assert!(!take(&mut log, Duration::from_secs(at), 1).accepted);
    }
    assert!(take(&mut log, secs(60.0), 1).accepted);
}

#[test]
fn a_quota_of_nothing_accepts_nothing_and_a_lowered_one_refuses() {
    let mut log = Log::default();
    let nothing = Verdict { accepted: false, remaining: 0, reset: Duration::ZERO };
    assert_eq!(take(&mut log, secs(1.0), 0), nothing);
    for _ in 0..10 {
        take(&mut log, secs(1.0), 10);
    }
    let lowered = take(&mut log, secs(2.0), 3);
    assert_eq!(lowered, Verdict { accepted: false, remaining: 0, reset: secs(59.0) });
}

#[test]
fn the_stamps_pass_their_largest_number_unnoticed() {
    let wrap = Duration::from_millis(1 << 32);
    for around in 0..130 {
        let start = wrap - Duration::from_secs(around) - Duration::from_micros(300);
        let mut log = Log::default();
        assert!(take(&mut log, start, 2).accepted);
        assert!(take(&mut log, start + secs(30.0), 2).accepted);
        assert!(!take(&mut log, start + secs(59.999), 2).accepted, "{around}");
        assert!(take(&mut log, start + secs(60.001), 2).accepted, "{around}");
        assert!(!take(&mut log, start + secs(60.002), 2).accepted, "{around}");
    }
}

#[test]
fn a_long_log_that_becomes_short_gives_its_memory_back() {
    let mut log = Log::default();
    for second in 0..8 {
        take(&mut log, Duration::from_secs(second), 60);
    }
    log.expire(Now::new(secs(61.0)));
    log.shrink();
    assert!(matches!(log, Log::Many(_)), "six do not fit");
    log.expire(Now::new(secs(62.0)));
    log.shrink();
    assert!(matches!(log, Log::Few { count: 5, .. }));
    let next = take(&mut log, secs(62.0), 60);
    assert_eq!(next, Verdict { accepted: true, remaining: 54, reset: secs(1.0) });
}

proptest! {
    /// Checks both guarantees, compared with a log that keeps exact times.
    #[test]
    fn no_window_has_more_than_the_quota_and_who_was_idle_gets_all_of_it(
        requests in 1u32..20,
        start in 0u64..10_000_000_000_000_000,
        steps in prop::collection::vec(
            prop_oneof![
                4 => Just(0),
                4 => 0u64..2_000_000,
                8 => 0u64..10_000_000_000,
                2 => 59_990_000_000u64..60_010_000_000,
                1 => 60_000_000_000u64..200_000_000_000,
            ],
            1..300,
        ),
        whole in any::<bool>(),
    ) {
        let mut log = Log::default();
        let mut accepted: VecDeque<Duration> = VecDeque::new();
        let mut now = Duration::from_nanos(if whole { start / 1_000_000 * 1_000_000 } else { start });
        for step in steps {
            now += Duration::from_nanos(if whole { step / 1_000_000 * 1_000_000 } else { step });
            let verdict = take(&mut log, now, requests);
            let younger = |than: Duration| {
                accepted.iter().filter(|at| now - **at < than).count() as u32
            };
            if verdict.accepted {
                prop_assert!(younger(WINDOW) < requests, "too many in one window");
            } else {
                prop_assert!(younger(WINDOW + 2 * MS) >= requests, "refused without need");
                if whole {
                    prop_assert!(younger(WINDOW) >= requests, "refused without need");
                }
                prop_assert!(!log.take(Now::new(now + verdict.reset - Duration::from_nanos(1)), requests, 1).accepted);
            }
            if verdict.accepted {
                accepted.push_back(now);
            }
            if whole {
                let young = accepted.iter().filter(|at| now - **at < WINDOW).count() as u32;
                prop_assert_eq!(verdict.remaining, requests - young);
                let oldest = accepted.iter().find(|at| now - **at < WINDOW);
                prop_assert_eq!(verdict.reset, oldest.map_or(Duration::ZERO, |at| *at + WINDOW - now));
            }
            if requests % 3 == 0 {
                log.shrink();
            }
        }
    }
}
