//! Choice of the events that the dispatcher sends next.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use domain::endpoint_health::EndpointHealth;
use store::{self, Due, QueuedEvent};

use super::{
    Dispatcher, NEEDED, PAGES_AT_ONCE, Sending,
    capacity::{Capacity, Load},
    delivery_worker::{DeliveryWorker, InFlight},
};
use crate::attempt;

/// Number of extra deliveries that are read when looking for a probe.
const MORE_FOR_PROBES: usize = 16;

/// Source of a subscription's next events.
#[derive(Clone, Copy, Debug)]
enum QueueSource {
    /// Deliveries to be retried.
    Retries,
    /// Deliveries to be retried that failed only while everything failed.
    Unblamed,
    /// Events that were not sent to the subscription yet.
    Unsent,
}

impl QueueSource {
    /// Sources in order of preference. A probe is an event that has not failed yet, if there is one, because a failed
    /// event may be the cause of the failures. But after a pause that the receiver requested, the refused deliveries
    /// come first: a receiver that accepts one event at a time would otherwise never get them.
    fn in_order(health: &EndpointHealth) -> &'static [Self] {
        match health.paused_until {
            None => &[Self::Retries, Self::Unsent],
            Some(_) if health.is_asked_for() => &[Self::Unblamed, Self::Unsent, Self::Retries],
            Some(_) => &[Self::Unsent, Self::Retries],
        }
    }
}

impl Dispatcher {
    /// Sends as many events as the capacity allows.
    pub(super) async fn fill(&mut self) -> store::Result<usize> {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let newest = self.newest;
        let is_hungry = |worker: &DeliveryWorker| {
            worker.until - now >= NEEDED && worker.free(now, elapsed) > 0 && worker.has_work(newest)
        };
        let mut capacity = Capacity::new(self.workers.values().map(|worker| Load {
            is_doubtful: worker.is_doubtful(elapsed),
            in_flight: worker.in_flight(),
            is_hungry: is_hungry(worker),
        }));
        let (before, after): (Vec<i64>, Vec<i64>) = self
            .workers
            .iter()
            .filter(|(_, worker)| is_hungry(worker))
            .map(|(seq, _)| *seq)
            .partition(|seq| *seq <= self.filled);
        self.is_behind = false;
        let mut begun = 0;
        for seq in after.into_iter().chain(before) {
            let Some(worker) = self.workers.get(&seq) else { continue };
            let is_doubtful = worker.is_doubtful(elapsed);
            let share = capacity.share(is_doubtful, worker.free(now, elapsed));
            if share == 0 {
                continue;
            }
            let sent = self.fill_lane(seq, share).await?;
            capacity.give_back(is_doubtful, share - sent.min(share));
            begun += sent;
            self.filled = seq;
        }
        Ok(begun)
    }

    /// Sends up to `most` events of one subscription.
    async fn fill_lane(&mut self, seq: i64, most: usize) -> store::Result<usize> {
        let Some(worker) = self.workers.get(&seq) else { return Ok(0) };
        let mut begun = 0;
        for source in QueueSource::in_order(worker.health()) {
            let left = most - begun;
            if left == 0 {
                break;
            }
            let found = match source {
                QueueSource::Retries => self.retries(seq, left, |_| true).await?,
                QueueSource::Unblamed => self.retries(seq, left, |due| due.failures == 0).await?,
                QueueSource::Unsent => self.unsent(seq, left).await?,
            };
            begun += found.len();
            for (event, request) in found {
                self.send(seq, event, request);
            }
        }
        Ok(begun)
    }

