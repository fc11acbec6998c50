//! Two nodes behind a proxy, one of which is stopped or dies.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use reqwest::Client;
use tokio::{sync::watch, task::JoinSet};

use super::{Proxy, black_hole::BlackHole, client, haproxy, nginx};
use crate::{
    harness::{Svc, http, soon},
    served::Served,
};

const STREAMS: usize = 12;

/// Number of open streams in a node's metrics.
async fn open_streams(node: &Served) -> usize {
    let numbers = http().get(format!("{}/metrics", node.ops)).send().await.unwrap();
    let numbers = numbers.text().await.unwrap();
    let line = numbers.lines().find(|line| line.starts_with("svc_open_streams ")).unwrap();
    line.rsplit_once(' ').unwrap().1.parse().unwrap()
}

/// Follows the stream like a browser, which reopens it whenever it ends. Counts the streams opened.
async fn follow(client: Client, url: String, opened: Arc<AtomicUsize>) {
    loop {
        let mut response = client.get(&url).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut text = String::new();
        while let Some(chunk) = response.chunk().await.unwrap() {
            let is_new = text.is_empty();
            text += str::from_utf8(&chunk).unwrap();
            opened.fetch_add(usize::from(is_new), Relaxed);
        }
        assert!(text.starts_with("retry: ") && text.contains("event: metrics"), "{text}");
    }
}

/// Sends requests one after the other until `over`, and returns the number of responses by status.
async fn ask(client: Client, url: String, key: String, over: watch::Receiver<bool>) -> Statuses {
    let mut statuses = Statuses::new();
    while !*over.borrow() {
        let response = client.get(&url).bearer_auth(&key).send().await.unwrap();
        *statuses.entry(response.status().as_u16()).or_default() += 1;
    }
    statuses
}

type Statuses = BTreeMap<u16, u64>;

