//! Locations of Redis: behind TLS, in a cluster, on a port.

use std::{fs, path::Path};

use base::clock::Clock;
use chrono::{DateTime, Utc};
use limits::Quota;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use super::{Node, client};
use crate::redis::{PATIENT, Redis, cluster::Cluster, free_addresses};

fn stepped() -> Clock {
    Clock::stepped(DateTime::<Utc>::UNIX_EPOCH)
}

/// Writes the files of a certificate authority, and of a server and a client certificate.
fn certify(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::default();
    // Without it, the authority would have the same name as its certificates, which would look self-signed.
    authority.distinguished_name.push(DnType::CommonName, "authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    write("ca.pem", authority.self_signed(&key).unwrap().pem());
    let issuer = Issuer::from_params(&authority, key);
    for (name, host) in [("server", "localhost"), ("client", "svc")] {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([host.to_owned()]).unwrap();
        write(&format!("{name}.pem"), params.signed_by(&key, &issuer).unwrap().pem());
        write(&format!("{name}.key"), key.serialize_pem());
    }
}

#[tokio::test]
async fn over_tls_with_an_authority_of_its_own_and_a_client_certificate() {
    let [address] = free_addresses();
    let port = address.port().to_string();
    let redis = Redis::prepared(|folder| {
        certify(folder);
        ["--tls-port", &port, "--bind", "127.0.0.1", "--tls-cert-file", "server.pem"]
            .into_iter()
            .chain(["--tls-key-file", "server.key", "--tls-ca-cert-file", "ca.pem"])
            .chain(["--tls-auth-clients", "yes"])
            .map(str::to_owned)
            .collect()
    })
    .await;
    let file = |name: &str| redis.folder.path().join(name).display().to_string();
    let (ca, cert, key) = (file("ca.pem"), file("client.pem"), file("client.key"));
    let url = format!("rediss://localhost:{port}?{PATIENT}&cacert={ca}&cert={cert}&key={key}");
    let nodes = Node::several::<2>(&url, &stepped()).await;
    assert_eq!(nodes[0].accepted(client(1), &Quota::PUBLIC, 40).await, 40);
    assert_eq!(nodes[1].accepted(client(1), &Quota::PUBLIC, 40).await, 20);
    assert_eq!(nodes[0].status().alone, 0);
    for (refused, url) in [
        ("no client certificate", format!("rediss://localhost:{port}?cacert={ca}")),
        ("an unknown authority", format!("rediss://localhost:{port}?cert={cert}&key={key}")),
        ("another name", format!("rediss://127.0.0.1:{port}?cacert={ca}&cert={cert}&key={key}")),
        ("no TLS", format!("redis://localhost:{port}")),
    ] {
        assert!(!Node::start(&url, &stepped()).await.status().up, "{refused}");
    }
}

#[tokio::test]
async fn on_a_port_with_a_user_that_may_do_no_more_than_the_documentation_says() {
    let documented = include_str!("../../../../docs/operate/several-nodes.md");
    let rule = documented.lines().find_map(|line| line.strip_prefix("ACL SETUSER svc ")).unwrap();
    let [address] = free_addresses();
    let port = address.port().to_string();
    let redis = Redis::with(&["--port", &port, "--bind", "127.0.0.1"]).await;
    let rule = rule.replace(">PASSWORD", ">p%40ss");
    let user = [&["ACL", "SETUSER", "svc"], &*rule.split(' ').collect::<Vec<_>>()].concat();
    redis.ask::<()>(&user).await;
    let url = format!("redis://svc:p%2540ss@127.0.0.1:{port}/0?{PATIENT}");
    let node = Node::start(&url, &stepped()).await;
    assert_eq!(node.accepted(client(1), &Quota::PUBLIC, 70).await, 60);
    let slot = node.streams.take(client(1), Some(20)).await;
    assert!(slot.is_some());
    redis.ask::<()>(&["FLUSHALL"]).await;
    super::soon("what was deleted", async {
        while redis.keys().await.len() < 3 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    node.stopping.cancel();
    drop(slot);
    node.stop().await;
    assert_eq!(redis.keys().await, ["svc:log:network:192.0.2.1"]);
    let denied: Vec<redis::Value> = redis.ask(&["ACL", "LOG"]).await;
    assert_eq!(denied, []);
}

#[tokio::test]
async fn in_a_cluster() {
    let cluster = Cluster::start().await;
    let clock = stepped();
    let nodes = Node::several::<2>(&cluster.url(PATIENT), &clock).await;
    let mut slots = Vec::new();
    for number in 1..=30 {
        assert_eq!(nodes[0].accepted(client(number), &Quota::PUBLIC, 40).await, 40);
        assert_eq!(nodes[1].accepted(client(number), &Quota::PUBLIC, 40).await, 20);
        for _ in 0..3 {
            for node in &nodes {
                slots.extend(node.streams.take(client(number), Some(5)).await);
            }
        }
        assert_eq!(slots.len(), usize::from(number) * 5);
    }
    for master in &cluster.nodes {
        assert!(master.keys().await.len() > 5, "each has a part");
        master.ask::<()>(&["SCRIPT", "FLUSH"]).await;
    }
    assert_eq!(nodes[1].accepted(client(1), &Quota::PUBLIC, 1).await, 0);
    assert_eq!(nodes.each_ref().map(|node| node.status().alone), [0, 0]);
}

#[tokio::test]
async fn a_cluster_without_one_of_its_nodes_is_away_until_that_is_back() {
    let cluster = Cluster::start().await;
    let node = Node::start(&cluster.url("timeout_ms=500"), &stepped()).await;
    for number in 1..=30 {
        assert_eq!(node.accepted(client(number), &Quota::PUBLIC, 10).await, 10);
    }
    cluster.nodes[2].pause();
    let mut number = 0;
    while node.status().up {
        number = number % 30 + 1;
        node.take(client(number), &Quota::PUBLIC).await;
        tokio::task::yield_now().await;
    }
    for number in 1..=30 {
        assert!(node.take_now(client(number), &Quota::PUBLIC).is_some());
    }
    cluster.nodes[2].resume();
    node.until(|status| status.up).await;
    for number in 1..=30 {
        node.accepted(client(number), &Quota::PUBLIC, 60).await;
        assert_eq!(node.peek(client(number), &Quota::PUBLIC).await.remaining, 0);
    }
}
