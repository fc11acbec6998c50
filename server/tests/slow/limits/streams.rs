use std::time::Duration;

use base::clock::Clock;
use limits::{Client, Slot};

use super::{Node, client};
use crate::{
    harness::soon,
    redis::{PATIENT, Redis},
};

const STREAMS: &str = "svc:streams:network:192.0.2.1";

async fn open(node: &Node, client: Client, most: u32, tries: u32) -> Vec<Slot> {
    let mut open = Vec::new();
    for _ in 0..tries {
        open.extend(node.streams.take(client, Some(most)).await);
    }
    open
}

/// Number of streams of all nodes in Redis.
async fn known(redis: &Redis, key: &str) -> u32 {
    let values: Vec<String> = redis.ask(&["HVALS", key]).await;
    values.iter().map(|value| value.split(':').next().unwrap().parse::<u32>().unwrap()).sum()
}

async fn until_known(redis: &Redis, key: &str, count: u32) {
    soon("the count", async {
        while known(redis, key).await != count {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn streams_on_all_nodes_count_together_until_they_end() {
    let redis = Redis::start().await;
    let [one, two] = Node::several(&redis.url(PATIENT), &Clock::system()).await;
    let mut on_one = open(&one, client(1), 20, 12).await;
    let on_two = open(&two, client(1), 20, 12).await;
    assert_eq!((on_one.len(), on_two.len()), (12, 8));
    assert_eq!((one.streams.count(), two.streams.count()), (12, 8));
    assert_eq!(open(&one, client(1), 20, 3).await.len(), 0);
    assert_eq!(open(&two, client(2), 20, 3).await.len(), 3, "others are not affected");
    drop(on_one.split_off(7));
    until_known(&redis, STREAMS, 15).await;
    assert_eq!(open(&two, client(1), 20, 9).await.len(), 5);
    drop((on_one, on_two));
    soon("nothing to be left", async {
        while redis.keys().await != ["svc:nodes"] {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_than_the_limit_are_opened_at_once() {
    let redis = Redis::start().await;
    let nodes = Node::several::<2>(&redis.url(PATIENT), &Clock::system()).await;
    let opening = |node: &Node| {
        let streams = node.streams.clone();
        async move { streams.take(client(1), Some(20)).await }
    };
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..50 {
        for node in &nodes {
            tasks.spawn(opening(node));
        }
    }
    let first: Vec<Slot> = tasks.join_all().await.into_iter().flatten().collect();
    assert!(first.len() <= 20, "{}", first.len());
    until_known(&redis, STREAMS, u32::try_from(first.len()).unwrap()).await;
    // Streams that were refused at the same moment may have blocked the last ones.
    let rest = open(&nodes[0], client(1), 20, 50).await;
    assert_eq!(first.len() + rest.len(), 20);
}

#[tokio::test]
async fn the_streams_of_a_node_that_is_killed_count_until_its_heartbeat_is_missed() {
    let redis = Redis::start().await;
    let [one, two] = Node::several(&redis.url(PATIENT), &Clock::system()).await;
    let slots = open(&one, client(1), 20, 20).await;
    assert_eq!(slots.len(), 20);
    let lease: i64 = redis.ask(&["PTTL", STREAMS]).await;
    assert!((1..=30_000).contains(&lease), "{lease}");
    // A killed node does not report the end of its streams.
    drop(one);
    assert_eq!(open(&two, client(1), 20, 1).await.len(), 0);
    let opened = soon("the end of its streams", async {
        let mut opened = Vec::new();
        // This node may detect the kill while some of the streams are being opened.
        while opened.len() < 20 {
            opened.extend(open(&two, client(1), 20, 1).await);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        opened
    });
    assert_eq!(opened.await.len(), 20);
    // Redis keeps the entries until their lease ends.
    let left: Vec<String> = redis.ask(&["HVALS", STREAMS]).await;
    assert_eq!(left.len(), 2, "{left:?}");
    drop(slots);
}

#[tokio::test]
async fn a_node_that_is_heard_of_again_counts_again() {
    let redis = Redis::start().await;
    let [one, two] = Node::several(&redis.url(PATIENT), &Clock::system()).await;
    let _slots = open(&one, client(1), 20, 20).await;
    // Old heartbeats simulate nodes that were halted for a while.
    let names: Vec<String> = redis.ask(&["HKEYS", "svc:nodes"]).await;
    let [seconds, _]: [u64; 2] = redis.ask(&["TIME"]).await;
    let long_ago = ((seconds - 60) * 1_000_000).to_string();
    for name in &names {
        redis.ask::<u8>(&["HSET", "svc:nodes", name, &long_ago]).await;
    }
    soon("both to be there again", async {
        let is_back = |beat: &String| *beat != long_ago;
        while !redis.ask::<Vec<String>>(&["HVALS", "svc:nodes"]).await.iter().all(is_back) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    soon("its streams to count", async {
        while !open(&two, client(1), 20, 1).await.is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn leases_are_renewed_and_counts_that_went_missing_come_back() {
    let redis = Redis::start().await;
    let node = Node::start(&redis.url(PATIENT), &Clock::system()).await;
    let _open = open(&node, client(1), 20, 2).await;
    redis.ask::<u8>(&["DEL", STREAMS]).await;
    until_known(&redis, STREAMS, 2).await;
    redis.ask::<u8>(&["PEXPIRE", STREAMS, "15000"]).await;
    soon("the renewal", async {
        while redis.ask::<i64>(&["PTTL", STREAMS]).await <= 15_000 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_node_that_stops_frees_its_streams_at_once() {
    let redis = Redis::start().await;
    let [one, two] = Node::several(&redis.url(PATIENT), &Clock::system()).await;
    let slots = open(&one, client(1), 20, 20).await;
    one.stopping.cancel();
    drop(slots);
    one.stop().await;
    assert_eq!(open(&two, client(1), 20, 21).await.len(), 20);
}

#[tokio::test]
async fn while_redis_is_away_a_node_opens_its_share_and_tells_it_later() {
    let redis = Redis::start().await;
    let [one, two] = Node::several(&redis.url("timeout_ms=500"), &Clock::system()).await;
    let mut slots = open(&one, client(1), 20, 6).await;
    redis.pause();
    for node in [&one, &two] {
        // This request detects the outage.
        slots.extend(node.streams.take(client(1), Some(20)).await);
        node.until(|status| !status.up).await;
    }
    let now = |node: &Node, number| {
        (0..30).filter_map(|_| node.streams.take_now(client(number), Some(20))).collect::<Vec<_>>()
    };
    let more = [now(&one, 1), now(&two, 1)];
    assert_eq!(more.each_ref().map(Vec::len), [3, 9]);
    assert!(one.streams.take(client(1), Some(20)).await.is_none());
    let seven = now(&one, 2).split_off(3);
    assert_eq!(seven.len(), 7);
    redis.resume();
    for node in [&one, &two] {
        node.until(|status| status.up).await;
    }
    until_known(&redis, STREAMS, 20).await;
    until_known(&redis, "svc:streams:network:192.0.2.2", 7).await;
    assert_eq!(open(&two, client(1), 20, 1).await.len(), 0);
    let three = open(&two, client(2), 20, 20).await;
    assert_eq!(three.len(), 13);
}
