//! Every kind of bad receiver: the recorded result, and no effect on other receivers.

use std::time::Duration;

use base::clock::Clock;
use chrono::TimeDelta;
use domain::subscription::DeliveryStatus;
use rcgen::{CertificateParams, KeyPair};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use store::ListedDelivery;
use tokio::net::TcpSocket;
use webhooks::client::Timeouts;

use crate::{
    harness::{START, instant},
    node::{Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};

/// Upper limit for the bytes in the buffers of a connection, far less than a client could read in its time.
const BUFFERED: usize = 64 << 20;

/// Result of an attempt: the status of the response, or the reason why there is none.
type Outcome<'o> = Result<i64, &'o str>;

fn outcome(delivery: &ListedDelivery) -> Outcome<'_> {
    let attempt = delivery.last_attempt.as_ref().unwrap();
    match (attempt.status_code, &attempt.error) {
        (Some(status), None) => Ok(status),
        (None, Some(error)) => Err(error),
        both => panic!("{both:?}"),
    }
}

/// Sends one report to receivers with these replies, all at the same time, and to a working one. Returns the delivery
/// of each.
async fn tell(timeout: Timeouts, replies: &[Reply]) -> Vec<(ListedDelivery, Receiver)> {
    let node = Node::with(Clock::stepped(instant(START)), timeout).await;
    let mut told = Vec::new();
    for reply in replies {
        let receiver = Receiver::with(reply.clone()).await;
        told.push((node.subscribe(&receiver.url(), &[ReportCreated]).await, receiver));
    }
    let well = Receiver::with(Reply::Status(200)).await;
    let its = node.subscribe(&well.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, replies.len() + 1);
    assert_eq!(node.statuses(&its).await, [DeliveryStatus::Delivered]);
    let mut ended = Vec::new();
    for (subscription, receiver) in told {
        ended.push((node.log(&subscription).await.remove(0), receiver));
    }
    ended
}

/// Checks that the delivery waits for the first retry of the schedule.
fn assert_waits(delivery: &ListedDelivery) {
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Pending, 1));
    let wait = delivery.next_attempt_at.unwrap().0 - instant(START);
    assert!((TimeDelta::seconds(4)..=TimeDelta::seconds(6)).contains(&wait), "{wait}");
}

