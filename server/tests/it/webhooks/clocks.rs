//! Publications are never timed before an earlier one, even when the machine's clock is set back.
//! Deliveries don't wait for it to catch up.

use app::model::ReportType::Spirit;
use chrono::TimeDelta;
use svc::{
    domain::{report::NewReport, subscription::DeliveryStatus::Delivered},
    store::{Mode, Redelivered},
};

use super::moody::Moody;
use crate::{
    harness::report,
    node::{Node, ReportCreated, id},
};

#[tokio::test]
async fn a_clock_that_was_set_back_delays_no_delivery() {
    let node = Node::new().await;
    let hour = TimeDelta::hours(1);
    let ahead = NewReport { created_at: node.now() + hour, ..report("ahead", Spirit) };
    node.database.at(node.now() + hour).import(&[ahead], Mode::Approve).await.unwrap();

    let moody = Moody::new(500).await;
    let subscription = node.subscribe(&moody.receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    // The second try comes after seconds, not at once and not in an hour.
    let wait = node.next_try(&subscription).await.unwrap() - node.now();
    assert!((TimeDelta::seconds(4)..=TimeDelta::seconds(6)).contains(&wait), "{wait}");
    moody.answers(200);
    node.advance_to(node.now() + wait);
    assert_eq!(node.dispatch().await, 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);

    let delivery = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().redeliver(delivery).await.unwrap(), Redelivered::Due);
    assert_eq!(node.dispatch().await, 1);

    moody.answers(410);
    node.approve(&["b"]).await;
    node.dispatch().await;
    moody.answers(200);
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
    assert_eq!(moody.told_from(0), ["a", "a", "a", "b", "b"]);
}
