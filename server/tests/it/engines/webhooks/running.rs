//! Running dispatchers: changes made while they have leased a subscription.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use domain::{
    event::EventName::ReportWithdrawn,
    {event::EventName, subscription::DeliveryStatus::Delivered},
};
use store::{Change, LogPosition, Replay, Replayed};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use webhooks::dispatcher::{POLL_INTERVAL, Tally};

use crate::{
    harness::{Engine, soon},
    node::{Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply},
};

struct Running {
    tally: Arc<Tally>,
    stopping: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    fn on(node: &Node) -> Self {
        let dispatcher = node.dispatcher();
        let (tally, stopping) = (dispatcher.tally(), CancellationToken::new());
        let task = tokio::spawn(dispatcher.run(stopping.clone()));
        Self { tally, stopping, task }
    }

    /// Advances the clock until the dispatcher has polled often enough to have finished the work of its first poll.
    async fn poll(&self, node: &Node) {
        let polls = || self.tally.polls.load(Ordering::Relaxed);
        let enough = polls() + 3;
        let looking = async {
            while polls() < enough {
                node.clock.advance(POLL_INTERVAL);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        soon("a look for work", looking).await;
    }

    async fn stop(self) {
        self.stopping.cancel();
        soon("the stop", self.task).await.unwrap();
    }
}

fn told(receiver: &Receiver) -> Vec<String> {
    receiver.requests().iter().map(|request| request.report()).collect()
}

async fn set_events(node: &Node, of: &Subscription, events: &[EventName]) {
    let change = Change { events: Some(events.to_vec()), ..Change::default() };
    node.store().subscriptions().change(node.partner_id, &of.id, &change).await.unwrap();
}

async fn cursor(node: &Node, of: &Subscription) -> i64 {
    node.ask(&format!("SELECT cursor FROM subscriptions WHERE seq = {}", of.seq)).await.remove(0)
}

#[tokio::test]
async fn what_was_not_wanted_is_not_sent_when_it_is_wanted_later_although_the_lease_goes_on() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportWithdrawn]).await;
    let running = Running::on(&node);
    node.approve(&["a", "b"]).await;
    running.poll(&node).await;
    set_events(&node, &subscription, &[ReportCreated]).await;
    running.poll(&node).await;
    node.approve(&["c"]).await;
    running.poll(&node).await;
    receiver.until(1).await;
    running.poll(&node).await;
    assert_eq!(told(&receiver), ["c"]);
    running.stop().await;
}

#[tokio::test]
async fn the_cursor_is_written_down_although_nothing_is_wanted_for_long() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportWithdrawn]).await;
    let running = Running::on(&node);
    for second in 0..12 {
        node.approve(&[&format!("r{second}")]).await;
        running.poll(&node).await;
        node.clock.advance(Duration::from_secs(1));
    }
    let newest = node.store().event_log().newest().await.unwrap();
    let cursor = cursor(&node, &subscription).await;
    // The log gets two events per second, and the lease is renewed every five seconds.
    assert!(cursor >= newest - 14, "{cursor} of {newest}");
    running.stop().await;
}

#[tokio::test]
async fn what_is_under_way_during_a_replay_is_sent_again_after_it() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Held(200),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    let running = Running::on(&node);
    node.approve(&["a"]).await;
    running.poll(&node).await;
    receiver.until(1).await;
    let everything = Replay::Everything(LogPosition::After(0));
    let replayed =
        node.store().deliveries().replay(Some(node.partner_id), &subscription.id, everything).await;
    assert_eq!(replayed.unwrap(), Replayed::Events(1));
    running.poll(&node).await;
    receiver.let_go(1);
    let again = async {
        while receiver.count() < 2 {
            running.poll(&node).await;
        }
    };
    soon("the event again", again).await;
    running.poll(&node).await;
    assert_eq!(told(&receiver), ["a", "a"]);
    running.stop().await;
    let newest = node.store().event_log().newest().await.unwrap();
    assert_eq!(cursor(&node, &subscription).await, newest);
    let attempts: Vec<i64> = node.log(&subscription).await.iter().map(|one| one.attempts).collect();
    assert_eq!(attempts, [2]);
}

#[tokio::test]
async fn nothing_is_lost_when_the_log_cannot_be_read_for_a_moment() {
    let node = Node::new().await;
    if node.database.engine() == Engine::Postgres {
        // A column has one type in PostgreSQL, so a read cannot fail halfway.
        return;
    }
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(200).await;
    node.database.tamper("UPDATE events SET name = CAST(name AS BLOB) WHERE seq = 150").await;
    let mut dispatcher = node.dispatcher();
    let broken = soon("an error", dispatcher.dispatch_due()).await;
    assert!(broken.is_err(), "{broken:?}");
    node.database.tamper("UPDATE events SET name = CAST(name AS TEXT) WHERE seq = 150").await;
    soon("the end of the attempts", dispatcher.dispatch_due()).await.unwrap();
    let mut told = told(&receiver);
    told.sort();
    let mut expected: Vec<String> = (0..200).map(|number| format!("r{number}")).collect();
    expected.sort();
    assert_eq!(told, expected);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 200]);
}