#[tokio::test]
async fn an_answer_other_than_2xx_is_a_failure() {
    let statuses = [199, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 429, 500, 503, 599];
    let replies: Vec<Reply> = statuses
        .map(|status| match status {
            // Informational statuses only announce a response, so the connection is closed after it.
            199 => Reply::Cut("HTTP/1.1 199 So\r\n\r\n"),
            status => Reply::Status(status),
        })
        .into();
    for (status, (delivery, _)) in statuses.into_iter().zip(tell(PATIENT, &replies).await) {
        assert_waits(&delivery);
        match status {
            199 => {
                assert_eq!(outcome(&delivery), Err("the connection was closed without a response"))
            }
            status => assert_eq!(outcome(&delivery), Ok(i64::from(status))),
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_none_is_a_failure_with_its_reason() {
    const CLOSED: &str = "the connection was closed without a response";
    const NOT_HTTP: &str = "not HTTP/1.1";
    let cases = [
        (Reply::Cut(""), CLOSED),
        (Reply::Cut("HTTP/1.1 200 OK\r\nContent-Le"), CLOSED),
        (Reply::Cut("HTTP/1.1 100 Continue\r\n\r\n"), CLOSED),
        (Reply::Cut("SSH-2.0-OpenSSH_9.6\r\n"), NOT_HTTP),
        (Reply::Cut("\0\u{1}\u{2}\r\n\r\n"), NOT_HTTP),
        (Reply::Cut("HTTP/1.1 OK\r\n\r\n"), NOT_HTTP),
        (Reply::Cut("<html><body>502 Bad Gateway</body></html>\r\n\r\n"), NOT_HTTP),
    ];
    let replies = cases.each_ref().map(|(reply, _)| reply.clone());
    for ((reply, reason), (delivery, _)) in cases.iter().zip(tell(PATIENT, &replies).await) {
        assert_eq!(outcome(&delivery), Err(*reason), "{reply:?}");
        assert_waits(&delivery);
    }
}

#[tokio::test]
async fn a_receiver_that_hangs_or_drips_before_its_answer_is_given_up() {
    const DOT: &[u8] = b".";
    const EARLY: &[u8] = b"HTTP/1.1 103 Early Hints\r\n\r\n";
    let pace = Duration::from_millis(20);
    let replies = [
        Reply::Stuck(""),
        Reply::Stuck("HTTP/1.1 2"),
        Reply::Stuck("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
        Reply::Endless("HTTP/1.1 200 OK\r\nX-Filler: ", DOT, pace),
        Reply::Endless("", EARLY, pace),
    ];
    // The working receiver must respond within this time.
    let timeout = Timeouts { answer: Duration::from_secs(4), ..PATIENT };
    for (reply, (delivery, _)) in replies.iter().zip(tell(timeout, &replies).await) {
        assert_eq!(outcome(&delivery), Err("no response within 4 s"), "{reply:?}");
        assert_waits(&delivery);
    }
}

#[tokio::test]
async fn a_receiver_whose_head_never_ends_is_cut_off_by_its_length() {
    let replies = [
        Reply::Endless("HTTP/1.1 200 OK\r\n", b"X-Filler: ..............\r\n", Duration::ZERO),
        Reply::Endless("HTTP/1.1 200 OK\r\nX-Filler: ", &[b'.'; 4_096], Duration::ZERO),
    ];
    for (delivery, receiver) in tell(PATIENT, &replies).await {
        assert_eq!(outcome(&delivery), Err("the head of the response is too long"));
        assert_waits(&delivery);
        assert!(receiver.left().await < BUFFERED);
    }
}

/// The status decides success: faults of a receiver after its head do not cause a second delivery.
#[tokio::test]
async fn a_receiver_that_misbehaves_after_its_head_has_accepted() {
    let replies = [
        Reply::Slow(200),
        Reply::Cut("HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\nshort"),
        Reply::Cut("HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"),
        Reply::Stuck("HTTP/1.1 204 No Content\r\n\r\n"),
        Reply::Stuck("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
        Reply::Endless(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
            b".",
            Duration::from_millis(5),
        ),
    ];
    let timeout = Timeouts { drain: Duration::from_millis(100), ..PATIENT };
    for (reply, (delivery, _)) in replies.iter().zip(tell(timeout, &replies).await) {
        assert_eq!(delivery.status, DeliveryStatus::Delivered, "{reply:?}");
        assert!(outcome(&delivery).is_ok_and(|status| (200..300).contains(&status)), "{reply:?}");
        assert_eq!((delivery.attempts, delivery.next_attempt_at), (1, None));
    }
}

/// The length of the body ends the attempt, not the time.
#[tokio::test]
async fn a_receiver_whose_body_never_ends_is_cut_off_by_its_length() {
    const CHUNK: &[u8] = b"8\r\n........\r\n";
    const FILL: &[u8] = &[b'.'; 4_096];
    let replies = [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", CHUNK, true),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", FILL, true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", FILL, true),
        ("HTTP/1.1 500 No\r\nContent-Length: 99999999999\r\n\r\n", FILL, false),
    ];
    let endless = replies.map(|(head, again, _)| Reply::Endless(head, again, Duration::ZERO));
    let ended = tell(PATIENT, &endless).await;
    for ((head, _, accepted), (delivery, receiver)) in replies.into_iter().zip(ended) {
        assert_eq!(delivery.status == DeliveryStatus::Delivered, accepted, "{head}");
        assert!(receiver.left().await < BUFFERED, "{head}");
    }
}

#[tokio::test]
async fn a_port_that_refuses_is_called_that() {
    // The port is bound but not listening, so that no other process takes it.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let node = Node::new().await;
    let url = format!("http://{}/", socket.local_addr().unwrap());
    let subscription = node.subscribe(&url, &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!(outcome(&delivery), Err("connection refused"));
    assert_waits(&delivery);
}

#[tokio::test]
async fn faults_of_tls_are_failures_and_nothing_is_sent() {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let tls = ServerConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    let stranger = Receiver::behind(std::sync::Arc::new(tls).into()).await;
    let plain = Receiver::with(Reply::Status(200)).await;
    // A plain HTTP receiver closes the connection after a TLS handshake.
    let to_plain = plain.url().replace("http:", "https:");
    let from_plain = stranger.url().replace("https:", "http:");
    let node = Node::new().await;
    for (url, reason) in [
        (stranger.url(), "TLS: the certificate is not trusted (its issuer is not known)"),
        (to_plain, "the connection was closed without a response"),
        (from_plain, "not HTTP/1.1"),
    ] {
        let subscription = node.subscribe(&url, &[ReportCreated]).await;
        node.approve(&[&url]).await;
        node.dispatch().await;
        let delivery = node.log(&subscription).await.remove(0);
        assert_eq!(outcome(&delivery), Err(reason), "{url}");
        assert_waits(&delivery);
    }
    assert_eq!((stranger.count(), plain.count()), (0, 0));
}
