use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use base::clock::Clock;
use chrono::{DateTime, Utc};
use limits::{Client, Decision, Limits, Quota, WINDOW};
use proptest::{
    prelude::*,
    test_runner::{TestRunner, contextualize_config},
};
use tokio::task::JoinSet;

use super::{Node, client, limited};
use crate::redis::{PATIENT, Redis};

fn stepped() -> Clock {
    Clock::stepped(DateTime::<Utc>::UNIX_EPOCH)
}

/// Number of accepted requests when each node gets 100 at once.
async fn accepted_at_once(nodes: &[Arc<Node>], client: Client, quota: Quota) -> u32 {
    let mut requests = JoinSet::new();
    for number in 0..nodes.len() * 100 {
        let node = nodes[number % nodes.len()].clone();
        requests.spawn(async move { node.take(client, &quota).await.accepted });
    }
    requests.join_all().await.into_iter().map(u32::from).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_and_three_accept_a_limit_together_and_no_more_in_any_window() {
    let redis = Redis::start().await;
    let clock = stepped();
    let nodes = Node::several::<3>(&redis.url(PATIENT), &clock).await.map(Arc::new);
    let mut number = 0;
    for some in [&nodes[..2], &nodes[..]] {
        for quota in [limited(1), Quota::PUBLIC, limited(150)] {
            number += 1;
            let client = client(number);
            let limit = quota.requests.unwrap();
            assert_eq!(accepted_at_once(some, client, quota).await, limit);
            clock.advance(WINDOW - Duration::from_millis(1));
            assert_eq!(accepted_at_once(some, client, quota).await, 0);
            clock.advance(Duration::from_millis(1));
            assert_eq!(accepted_at_once(some, client, quota).await, limit);
        }
    }
    assert!(nodes.iter().all(|node| node.status().alone == 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_requests_are_counted_together_or_not_at_all() {
    let redis = Redis::start().await;
    let clock = stepped();
    let nodes = Node::several::<2>(&redis.url(PATIENT), &clock).await;
    let take = async |node: usize, count| {
        let decision = nodes[node].take_many(client(1), &Quota::PUBLIC, count).await;
        (decision.accepted, decision.remaining, decision.reset)
    };
    assert_eq!(take(0, 30).await, (true, 30, WINDOW));
    clock.advance(Duration::from_secs(10));
    assert_eq!(take(1, 20).await, (true, 10, Duration::from_secs(50)));
    assert_eq!(take(0, 11).await, (false, 10, Duration::from_secs(50)));
    assert_eq!(take(0, 41).await, (false, 10, WINDOW));
    assert_eq!(take(1, 10).await, (true, 0, Duration::from_secs(50)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_of_redis_counts_for_all_nodes() {
    let redis = Redis::start().await;
    let nodes = Node::several::<2>(&redis.url(PATIENT), &Clock::system()).await.map(Arc::new);
    assert_eq!(accepted_at_once(&nodes, client(1), Quota::PUBLIC).await, 60);
    let decision = nodes[0].peek(client(1), &Quota::PUBLIC).await;
    assert_eq!((decision.accepted, decision.remaining), (false, 0));
    assert!(decision.reset <= WINDOW && decision.reset > WINDOW / 2, "{decision:?}");
    let stamps: Vec<u64> = redis.ask(&["LRANGE", "svc:log:network:192.0.2.1", "0", "-1"]).await;
    let [seconds, micros]: [u64; 2] = redis.ask(&["TIME"]).await;
    let now = (seconds * 1_000_000 + micros) % (1 << 31);
    assert!(stamps.len() == 60 && stamps.iter().all(|stamp| now.wrapping_sub(*stamp) < 60_000_000));
}

#[tokio::test]
async fn a_log_expires_a_window_after_the_last_request() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &Clock::system()).await;
    node.take(client(1), &Quota::PUBLIC).await;
    let ttl: i64 = redis.ask(&["PTTL", "svc:log:network:192.0.2.1"]).await;
    assert!((30_000..=60_000).contains(&ttl), "{ttl}");
    redis.ask::<u8>(&["PEXPIRE", "svc:log:network:192.0.2.1", "1000"]).await;
    node.peek(client(1), &Quota::PUBLIC).await;
    let ttl: i64 = redis.ask(&["PTTL", "svc:log:network:192.0.2.1"]).await;
    assert!(ttl <= 1_000, "a look renews nothing: {ttl}");
    node.take(client(1), &Quota::PUBLIC).await;
    let ttl: i64 = redis.ask(&["PTTL", "svc:log:network:192.0.2.1"]).await;
    assert!(ttl > 1_000, "{ttl}");
    for key in redis.keys().await {
        assert!(redis.ask::<i64>(&["PTTL", &key]).await > 0, "{key} never expires");
    }
}

#[tokio::test]
async fn each_client_has_a_log_of_its_own() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(&format!("{PATIENT}&prefix=fleet-2")), &stepped()).await;
    let v6 = limits::Network::of("2001:db8:1:2:3::4".parse().unwrap());
    let clients = [client(1), Client::Network(v6), Client::Key(7)];
    for client in clients {
        assert_eq!(node.accepted(client, &limited(3), 5).await, 3, "{client:?}");
    }
    assert_eq!(
        redis.keys().await,
        [
            "fleet-2:log:key:7",
            "fleet-2:log:network:192.0.2.1",
            "fleet-2:log:network:2001:db8:1:2::/64",
            "fleet-2:nodes",
        ]
    );
}

#[tokio::test]
async fn who_has_no_limit_is_not_asked_about() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &stepped()).await;
    for quota in [Quota::ENTERPRISE, Quota::OPERATOR] {
        let unlimited =
            Decision { quota, accepted: true, remaining: u32::MAX, reset: Duration::ZERO };
        assert_eq!(node.take(Client::Key(1), &quota).await, unlimited);
        assert_eq!(node.take_now(Client::Key(1), &quota), Some(unlimited));
        assert_eq!(node.peek(Client::Key(1), &quota).await, unlimited);
    }
    assert!(node.streams.take_now(Client::Key(1), None).is_some());
    assert!(node.streams.take(Client::Key(1), None).await.is_some());
    assert!(node.take_now(client(1), &Quota::PUBLIC).is_none(), "everybody else waits");
    assert_eq!(redis.keys().await, ["svc:nodes"]);
}

#[tokio::test]
async fn a_script_that_redis_has_forgotten_is_loaded_again() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &stepped()).await;
    for used in 1..=10 {
        let decision = node.take(client(1), &Quota::PUBLIC).await;
        assert_eq!((decision.accepted, decision.remaining), (true, 60 - used));
        assert_eq!(node.peek(client(1), &Quota::PUBLIC).await, decision);
        redis.ask::<()>(&["SCRIPT", "FLUSH"]).await;
    }
    assert_eq!((node.status().alone, node.status().outages), (0, 0));
}