fn address(node: &Served) -> SocketAddr {
    node.url.strip_prefix("http://").unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_node_behind_nginx_that_is_stopped_costs_no_request_and_its_streams_go_on_at_the_other() {
    stopped(async |nodes| nginx::start_balancing(nodes).await, "--drain-delay=0").await;
}

#[tokio::test]
async fn a_node_behind_haproxy_that_is_stopped_costs_no_request_and_its_streams_go_on_at_the_other()
{
    stopped(async |nodes| haproxy::start_balancing(nodes).await, "--drain-delay=5").await;
}

async fn stopped(balancing: impl AsyncFn([SocketAddr; 2]) -> Proxy, delay: &str) {
    let svc = Svc::migrated();
    let created = ["keys", "create", "--partner", "us", "--tier", "enterprise", "--json"];
    let key = svc.json(&created)["key"].as_str().unwrap().to_owned();
    let flags = ["--drain-spread=1", delay, "--trusted-proxies=127.0.0.1"];
    let (mut leaving, staying) =
        (Served::start_with(&svc, &flags), Served::start_with(&svc, &flags));
    let proxy = balancing([address(&leaving), address(&staying)]).await;
    let visitor = client(&proxy).http1_only().build().unwrap();

    let opened = Arc::new(AtomicUsize::new(0));
    let mut streams = JoinSet::new();
    for _ in 0..STREAMS {
        streams.spawn(follow(visitor.clone(), proxy.url("/api/v1/stream"), opened.clone()));
    }
    soon("the streams", async {
        while opened.load(Relaxed) < STREAMS {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(open_streams(&leaving).await > 0 && open_streams(&staying).await > 0);
    let (over, is_over) = watch::channel(false);
    let mut requests = JoinSet::new();
    for _ in 0..4 {
        let url = proxy.url("/api/v1/metrics");
        requests.spawn(ask(visitor.clone(), url, key.clone(), is_over.clone()));
    }

    tokio::task::spawn_blocking(move || leaving.stop()).await.unwrap();
    soon("all streams at the other node", async {
        while open_streams(&staying).await < STREAMS {
            tokio::task::yield_now().await;
        }
    })
    .await;
    over.send(true).unwrap();
    for statuses in requests.join_all().await {
        assert_eq!(statuses.keys().collect::<Vec<_>>(), [&200], "{statuses:?}");
    }
    assert!(streams.try_join_next().is_none(), "no stream has failed");
}

#[tokio::test]
async fn a_machine_behind_nginx_that_is_gone_costs_no_request() {
    gone(async |nodes| nginx::start_balancing(nodes).await).await;
}

#[tokio::test]
async fn a_machine_behind_haproxy_that_is_gone_costs_no_request() {
    gone(async |nodes| haproxy::start_balancing(nodes).await).await;
}

/// The test allows a minute for all requests together. A proxy waits that long for a single connection by default.
async fn gone(balancing: impl AsyncFn([SocketAddr; 2]) -> Proxy) {
    let hole = BlackHole::new();
    let svc = Svc::migrated();
    let node = Served::start_with(&svc, &["--trusted-proxies=127.0.0.1"]);
    let proxy = balancing([hole.address, address(&node)]).await;
    let visitor = client(&proxy).http1_only().build().unwrap();
    for request in 0..6 {
        let response = soon("a response", visitor.get(proxy.url("/api/v1/metrics")).send());
        assert_eq!(response.await.unwrap().status(), 200, "{request}");
    }
}

#[tokio::test]
async fn a_node_behind_nginx_that_hangs_costs_no_reader_and_no_stream() {
    hanging(async |nodes| nginx::start_balancing(nodes).await).await;
}

#[tokio::test]
async fn a_node_behind_haproxy_that_hangs_costs_no_reader_and_no_stream() {
    hanging(async |nodes| haproxy::start_balancing(nodes).await).await;
}

/// The hanging node keeps its connections, including those that the proxy reuses, but sends nothing, like a machine
/// that has just died.
async fn hanging(balancing: impl AsyncFn([SocketAddr; 2]) -> Proxy) {
    let svc = Svc::migrated();
    let flags = ["--trusted-proxies=127.0.0.1"];
    let (hanging, staying) = (Served::start_with(&svc, &flags), Served::start_with(&svc, &flags));
    let proxy = balancing([address(&hanging), address(&staying)]).await;
    let visitor = client(&proxy).http1_only().build().unwrap();
    let opened = Arc::new(AtomicUsize::new(0));
    let mut streams = JoinSet::new();
    for _ in 0..STREAMS {
        streams.spawn(kept(visitor.clone(), proxy.url("/api/v1/stream"), opened.clone()));
    }
    soon("the streams", async {
        while opened.load(Relaxed) < STREAMS {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(open_streams(&hanging).await > 0 && open_streams(&staying).await > 0);
    for _ in 0..4 {
        let response = visitor.get(proxy.url("/api/v1/metrics")).send().await.unwrap();
        assert_eq!(response.status(), 200);
    }
    signal(&hanging, "STOP");
    let requests = (0..4).map(|_| visitor.get(proxy.url("/api/v1/metrics")).send());
    let responses = soon("the responses", futures_util::future::join_all(requests)).await;
    for response in responses {
        assert_eq!(response.unwrap().status(), 200);
    }
    soon("all streams at the other node", async {
        while open_streams(&staying).await < STREAMS {
            tokio::task::yield_now().await;
        }
    })
    .await;
    signal(&hanging, "CONT");
}

fn signal(node: &Served, name: &str) {
    let id = node.child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
}

/// Follows the stream, ignoring errors.
async fn kept(client: Client, url: String, opened: Arc<AtomicUsize>) {
    loop {
        let Ok(mut response) = client.get(&url).send().await else { continue };
        let mut is_new = true;
        while let Ok(Some(_)) = response.chunk().await {
            opened.fetch_add(usize::from(is_new), Relaxed);
            is_new = false;
        }
    }
}
