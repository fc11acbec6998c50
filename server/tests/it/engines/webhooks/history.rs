//! Delivery history as partners see it.

use domain::subscription::DeliveryStatus::{self, Delivered, Failed, Pending};
use store::{History, HistoryQuery, PastDelivery};

use crate::{
    node::{Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply},
};

fn query(node: &Node, of: &Subscription) -> HistoryQuery {
    let subscription = of.id.clone();
    HistoryQuery { partner_id: node.partner_id, subscription, status: None, before: None, limit: 2 }
}

/// Returns all deliveries, page by page.
async fn all(node: &Node, mut query: HistoryQuery) -> Vec<PastDelivery> {
    let mut all = Vec::new();
    loop {
        let page = node.store().deliveries().history(&query).await.unwrap().unwrap();
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
    // The first report never arrives; the others do.
    let receiver = Receiver::scripted(|request, _| match request.report().as_str() {
        "lost" | "late" => Reply::Status(500),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.fail_for_good(&subscription, "lost").await;
    node.approve(&["late"]).await;
    node.dispatch().await;
    let listed = all(&node, query(&node, &subscription)).await;
    let expected = [vec![Pending], vec![Delivered; 10], vec![Failed]].concat();
    assert_eq!(statuses(&listed), expected);
    let ids: Vec<&str> = listed.iter().map(|delivery| delivery.id.as_str()).collect();
    let log = node.log(&subscription).await;
    let operators: Vec<&str> = log.iter().rev().map(|delivery| delivery.id.as_str()).collect();
    assert_eq!(ids, operators);
    assert_eq!(listed[0].attempts.len(), 1);
    let lost = &listed[11];
    let tried: Vec<_> =
        lost.attempts.iter().map(|attempt| (attempt.status, &attempt.error)).collect();
    assert_eq!(tried, [(Some(500), &None); 10]);
    assert!(lost.attempts.is_sorted_by_key(|attempt| &attempt.started_at), "{lost:?}");
    assert_eq!(
        (&*lost.event, &lost.event_id),
        ("report.created", &receiver.requests()[0].id().to_owned())
    );
    for (status, expected) in [(Failed, 1), (Delivered, 10), (Pending, 1)] {
        let query = HistoryQuery { status: Some(status), ..query(&node, &subscription) };
        assert_eq!(statuses(&all(&node, query).await), vec![status; expected]);
    }
}

#[tokio::test]
async fn a_partner_sees_only_the_deliveries_of_its_own_subscriptions() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let one = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    let other = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    node.dispatch().await;
    assert_eq!(all(&node, query(&node, &one)).await.len(), 2);
    let rivals = HistoryQuery { partner_id: node.partner_id + 1, ..query(&node, &one) };
    assert_eq!(node.store().deliveries().history(&rivals).await.unwrap(), None);
    node.store().subscriptions().unsubscribe(node.partner_id, &other.id).await.unwrap();
    assert_eq!(node.store().deliveries().history(&query(&node, &other)).await.unwrap(), None);
    let none = HistoryQuery { before: Some(1), ..query(&node, &one) };
    let nothing = History { deliveries: Vec::new(), next: 1, more: false };
    assert_eq!(node.store().deliveries().history(&none).await.unwrap(), Some(nothing));
}
