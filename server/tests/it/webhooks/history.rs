//! What partners see of their deliveries.

use svc::{
    domain::subscription::DeliveryStatus::{self, Delivered, Failed, Pending},
    store::{History, HistoryQuery, PastDelivery},
};

use super::{
    node::{DAY, Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply},
};

fn query(node: &Node, of: &Subscription) -> HistoryQuery {
    let subscription = of.id.clone();
    HistoryQuery { partner_id: node.partner_id, subscription, status: None, before: None, limit: 2 }
}

/// All deliveries, page by page.
async fn all(node: &Node, mut query: HistoryQuery) -> Vec<PastDelivery> {
    let mut all = Vec::new();
    loop {
        let page = node.store().delivery_history(&query).await.unwrap().unwrap();
        let History { deliveries, next, more } = page;
        assert!(deliveries.len() <= query.limit);
        all.extend(deliveries);
        if !more {
            return all;
        }
        query.before = Some(next);
    }
}

fn statuses(deliveries: &[PastDelivery]) -> Vec<DeliveryStatus> {
    deliveries.iter().map(|delivery| delivery.status).collect()
}

#[tokio::test]
async fn deliveries_are_listed_with_every_attempt_the_newest_event_first() {
    let node = Node::new().await;
    // The first report never arrives, the others do.
    let receiver = Receiver::scripted(|request, _| {
        Reply::Status(if request.report() == "lost" { 503 } else { 200 })
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["lost"]).await;
    node.run_until(&subscription, node.now() + DAY * 4).await;
    for id in ["a", "b", "c"] {
        node.approve(&[id]).await;
        node.dispatch().await;
    }
    node.approve(&["waits"]).await;
    let listed = all(&node, query(&node, &subscription)).await;
    assert_eq!(statuses(&listed), [Pending, Delivered, Delivered, Delivered, Failed]);
    let ids: Vec<&str> = listed.iter().map(|delivery| delivery.id.as_str()).collect();
    let log = node.log(&subscription).await;
    let operators: Vec<&str> = log.iter().rev().map(|delivery| delivery.id.as_str()).collect();
    assert_eq!(ids, operators);
    assert_eq!(listed[0].attempts, []);
    let lost = &listed[4];
    let tried: Vec<_> =
        lost.attempts.iter().map(|attempt| (attempt.status, &attempt.error)).collect();
    assert_eq!(tried, [(Some(503), &None); 10]);
    assert!(lost.attempts.is_sorted_by_key(|attempt| &attempt.started_at), "{lost:?}");
    assert_eq!(
        (&*lost.event, &lost.event_id),
        ("report.created", &receiver.requests()[0].id().to_owned())
    );
    for (status, expected) in [(Failed, 1), (Delivered, 3), (Pending, 1)] {
        let query = HistoryQuery { status: Some(status), ..query(&node, &subscription) };
        assert_eq!(statuses(&all(&node, query).await), vec![status; expected]);
    }
}

#[tokio::test]
async fn a_partner_sees_only_the_deliveries_of_its_own_subscriptions() {
    let node = Node::new().await;
    let one = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    let other = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    assert_eq!(all(&node, query(&node, &one)).await.len(), 2);
    let rivals = HistoryQuery { partner_id: node.partner_id + 1, ..query(&node, &one) };
    assert_eq!(node.store().delivery_history(&rivals).await.unwrap(), None);
    node.store().unsubscribe(node.partner_id, &other.id).await.unwrap();
    assert_eq!(node.store().delivery_history(&query(&node, &other)).await.unwrap(), None);
    let none = HistoryQuery { before: Some(1), ..query(&node, &one) };
    let nothing = History { deliveries: Vec::new(), next: 1, more: false };
    assert_eq!(node.store().delivery_history(&none).await.unwrap(), Some(nothing));
}
