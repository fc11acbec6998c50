use chrono::{DateTime, Utc};
use proptest::prelude::*;

use super::*;

fn limits() -> (Limits, Clock) {
    let clock = Clock::stepped(DateTime::<Utc>::UNIX_EPOCH);
    (Limits::new(clock.clone()), clock)
}

fn client(last: u8) -> Client {
    Client::Network(Network::of([192, 0, 2, last].into()))
}

#[tokio::test]
async fn a_client_may_use_its_quota_at_once_and_then_waits_for_the_window() {
    let (limits, clock) = limits();
    for used in 1..=60 {
        let decision = limits.take(client(1), &Quota::PUBLIC).await;
        let expected =
            Decision { quota: Quota::PUBLIC, accepted: true, remaining: 60 - used, reset: WINDOW };
        assert_eq!(decision, expected);
    }
    clock.advance(Duration::from_millis(59_999));
    let refused = limits.clone().take(client(1), &Quota::PUBLIC).await;
    let reset = Duration::from_millis(1);
    assert_eq!(refused, Decision { quota: Quota::PUBLIC, accepted: false, remaining: 0, reset });
    clock.advance(reset);
    assert!(limits.take(client(1), &Quota::PUBLIC).await.accepted);
}

#[tokio::test]
async fn several_requests_are_counted_together_or_not_at_all() {
    let (limits, clock) = limits();
    let take = async |count| {
        let decision = limits.take_many(client(1), &Quota::PUBLIC, count).await;
        (decision.accepted, decision.remaining, decision.reset)
    };
    assert_eq!(take(30).await, (true, 30, WINDOW));
    clock.advance(Duration::from_secs(10));
    assert_eq!(take(20).await, (true, 10, Duration::from_secs(50)));
    assert_eq!(take(11).await, (false, 10, Duration::from_secs(50)), "one of the first must go");
    assert_eq!(take(41).await, (false, 10, Duration::from_secs(60)), "one of the others, too");
    assert_eq!(take(10).await, (true, 0, Duration::from_secs(50)));
    clock.advance(Duration::from_secs(50));
    assert_eq!(take(30).await, (true, 0, Duration::from_secs(10)));
}

#[tokio::test]
async fn looking_at_a_quota_uses_nothing_of_it() {
    let (limits, clock) = limits();
    let decision = |remaining, reset| Decision {
        quota: Quota::PUBLIC,
        accepted: remaining > 0,
        remaining,
        reset,
    };
    for used in 0..=60 {
        let reset = if used == 0 { Duration::ZERO } else { WINDOW };
        for _ in 0..2 {
            let peek = limits.peek(client(1), &Quota::PUBLIC).await;
            assert_eq!(peek, decision(60 - used, reset));
        }
        limits.take(client(1), &Quota::PUBLIC).await;
    }
    clock.advance(WINDOW);
    assert_eq!(limits.peek(client(1), &Quota::PUBLIC).await, decision(60, Duration::ZERO));
}

#[tokio::test]
async fn a_key_has_the_quota_of_its_tier_wherever_it_is_used() {
    let (limits, _) = limits();
    for used in 1..=1_000 {
        let decision = limits.take(Client::Key(1), &Quota::PARTNER).await;
        assert_eq!((decision.accepted, decision.remaining), (true, 1_000 - used));
    }
    assert!(!limits.take(Client::Key(1), &Quota::PARTNER).await.accepted);
    assert!(limits.take(Client::Key(2), &Quota::PARTNER).await.accepted);
    assert!(limits.take(client(1), &Quota::PUBLIC).await.accepted);
}

#[tokio::test]
async fn who_has_no_limit_is_always_accepted() {
    let (limits, _) = limits();
    for quota in [Quota::ENTERPRISE, Quota::OPERATOR] {
        let expected =
            Decision { quota, accepted: true, remaining: u32::MAX, reset: Duration::ZERO };
        for _ in 0..5_000 {
            assert_eq!(limits.take(Client::Key(1), &quota).await, expected);
        }
    }
}

#[tokio::test]
async fn a_sweep_lets_nobody_start_anew() {
    let (limits, clock) = limits();
    for _ in 0..60 {
        limits.take(client(1), &Quota::PUBLIC).await;
    }
    clock.advance(Duration::from_millis(59_999));
    limits.sweep();
    assert!(!limits.take(client(1), &Quota::PUBLIC).await.accepted);
    clock.advance(Duration::from_millis(1));
    limits.sweep();
    for _ in 0..60 {
        assert!(limits.take(client(1), &Quota::PUBLIC).await.accepted);
    }
}

proptest! {
    /// The guarantee as a whole: several clients, any schedule, with sweeps in between.
    #[test]
    fn every_client_gets_its_quota_in_every_window_and_never_more(
        requests in 1u32..12,
        schedule in prop::collection::vec((0u8..3, 0u64..8_000, prop::bool::weighted(0.1)), 1..400),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (limits, clock) = limits();
        let quota = Quota { name: "test", requests: Some(requests) };
        let mut logs = [const { Vec::<Duration>::new() }; 3];
        for (number, millis, sweep) in schedule {
            clock.advance(Duration::from_millis(millis));
            if sweep {
                limits.sweep();
            }
            let now = clock.elapsed();
            let log = &mut logs[usize::from(number)];
            log.retain(|accepted| now - *accepted < WINDOW);
            let decision = runtime.block_on(limits.take(client(number), &quota));
            prop_assert_eq!(decision.accepted, log.len() < requests as usize);
            if decision.accepted {
                log.push(now);
            }
            prop_assert_eq!(decision.remaining as usize, requests as usize - log.len());
            prop_assert_eq!(decision.reset, log[0] + WINDOW - now);
        }
    }
}
