use std::time::Duration;

use base::clock::Clock;
use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use limits::{Quota, RedisLimits, Status, WINDOW};
use scratch::log::Log;

use super::{Node, client, limited};
use crate::redis::{PATIENT, Redis};

/// Timeout for tests of an unresponsive Redis: short enough to wait for, and long enough for a busy machine.
const QUICK: &str = "timeout_ms=500";

fn stepped() -> Clock {
    Clock::stepped(DateTime::<Utc>::UNIX_EPOCH)
}

/// Whether a reconnection to Redis has failed.
fn is_away(status: Status) -> bool {
    !status.up && status.outages > 0
}

fn is_shared(status: Status) -> bool {
    status.up
}

#[tokio::test]
async fn while_redis_does_not_answer_each_node_applies_its_share_and_nobody_waits() {
    let redis = Redis::start().await;
    let nodes = Node::several::<3>(&redis.url(QUICK), &stepped()).await;
    // The first node accepts the whole limit of client 1, and ten requests of client 2.
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 60).await, 60);
    assert_eq!(nodes[0].accepted(client(2), &Quota::PUBLIC, 10).await, 10);
    redis.pause();
    for node in &nodes {
        // The request reaches the timeout, which reveals the outage.
        assert!(node.take(client(3), &Quota::PUBLIC).await.accepted);
        node.until(is_away).await;
    }
    let at_once = |node: &Node, number, requests| {
        let decide = |_: &u32| node.take_now(client(number), &Quota::PUBLIC).unwrap().accepted;
        (0..requests).filter(decide).count()
    };
    assert_eq!(nodes.each_ref().map(|node| at_once(node, 1, 60)), [0, 20, 20], "in use already");
    assert_eq!(nodes.each_ref().map(|node| at_once(node, 2, 60)), [10, 20, 20]);
    assert_eq!(nodes.each_ref().map(|node| at_once(node, 3, 60)), [19, 19, 19]);
    assert_eq!(nodes.each_ref().map(|node| at_once(node, 4, 60)), [20, 20, 20]);
    let decision = nodes[0].take_now(client(4), &Quota::PUBLIC).unwrap();
    assert_eq!((decision.quota, decision.remaining, decision.reset), (Quota::PUBLIC, 0, WINDOW));
    assert_eq!(nodes[0].take_now(client(5), &limited(2)).unwrap().remaining, 0, "at least one");
    for node in &nodes {
        let Status { up, nodes, outages, .. } = node.status();
        assert_eq!((up, nodes, outages), (false, 3, 1));
    }
}

#[tokio::test]
async fn what_was_accepted_while_redis_was_away_counts_when_it_is_back() {
    let redis = Redis::start().await;
    let nodes = Node::several::<2>(&redis.url(QUICK), &stepped()).await;
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 5).await, 5);
    redis.pause();
    for node in &nodes {
        assert!(node.take(client(2), &Quota::PUBLIC).await.accepted);
        node.until(is_away).await;
    }
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 10).await, 10);
    assert_eq!(nodes[1].accepted(client(1), &Quota::PUBLIC, 60).await, 30);
    redis.resume();
    for node in &nodes {
        node.until(is_shared).await;
    }
    // 5 requests were accepted through Redis, 10 and 30 without it.
    for node in &nodes {
        assert_eq!(node.peek(client(1), &Quota::PUBLIC).await.remaining, 60 - 5 - 10 - 30);
    }
    // Redis may have counted the requests that timed out.
    let asked_in_vain = nodes[0].peek(client(2), &Quota::PUBLIC).await.remaining;
    assert!((56..=58).contains(&asked_in_vain), "{asked_in_vain}");
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 60).await, 15, "more than its share");
    assert_eq!(nodes[1].accepted(client(1), &Quota::PUBLIC, 60).await, 0);
}

#[tokio::test]
async fn a_redis_that_comes_back_empty_is_told_what_it_knew() {
    let mut redis = Redis::start().await;
    let clock = stepped();
    let nodes = Node::several::<2>(&redis.url(PATIENT), &clock).await;
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 20).await, 20);
    clock.advance(Duration::from_secs(1));
    assert_eq!(nodes[1].accepted(client(1), &Quota::PUBLIC, 10).await, 10);
    clock.advance(Duration::from_secs(1));
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 5).await, 5);
    redis.kill();
    for node in &nodes {
        node.until(is_away).await;
    }
    assert_eq!(nodes[1].accepted(client(1), &Quota::PUBLIC, 60).await, 20);
    redis.run().await;
    for node in &nodes {
        node.until(is_shared).await;
    }
    let decision = nodes[0].peek(client(1), &Quota::PUBLIC).await;
    assert_eq!(decision.remaining, 60 - 20 - 10 - 5 - 20);
    assert_eq!(decision.reset, WINDOW - Duration::from_secs(2), "and when it was");
    let stamps: Vec<u32> = redis.ask(&["LRANGE", "svc:log:network:192.0.2.1", "0", "-1"]).await;
    let expected = [vec![0; 20], vec![1_000_000; 10], vec![2_000_000; 25]].concat();
    assert_eq!(stamps, expected);
}