    /// Events to be retried.
    async fn retries(
        &mut self,
        seq: i64,
        most: usize,
        is_right: impl Fn(&Due) -> bool,
    ) -> store::Result<Vec<(Arc<QueuedEvent>, InFlight)>> {
        let Some(worker) = self.workers.get_mut(&seq).filter(|worker| worker.is_due) else {
            return Ok(Vec::new());
        };
        let is_probe = worker.is_probing();
        let limit = most + worker.in_flight() + if is_probe { MORE_FOR_PROBES } else { 0 };
        let due = self.store.deliveries().due_deliveries(seq, limit).await?;
        worker.is_due = due.len() == limit || is_probe;
        let due = due.into_iter().filter(|due| worker.may_retry(due) && is_right(due)).take(most);
        let due: HashMap<i64, _> = due.map(|due| (due.event, due)).collect();
        let numbers: Vec<i64> = due.keys().copied().collect();
        let mut events = self.store.deliveries().events_numbered(&numbers).await?;
        let mut reports = HashSet::new();
        events.retain(|event| {
            let is_first = event.report.clone().is_none_or(|report| reports.insert(report));
            is_first && !self.workers.get(&seq).is_some_and(|worker| worker.waits(event))
        });
        let began = self.clock.elapsed();
        let found = events.into_iter().filter_map(|event| {
            let due = due.get(&event.seq)?;
            let failures = u32::try_from(due.failures).unwrap_or(u32::MAX);
            let attempts = due.attempts;
            let request =
                InFlight { began, attempts, failures, is_new: false, is_probe, is_replayed: false };
            Some((Arc::new(event), request))
        });
        Ok(found.collect())
    }

    /// Events that were not sent to the subscription yet.
    async fn unsent(
        &mut self,
        seq: i64,
        most: usize,
    ) -> store::Result<Vec<(Arc<QueuedEvent>, InFlight)>> {
        let Some(worker) = self.workers.get_mut(&seq) else { return Ok(Vec::new()) };
        let mut choice = worker.choose(most);
        if !choice.again.is_empty() {
            let again = self.store.deliveries().events_numbered(&choice.again).await?;
            choice.events.extend(again.into_iter().map(Arc::new));
        }
        for _ in 0..PAGES_AT_ONCE {
            if choice.events.len() >= most || choice.next > self.newest {
                break;
            }
            let page = self.pages.with(choice.next, self.newest).await?;
            worker.scan(&mut choice, &page.events, page.last.min(self.newest), most);
        }
        let replayed_up_to = worker.leased().replayed_up_to;
        let replayed =
            choice.events.iter().map(|event| event.seq).filter(|seq| *seq <= replayed_up_to);
        let replayed: Vec<i64> = replayed.collect();
        let attempts = match replayed.as_slice() {
            [] => HashMap::new(),
            replayed => self.store.deliveries().attempts_of(seq, replayed).await?,
        };
        worker.take(&choice);
        let is_behind = choice.events.len() < most && choice.next <= self.newest;
        self.is_behind |= is_behind && !worker.is_held_up();
        let (began, is_probe) = (self.clock.elapsed(), worker.is_probing());
        let request = |event: &QueuedEvent| InFlight {
            began,
            attempts: attempts.get(&event.seq).copied().unwrap_or(0),
            failures: 0,
            is_new: true,
            is_probe,
            is_replayed: false,
        };
        let sent = choice.events.into_iter().map(|event| (Arc::clone(&event), request(&event)));
        Ok(sent.collect())
    }

    fn send(&mut self, seq: i64, event: Arc<QueuedEvent>, request: InFlight) {
        let Some(worker) = self.workers.get_mut(&seq) else { return };
        let Some(secrets) = worker.leased().secrets.clone() else { return };
        worker.start(&event, request);
        let (number, url) = (event.seq, worker.leased().url.clone());
        let (client, clock) = (Arc::clone(&self.client), self.clock.clone());
        let sending = async move {
            attempt::send(&client, &clock, &url, &secrets, (number, &event.id), event.body.clone())
                .await
        };
        let sent = Sending { seq, event: number, worker: worker.number };
        self.in_flight.insert(self.running.spawn(sending).id(), sent);
    }
}
