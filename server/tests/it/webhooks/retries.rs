//! Retry schedule of an event that fails while others succeed.

use domain::subscription::DeliveryStatus;
use webhooks::schedule::WAITS;

use crate::{
    node::{DAY, MILLISECOND, Node, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn ten_attempts_follow_the_schedule_and_then_it_has_failed() {
    let node = Node::new().await;
    let receiver = Receiver::refusing("a").await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    for (number, planned) in (1..).zip(WAITS) {
        let due = node.next_try(&subscription).await.unwrap();
        let wait = (due - node.now()).to_std().unwrap();
        assert!((planned * 4 / 5..=planned * 6 / 5).contains(&wait), "after {number}: {wait:?}");
        // The endpoint accepts other events.
        node.approve(&[&format!("b{number}")]).await;
        node.clock.advance(wait - MILLISECOND);
        assert_eq!((node.dispatch().await, receiver.count()), (1, 2 * number), "too early");
        node.clock.advance(MILLISECOND);
        assert_eq!((node.dispatch().await, receiver.count()), (1, 2 * number + 1));
    }
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Failed, 10));
    assert_eq!(delivery.next_attempt_at, None);
    assert_eq!(node.rows("attempts").await, 19);
    node.clock.advance(DAY * 30);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 19));
}

#[tokio::test]
async fn a_success_ends_the_attempts() {
    let node = Node::new().await;
    let receiver =
        Receiver::scripted(|_, number| Reply::Status(if number < 3 { 503 } else { 204 })).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.run_until(&subscription, node.now() + DAY).await;
    node.clock.advance(DAY * 30);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 3));
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Delivered, 3));
    assert_eq!(delivery.last_attempt.unwrap().status_code, Some(204));
}
