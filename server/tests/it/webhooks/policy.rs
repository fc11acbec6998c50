//! Addresses to which webhooks are never sent.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    sync::atomic::{AtomicBool, Ordering},
};

use base::clock::Clock;
use domain::subscription::DeliveryStatus;

use svc::config::WebhookTargets;

use webhooks::{client::Client, resolver::Resolver, url::WebhookUrl};

use crate::{
    harness::{START, instant},
    node::{LENIENT, Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn a_redirect_is_a_failure_and_its_goal_hears_nothing() {
    let node = Node::new().await;
    let inside = Receiver::with(Reply::Status(200)).await;
    for status in [301, 302, 303, 307, 308] {
        for header in ["Location", "Refresh"] {
            let goal = inside.url();
            let text =
                format!("HTTP/1.1 {status} So\r\n{header}: {goal}\r\nContent-Length: 0\r\n\r\n");
            let receiver = Receiver::with(Reply::Text(text)).await;
            let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
            node.approve(&[&receiver.url()]).await;
            node.dispatch().await;
            let delivery = node.log(&subscription).await.remove(0);
            let attempt = delivery.last_attempt.unwrap();
            assert_eq!(attempt.status_code, Some(status));
            assert_eq!(delivery.status, DeliveryStatus::Pending);
            assert!(
                node.store()
                    .subscriptions()
                    .unsubscribe(node.partner_id, &subscription.id)
                    .await
                    .unwrap()
            );
        }
    }
    assert_eq!(inside.count(), 0);
}

/// The operator may have revoked a permission that existed when the subscription was created.
#[tokio::test]
async fn a_private_address_that_is_not_allowed_any_more_is_not_connected_to() {
    let receiver = Receiver::with(Reply::Status(200)).await;
    for (allowed, reason) in [
        (WebhookTargets::with(true, false), "a loopback address"),
        (WebhookTargets::with(false, true), "use https"),
    ] {
        let client = Client::with_timeouts(allowed, Resolver::system(), PATIENT).unwrap();
        let node = Node::sending(client, Clock::stepped(instant(START))).await;
        let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
        node.approve(&["a"]).await;
        assert_eq!(node.dispatch().await, 1);
        let delivery = node.log(&subscription).await.remove(0);
        assert_eq!(delivery.status, DeliveryStatus::Pending);
        let error = delivery.last_attempt.unwrap().error.unwrap();
        assert!(error.contains(reason), "{error}");
    }
    assert_eq!(receiver.count(), 0);
}

/// DNS rebinding: the name resolves to a public address for the subscription and the first attempt, and to a private
/// one for the second.
#[tokio::test]
async fn a_name_whose_answer_turns_private_is_not_connected_to() {
    let inside = Receiver::with(Reply::Status(200)).await;
    let turned = Arc::new(AtomicBool::new(false));
    let resolver = {
        let turned = Arc::clone(&turned);
        Resolver::scripted(move |_| {
            let private = IpAddr::from(Ipv4Addr::LOCALHOST);
            let public = IpAddr::from(Ipv4Addr::new(93, 184, 215, 14));
            Ok(vec![if turned.load(Ordering::Relaxed) { private } else { public }])
        })
    };
    let allowed = WebhookTargets::with(true, false);
    let url = format!("http://hooks.example.org:{}/hook", inside.address.port());
    let judged = WebhookUrl::parse(&url, &allowed).unwrap();
    judged.check_reachable(&resolver, &allowed).await.unwrap();
    turned.store(true, Ordering::Relaxed);
    let client = Client::with_timeouts(allowed, resolver.clone(), PATIENT).unwrap();
    let node = Node::sending(client, Clock::stepped(instant(START))).await;
    let subscription = node.subscribe(&url, &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    let delivery = node.log(&subscription).await.remove(0);
    let error = delivery.last_attempt.unwrap().error.unwrap();
    assert_eq!(error, "the host resolves to a loopback address");
    assert_eq!(inside.count(), 0);
    // With permissive rules the same name is reached, so the rule caused the refusal.
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    let node = Node::sending(client, Clock::stepped(instant(START))).await;
    let subscription = node.subscribe(&url, &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    assert_eq!(node.statuses(&subscription).await, [DeliveryStatus::Delivered]);
    assert_eq!(inside.count(), 1);
}
