//! Backlogs of subscriptions.

use chrono::TimeDelta;
use store::{Backlog, LogPosition, Replay};

use crate::{
    node::{DAY, MetricsUpdated, Node, ReportCreated, Subscription},
    webhooks::switchable_receiver::{SwitchableReceiver, with_subscription},
};

/// Subscription, partner, number of waiting events, age of the oldest, and whether the subscription is disabled.
type Waiting = (String, String, i64, TimeDelta, bool);

fn backlog(of: &Subscription, events: i64, age: TimeDelta) -> Waiting {
    (of.id.clone(), "Aid".to_owned(), events, age, false)
}

async fn backlogs(node: &Node) -> Vec<Waiting> {
    let backlogs = node.store().deliveries().backlogs().await.unwrap().into_iter();
    let waiting = |Backlog { subscription, partner, url, events, age, is_disabled }| {
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        (subscription, partner, events, age, is_disabled)
    };
    backlogs.map(waiting).collect()
}

#[tokio::test]
async fn a_backlog_is_what_was_not_sent_and_what_is_to_be_sent_again_with_the_age_of_the_oldest() {
    let node = Node::new().await;
    let (well, failing) = (SwitchableReceiver::new(200).await, SwitchableReceiver::new(500).await);
    let well = node.subscribe(&well.receiver.url(), &[ReportCreated]).await;
    let subscription =
        node.subscribe(&failing.receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    let none = TimeDelta::zero();
    let backlogs = async || backlogs(&node).await;
    assert_eq!(backlogs().await, [backlog(&well, 0, none), backlog(&subscription, 0, none)]);
    node.approve_many(10).await;
    assert_eq!(backlogs().await, [backlog(&well, 20, none), backlog(&subscription, 20, none)]);
    node.dispatch().await;
    node.clock.advance(DAY);
    // Five deliveries have failed; the other events wait behind them.
    let day = TimeDelta::days(1);
    assert_eq!(backlogs().await, [backlog(&well, 0, none), backlog(&subscription, 20, day)]);
    failing.answers(200);
    node.dispatch().await;
    assert_eq!(backlogs().await, [backlog(&well, 0, none), backlog(&subscription, 0, none)]);
    node.store().subscriptions().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    assert_eq!(backlogs().await, [backlog(&well, 0, none)]);
}

#[tokio::test]
async fn an_event_that_is_replayed_while_it_waits_for_another_attempt_counts_once() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve_many(8).await;
    node.dispatch().await;
    let backlogs = async || backlogs(&node).await;
    let pending = async || {
        node.store().subscriptions().find(&subscription.id).await.unwrap().unwrap().pending
    };
    let none = TimeDelta::zero();
    let everything = Replay::Everything(LogPosition::After(0));
    node.store().deliveries().replay(None, &subscription.id, everything).await.unwrap();
    // The log has two events for each report.
    assert_eq!(backlogs().await, [backlog(&subscription, 16, none)]);
    assert_eq!(pending().await, 8);
    node.store().subscriptions().disable(&subscription.id, "A test.").await.unwrap();
    let (id, partner, events, age, _) = backlog(&subscription, 16, none);
    assert_eq!(backlogs().await, [(id, partner, events, age, true)]);
    receiver.answers(200);
    let before = receiver.receiver.count();
    assert_eq!(node.enable(&subscription).await, 8);
    assert_eq!(backlogs().await, [backlog(&subscription, 0, none)]);
    let ids: Vec<String> = (0..8).map(|number| format!("r{number}")).collect();
    assert_eq!(receiver.told_from(before), ids, "each is sent once");
}
