//! Workers: the dispatcher's state of a leased subscription.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, Utc};
use domain::endpoint_health::{EndpointHealth, Sending};
use store::{Checkpoint, Due, Leased, QueuedEvent};

/// Maximum number of concurrent requests to one endpoint. The number starts at one.
const MAX_WIDTH: usize = 64;
/// Duration from which on a request makes its endpoint a doubtful one.
const SLOW: Duration = Duration::from_secs(2);
/// First and longest pause after failures on the service's own side.
const OUR_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

mod order;
mod results;

use self::order::Order;

/// State of a leased subscription, see the [module](self).
#[derive(Debug)]
pub(super) struct DeliveryWorker {
    /// Unique id of the worker.
    pub number: u64,
    leased: Leased,
    /// End of the lease.
    pub until: DateTime<Utc>,
    /// Number of the next event to scan.
    next: i64,
    /// Events from `next` on that are finished, or have a delivery.
    skip: BTreeSet<i64>,
    /// Events before `next` that still have to be sent: their attempt did not count, or they had to wait for others.
    again: BTreeSet<i64>,
    order: Order,
    /// Requests by number of the event.
    in_flight: BTreeMap<i64, InFlight>,
    /// Maximum number of concurrent requests: one more after each success, half as many after a failure.
    width: usize,
    /// Whether the last request was accepted.
    is_proven: bool,
    /// Whether the subscription is still active.
    pub is_active: bool,
    /// Whether there are deliveries to retry.
    pub is_due: bool,
    /// Whether there are results that are not recorded yet.
    pub is_dirty: bool,
    disable: Option<String>,
    /// Last recorded cursor.
    written: i64,
    /// End of the pause that the receiver requested.
    asked_until: Option<DateTime<Utc>>,
    /// Time on the clock before which nothing is sent, because of failures on the service's own side.
    waits_until: Duration,
    our_failures: u32,
    /// Time since which the worker has had no work.
    idle_since: Option<Duration>,
}

/// Request in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub began: Duration,
    /// Number of earlier attempts.
    pub attempts: i64,
    /// Number of attempts that failed while others succeeded.
    pub failures: u32,
    /// Whether the event has no delivery yet, so that the cursor cannot pass it.
    pub is_new: bool,
    pub is_probe: bool,
    /// Whether a replay includes the event, so that it is sent again after any result.
    pub is_replayed: bool,
}

/// Events to send next. They are chosen without changing the worker, because reading the log may fail in between.
#[derive(Debug)]
pub(super) struct Choice {
    /// Events that were scanned earlier.
    pub again: Vec<i64>,
    pub events: Vec<Arc<QueuedEvent>>,
    /// Events that wait for earlier ones of their report.
    pub held: Vec<Arc<QueuedEvent>>,
    /// Reports of all of these events.
    reports: HashSet<Arc<str>>,
    /// Number of the next event to scan.
    pub next: i64,
}

impl DeliveryWorker {
    /// Worker of a leased subscription. `skip`: events after the cursor that have deliveries. `unfinished`: events to
    /// be retried, with their reports.
    pub(super) fn new(
        number: u64,
        leased: Leased,
        skip: BTreeSet<i64>,
        unfinished: Vec<(i64, String)>,
        until: DateTime<Utc>,
    ) -> Self {
        Self {
            number,
            next: leased.cursor + 1,
            written: leased.cursor,
            leased,
            until,
            skip,
            again: BTreeSet::new(),
            order: Order::of(unfinished),
            in_flight: BTreeMap::new(),
            width: 1,
            is_proven: false,
            is_active: true,
            is_due: true,
            is_dirty: false,
            disable: None,
            asked_until: None,
            waits_until: Duration::ZERO,
            our_failures: 0,
            idle_since: None,
        }
    }

    /// Replaces the subscription after a change in the database. All results of the worker are recorded by then.
    pub(super) fn change(&mut self, leased: Leased) {
        self.leased = leased;
        self.disable = None;
    }

    /// Whether the cursor was moved back since the subscription was read.
    pub(super) fn is_rewound(&self, leased: &Leased) -> bool {
        self.leased.rewinds != leased.rewinds
    }

    /// Moves back to a cursor. Events in flight are sent once more afterwards.
    pub(super) fn rewind(&mut self, cursor: i64, skip: BTreeSet<i64>) {
        self.next = cursor + 1;
        self.written = cursor;
        self.skip = skip;
        self.order.release();
        for event in std::mem::take(&mut self.again) {
            self.order.end(event);
        }
        for (_, request) in self.in_flight.range_mut(self.next..) {
            request.is_new = true;
            request.is_replayed = true;
        }
    }

    pub(super) fn leased(&self) -> &Leased {
        &self.leased
    }

    /// Whether the subscription must be read again: it was changed, or its secrets were unreadable or have expired.
    pub(super) fn is_outdated(
        &mut self,
        revision: i64,
        now: DateTime<Utc>,
        elapsed: Duration,
    ) -> bool {
        let is_locked = self.leased.secrets.is_none() && self.waits_until <= elapsed;
        if is_locked {
            self.waits_until = elapsed + OUR_PAUSES.1;
        }
        let is_over = self.leased.secrets_until.is_some_and(|until| until <= now);
        is_locked || is_over || self.leased.revision != revision
    }

    /// Position of the subscription, to be recorded.
    pub(super) fn checkpoint(&mut self) -> Checkpoint {
        self.is_dirty = false;
        self.written = self.cursor();
        Checkpoint {
            seq: self.leased.seq,
            cursor: self.written,
            rewinds: self.leased.rewinds,
            health: self.leased.health.clone(),
            revision: self.leased.revision,
            disable: self.disable.clone(),
        }
    }