#[tokio::test]
async fn data_that_is_deleted_is_told_again() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &stepped()).await;
    assert_eq!(node.accepted(client(1), &Quota::PUBLIC, 60).await, 60);
    redis.ask::<()>(&["FLUSHALL"]).await;
    super::soon("the log", async {
        while redis.ask::<u32>(&["LLEN", "svc:log:network:192.0.2.1"]).await < 60 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    node.until(is_shared).await;
    assert!(!node.take(client(1), &Quota::PUBLIC).await.accepted);
    assert_eq!(node.status().outages, 0);
}

#[tokio::test]
async fn around_outages_all_nodes_accept_at_most_the_limit_and_their_shares() {
    let redis = Redis::start().await;
    let clock = stepped();
    let nodes = Node::several::<3>(&redis.url(QUICK), &clock).await;
    let accepted_by_all = async || {
        let tries = nodes.iter().map(|node| node.accepted(client(1), &Quota::PUBLIC, 60));
        join_all(tries).await.into_iter().sum::<u32>()
    };
    let mut accepted = nodes[0].accepted(client(1), &Quota::PUBLIC, 60).await;
    for _ in 0..2 {
        redis.pause();
        accepted += accepted_by_all().await;
        redis.resume();
        // Some nodes reconnect before others.
        accepted += accepted_by_all().await;
        for node in &nodes {
            node.until(is_shared).await;
        }
        accepted += accepted_by_all().await;
        assert_eq!(accepted, 60 + 20 + 20, "the first has used its share");
    }
    clock.advance(WINDOW);
    assert_eq!(accepted_by_all().await, 60);
}

#[tokio::test]
async fn without_redis_at_the_start_a_node_is_alone_until_redis_is_there() {
    let mut redis = Redis::start().await;
    redis.kill();
    let (log, _listening) = Log::listen();
    let node = Node::start(&redis.url(PATIENT), &stepped()).await;
    assert_eq!(node.status(), Status { up: false, nodes: 1, alone: 0, outages: 1 });
    assert_eq!(node.accepted(client(1), &Quota::PUBLIC, 70).await, 60);
    assert_eq!(node.status().alone, 70);
    redis.run().await;
    node.until(is_shared).await;
    assert_eq!(node.accepted(client(1), &Quota::PUBLIC, 1).await, 0);
    let lines = log.taken("Redis");
    let [away, back] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(away.contains("WARN") && away.contains("Redis cannot be used: until it can"), "{away}");
    assert!(back.contains("INFO") && back.contains("Redis is available again"), "{back}");
}

#[tokio::test]
async fn an_outage_and_its_end_are_logged_once_without_secrets() {
    let redis = Redis::with(&["--requirepass", "s3cret"]).await;
    let (log, _listening) = Log::listen();
    let url = redis.url(&format!("{QUICK}&pass=s3cret"));
    let node = Node::start(&url, &stepped()).await;
    for outage in 1..=2 {
        redis.pause();
        node.take(client(1), &limited(1_000)).await;
        node.until(|status| status.outages == outage).await;
        for _ in 0..100 {
            node.take(client(1), &limited(1_000)).await;
        }
        redis.resume();
        node.until(is_shared).await;
        let lines = log.taken("");
        let [away, back] = lines.as_slice() else { panic!("{lines:?}") };
        assert!(away.contains("reason=\"no reply within 500 ms\" nodes=1"), "{away}");
        assert!(away.contains("redis.sock") && back.contains("redis.sock"), "{lines:?}");
        assert!(!lines.concat().contains("s3cret"), "{lines:?}");
    }
}

#[tokio::test]
async fn a_redis_that_refuses_to_write_is_away_too() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &stepped()).await;
    assert!(node.take(client(1), &Quota::PUBLIC).await.accepted);
    let (log, _listening) = Log::listen();
    redis.ask::<()>(&["CONFIG", "SET", "maxmemory", "1"]).await;
    assert_eq!(node.accepted(client(1), &Quota::PUBLIC, 70).await, 59);
    node.until(is_away).await;
    assert!(log.taken("WARN")[0].contains("OOM"));
    redis.ask::<()>(&["CONFIG", "SET", "maxmemory", "0"]).await;
    node.until(is_shared).await;
    assert_eq!(redis.ask::<u32>(&["LLEN", "svc:log:network:192.0.2.1"]).await, 60);
}

#[tokio::test]
async fn a_connection_that_is_closed_is_no_outage() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &stepped()).await;
    for used in 1..=3 {
        assert!(redis.ask::<u32>(&["CLIENT", "KILL", "TYPE", "normal"]).await > 0);
        assert!(node.take(client(1), &Quota::PUBLIC).await.accepted);
        node.until(is_shared).await;
        assert_eq!(node.peek(client(1), &Quota::PUBLIC).await.remaining, 60 - used);
    }
    assert_eq!(node.status().outages, 0);
}

#[tokio::test]
async fn a_wrong_password_is_an_outage_and_not_shown() {
    let redis = Redis::with(&["--requirepass", "right"]).await;
    let (log, _listening) = Log::listen();
    let node = Node::start(&redis.url("pass=s3cret-but-wr0ng"), &stepped()).await;
    assert!(!node.status().up);
    let lines = log.taken("WARN");
    assert!(lines.len() == 1 && !lines[0].contains("s3cret"), "{lines:?}");
}

#[tokio::test]
async fn a_node_that_stops_is_no_longer_counted_and_one_that_is_killed_for_a_while() {
    let redis = Redis::start().await;
    let [one, two, three] = Node::several(&redis.url(PATIENT), &stepped()).await;
    three.stop().await;
    one.until(|status| status.nodes == 2).await;
    drop(two);
    let nodes: Vec<String> = redis.ask(&["HKEYS", "svc:nodes"]).await;
    assert_eq!(nodes.len(), 2, "its lease");
    one.until(|status| status.nodes == 1).await;
}

#[tokio::test]
async fn sharing_shows_where_redis_is_and_no_secrets() {
    let redis = Redis::with(&["--requirepass", "s3cret"]).await;
    let url: limits::RedisUrl = redis.url("pass=s3cret").parse().unwrap();
    let (sharing, heartbeat) = RedisLimits::start(&url, stepped()).await.unwrap();
    let shown = format!("{sharing:?} {heartbeat:?} {url:?}");
    assert!(shown.contains("redis.sock") && !shown.contains("s3cret"), "{shown}");
}
