//! What subscriptions have yet to get through.

use chrono::TimeDelta;
use svc::store::Backlog;

use super::{
    moody::Moody,
    node::{DAY, MetricsUpdated, Node, ReportCreated, Subscription},
};

fn backlog(of: &Subscription, events: i64, age: TimeDelta) -> Backlog {
    Backlog { subscription: of.id.clone(), events, age }
}

#[tokio::test]
async fn a_backlog_is_what_was_not_sent_and_what_is_to_be_sent_again_with_the_age_of_the_oldest() {
    let node = Node::new().await;
    let (well, failing) = (Moody::new(200).await, Moody::new(500).await);
    let well = node.subscribe(&well.receiver.url(), &[ReportCreated]).await;
    let subscription =
        node.subscribe(&failing.receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    let none = TimeDelta::zero();
    let backlogs = async || node.store().backlogs().await.unwrap();
    assert_eq!(backlogs().await, [backlog(&well, 0, none), backlog(&subscription, 0, none)]);
    node.approve_many(10).await;
    assert_eq!(backlogs().await, [backlog(&well, 20, none), backlog(&subscription, 20, none)]);
    node.dispatch().await;
    node.clock.advance(DAY);
    // Five have failed, and the others wait behind them.
    let day = TimeDelta::days(1);
    assert_eq!(backlogs().await, [backlog(&well, 0, none), backlog(&subscription, 20, day)]);
    failing.answers(200);
    node.dispatch().await;
    assert_eq!(backlogs().await, [backlog(&well, 0, none), backlog(&subscription, 0, none)]);
    node.store().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    assert_eq!(backlogs().await, [backlog(&well, 0, none)]);
}