    /// Whether the cursor differs from the recorded one. Unwanted events move it, too.
    pub(super) fn has_moved(&self) -> bool {
        self.cursor() != self.written
    }

    /// Number up to which every event is finished or has a delivery.
    fn cursor(&self) -> i64 {
        let mut unsettled = self.in_flight.iter().filter(|(_, request)| request.is_new);
        let first = unsettled.next().map(|(event, _)| *event);
        let waiting = [self.again.first().copied(), self.order.first_held()];
        let first = waiting.into_iter().flatten().chain(first).min();
        first.map_or(self.next, |first| first.min(self.next)) - 1
    }

    /// Number of further requests that may be sent.
    pub(super) fn free(&self, now: DateTime<Utc>, elapsed: Duration) -> usize {
        let is_ready = self.is_active
            && self.disable.is_none()
            && self.leased.secrets.is_some()
            && self.waits_until <= elapsed;
        match self.leased.health.sending(now) {
            Sending::Everything if is_ready => self.width.saturating_sub(self.in_flight.len()),
            Sending::Probe if is_ready => usize::from(self.in_flight.is_empty()),
            _ => 0,
        }
    }

    pub(super) fn is_probing(&self) -> bool {
        self.leased.health.paused_until.is_some()
    }

    pub(super) fn health(&self) -> &EndpointHealth {
        &self.leased.health
    }

    /// Whether there is anything to send, up to event number `newest`.
    pub(super) fn has_work(&self, newest: i64) -> bool {
        self.is_due || !self.again.is_empty() || self.next <= newest
    }

    /// Whether the lease can be released: no request is in flight, and either there was no work for a while, or
    /// nothing may be sent at present.
    pub(super) fn is_done(
        &mut self,
        newest: i64,
        now: DateTime<Utc>,
        elapsed: Duration,
        idle_time: Duration,
    ) -> bool {
        if !self.in_flight.is_empty() {
            self.idle_since = None;
            return false;
        }
        let is_waiting = self.order.first_held().is_some();
        let is_stopped = !self.is_active || self.disable.is_some();
        if is_stopped || self.leased.health.sending(now) == Sending::Nothing {
            return true;
        }
        if is_waiting || self.has_work(newest) {
            self.idle_since = None;
            return false;
        }
        elapsed.saturating_sub(*self.idle_since.get_or_insert(elapsed)) >= idle_time
    }

    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Whether the endpoint may be one that hangs or fails.
    pub(super) fn is_doubtful(&self, elapsed: Duration) -> bool {
        let is_slow = |request: &InFlight| elapsed.saturating_sub(request.began) > SLOW;
        !self.is_proven || self.in_flight.values().any(is_slow)
    }

    /// Whether no attempt of the delivery is in flight.
    pub(super) fn may_retry(&self, due: &Due) -> bool {
        !self.in_flight.contains_key(&due.event)
    }

    /// Whether scanning has stopped, because too many events wait for others.
    pub(super) fn is_held_up(&self) -> bool {
        self.order.is_full(0)
    }

    /// Whether an event has to wait for an earlier one of its report.
    pub(super) fn waits(&self, event: &QueuedEvent) -> bool {
        self.order.waits(event.seq, event.report.as_ref())
    }

    /// Starts a choice of up to `most` events, with those that were scanned earlier.
    pub(super) fn choose(&self, most: usize) -> Choice {
        let is_idle = |event: &&i64| !self.in_flight.contains_key(event);
        let again = self.again.iter().filter(is_idle).copied().take(most).collect();
        let (events, held, reports) = (Vec::new(), Vec::new(), HashSet::new());
        Choice { again, events, held, reports, next: self.next }
    }

    /// Scans consecutive events, which end with number `last`, until `most` are chosen.
    pub(super) fn scan(
        &self,
        choice: &mut Choice,
        events: &[Arc<QueuedEvent>],
        last: i64,
        most: usize,
    ) {
        let first = events.partition_point(|event| event.seq < choice.next);
        for event in events.get(first..).unwrap_or_default() {
            if choice.events.len() == most || self.order.is_full(choice.held.len()) {
                return;
            }
            choice.next = event.seq + 1;
            let is_over = self.skip.contains(&event.seq) || self.in_flight.contains_key(&event.seq);
            if !is_over && self.wants(event) {
                choice.add(event, self.waits(event));
            }
        }
        choice.next = choice.next.max(last + 1);
    }

    /// Updates the worker before the chosen events are sent.
    pub(super) fn take(&mut self, choice: &Choice) {
        self.again.retain(|event| !choice.again.contains(event));
        for event in &choice.held {
            if let Some(report) = &event.report {
                self.order.hold(event.seq, report);
            }
        }
        self.next = choice.next;
        while self.skip.first().is_some_and(|event| *event < self.next) {
            self.skip.pop_first();
        }
    }

    fn wants(&self, event: &QueuedEvent) -> bool {
        let Leased { events, filter, .. } = &self.leased;
        event.about.is_wanted(&event.name, events, filter.as_ref())
    }
}

impl Choice {
    /// Adds an event to send, which may have to wait for earlier ones of its report.
    fn add(&mut self, event: &Arc<QueuedEvent>, waits: bool) {
        let is_first = event.report.as_ref().is_none_or(|id| self.reports.insert(Arc::clone(id)));
        let of = if waits || !is_first { &mut self.held } else { &mut self.events };
        of.push(Arc::clone(event));
    }
}
