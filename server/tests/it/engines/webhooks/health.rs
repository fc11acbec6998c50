//! Health of endpoints as partners see it.

use base::time::format_instant;
use chrono::{DateTime, Utc};
use domain::subscription::SubscriptionStatus::Disabled;
use serde_json::{Value, json};
use store::Change;

use crate::{
    node::{MILLISECOND, Node, ReportCreated},
    receiver::{Receiver, Reply},
};

async fn health(node: &Node) -> Vec<Value> {
    let listed = node.store().subscriptions().with_health(node.partner_id).await.unwrap();
    listed.iter().map(|one| serde_json::to_value(&one.health).unwrap()).collect()
}

#[tokio::test]
async fn partners_see_that_an_endpoint_is_paused_since_when_why_and_until_when() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1..=6 => Reply::Status(500),
        _ => Reply::Status(204),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    assert_eq!(health(&node).await, [json!({ "state": "HEALTHY", "backlog": 0 })]);
    node.approve(&["a"]).await;
    // Events that the subscription does not receive are not in its backlog.
    assert_eq!(health(&node).await, [json!({ "state": "HEALTHY", "backlog": 1 })]);
    let since = format_instant(node.now());
    node.dispatch().await;
    let next = node.next_try(&subscription).await.unwrap();
    let failing = |state: &str, next: DateTime<Utc>, backlog: u64| {
        json!({
            "state": state, "since": since, "reason": "the response was 500",
            "nextAttemptAt": format_instant(next), "backlog": backlog,
        })
    };
    assert_eq!(health(&node).await, [failing("FAILING", next, 1)]);
    node.approve(&["b", "c", "d", "e", "f", "g"]).await;
    while node.paused_until().await.is_none() {
        let next = node.next_try(&subscription).await.unwrap();
        node.advance_to(next);
        node.dispatch().await;
    }
    let until = node.paused_until().await.unwrap();
    assert_eq!(health(&node).await, [failing("PAUSED", until, 7)]);
    // The first probe fails, the second succeeds.
    node.advance_to(until + chrono::TimeDelta::from_std(MILLISECOND).unwrap());
    node.dispatch().await;
    let until = node.paused_until().await.unwrap();
    assert_eq!(health(&node).await, [failing("PAUSED", until, 7)]);
    node.advance_to(until);
    node.dispatch().await;
    node.run_until(&subscription, until + chrono::TimeDelta::hours(1)).await;
    assert_eq!(health(&node).await, [json!({ "state": "HEALTHY", "backlog": 0 })]);
}

#[tokio::test]
async fn what_waits_for_a_disabled_subscription_is_its_backlog() {
    let node = Node::new().await;
    let subscription = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    let change = Change { status: Some(Disabled), ..Change::default() };
    node.store().subscriptions().change(node.partner_id, &subscription.id, &change).await.unwrap();
    node.approve_many(3).await;
    let reason = "The partner has disabled it.";
    let expected = json!({ "state": "DISABLED", "reason": reason, "backlog": 3 });
    assert_eq!(health(&node).await, [expected]);
}