#[tokio::test]
async fn a_decision_is_one_round_trip() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &Clock::system()).await;
    node.take(client(1), &Quota::PUBLIC).await;
    redis.ask::<()>(&["CONFIG", "RESETSTAT"]).await;
    assert_eq!(node.accepted(client(2), &Quota::PUBLIC, 100).await, 60);
    let stats: String = redis.ask(&["INFO", "commandstats"]).await;
    let calls = |command: &str| {
        let line =
            stats.lines().find(|line| line.starts_with(&format!("cmdstat_{command}:calls=")));
        line.map_or(0, |line| line.split(['=', ',']).nth(1).unwrap().parse::<u32>().unwrap())
    };
    // The heartbeats of the node are scripts too.
    assert_eq!(calls("evalsha") - calls("hgetall"), 100);
    assert_eq!((calls("eval"), calls("script|load")), (0, 0));
}

#[tokio::test]
async fn a_long_log_that_has_left_the_window_is_dropped_and_what_has_not_stays() {
    let redis = Redis::start().await;
    let clock = stepped();
    let node = Node::start(&redis.url(PATIENT), &clock).await;
    let quota = limited(1_000);
    for _ in 0..1_000 {
        assert!(node.take(client(1), &quota).await.accepted);
        clock.advance(Duration::from_millis(50));
    }
    // 50 seconds have passed. After 10.3 more, seven requests have left the window.
    clock.advance(Duration::from_millis(10_300));
    let decision = node.peek(client(1), &quota).await;
    assert_eq!((decision.remaining, decision.reset), (7, Duration::from_millis(50)));
    clock.advance(Duration::from_millis(49_600));
    let decision = node.peek(client(1), &quota).await;
    assert_eq!((decision.remaining, decision.reset), (999, Duration::from_millis(50)));
    assert_eq!(redis.ask::<u32>(&["LLEN", "svc:log:network:192.0.2.1"]).await, 1);
}

/// The script and the log in memory make the same decisions for all times.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_decides_as_memory_does() {
    let redis = Redis::start().await;
    let steps = prop::collection::vec(
        prop_oneof![
            4 => Just(0),
            4 => 0u64..20,
            8 => 0u64..10_000,
            2 => 59_990u64..60_010,
            1 => 60_000u64..200_000,
        ],
        1..120,
    );
    // The second range includes the point at which the stamps wrap.
    let start = prop_oneof![0u64..10_000_000, 2_147_300u64..2_147_500];
    let url = redis.url(PATIENT);
    let runtime = tokio::runtime::Handle::current();
    let numbers = AtomicI64::new(0);
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(contextualize_config(ProptestConfig::with_cases(40)));
        let test = (1u32..12, start, steps, any::<bool>());
        runner.run(&test, |(requests, start, steps, peeks)| {
            let client = Client::Key(numbers.fetch_add(1, Ordering::Relaxed));
            runtime.block_on(compare(&url, client, requests, start, &steps, peeks))
        })
    })
    .unwrap();
}

async fn compare(
    url: &str,
    client: Client,
    requests: u32,
    start: u64,
    steps: &[u64],
    peeks: bool,
) -> Result<(), TestCaseError> {
    let clock = stepped();
    let node = Node::start(url, &clock).await;
    let memory = Limits::new(clock.clone());
    let quota = limited(requests);
    clock.advance(Duration::from_millis(start));
    for step in steps {
        clock.advance(Duration::from_millis(*step));
        let expected = memory.take(client, &quota).await;
        prop_assert_eq!(node.take(client, &quota).await, expected);
        if peeks {
            prop_assert_eq!(node.peek(client, &quota).await, memory.peek(client, &quota).await);
        }
    }
    Ok(())
}
