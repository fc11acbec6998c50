//! Steps of a dispatcher for one subscription, without sending anything.

use base::time::parse_instant;
use chrono::TimeDelta;
use domain::subscription::DeliveryId;
use store::{Checkpoint, Ended, Leased, NextStep, QueuedEvent, Round, Store};

use crate::harness::START;

pub(crate) const OWNER: i64 = 7;

/// Leases a subscription.
pub(crate) async fn lease(store: &Store, seq: i64) -> Leased {
    let lease = TimeDelta::seconds(25);
    let round = Round { owner: OWNER, lease, take: vec![seq], ..Round::default() };
    store.deliveries().dispatch_round(&round).await.unwrap().taken.remove(0)
}

/// Unsent events that a subscription receives, in order.
pub(crate) async fn unsent(store: &Store, leased: &Leased) -> Vec<QueuedEvent> {
    let events = store.deliveries().events_after(leased.cursor, i64::MAX).await.unwrap();
    let lists = |event: &QueuedEvent| leased.events.iter().any(|name| name.as_str() == event.name);
    events.into_iter().filter(lists).collect()
}

/// Moves the cursor of a leased subscription to event `cursor`, and releases the lease.
async fn end(store: &Store, leased: Leased, cursor: i64, ended: Vec<Ended>) {
    let Leased { seq, rewinds, mut health, revision, .. } = leased;
    let mut disable = None;
    for Ended { started_at, outcome, next, .. } in &ended {
        if *next != NextStep::Delivered {
            health.failed(*started_at, false);
            disable = health.reason_to_disable(outcome, *started_at);
        }
    }
    let checkpoints = vec![Checkpoint { seq, cursor, rewinds, health, revision, disable }];
    let round = Round { owner: OWNER, ended, checkpoints, release: vec![seq], ..Round::default() };
    store.deliveries().dispatch_round(&round).await.unwrap();
}

/// Takes all unsent events of a subscription.
pub(crate) async fn take_all(store: &Store, seq: i64) -> Vec<QueuedEvent> {
    let leased = lease(store, seq).await;
    let events = unsent(store, &leased).await;
    let cursor = events.last().map_or(leased.cursor, |event| event.seq);
    end(store, leased, cursor, Vec::new()).await;
    events
}

/// Records an attempt with this outcome for the first unsent event of a subscription.
pub(crate) async fn deliver(store: &Store, seq: i64, outcome: Result<u16, &str>, next: NextStep) {
    let leased = lease(store, seq).await;
    let event = unsent(store, &leased).await.remove(0).seq;
    let ended = Ended {
        id: DeliveryId { subscription: seq, event },
        number: 1,
        started_at: parse_instant(START).unwrap(),
        duration: 34,
        outcome: outcome.map_err(str::to_owned),
        response: None,
        next,
    };
    end(store, leased, event, vec![ended]).await;
}
