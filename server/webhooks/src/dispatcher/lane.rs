//! Lanes: what a dispatcher knows of a subscription that it has leased.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, Utc};
use domain::endpoint_health::{EndpointHealth, Sending};
use store::{Checkpoint, Due, Leased, QueuedEvent};

/// The most requests to one endpoint at the same time. It begins with one.
const MAX_WIDTH: usize = 64;
/// A request that takes longer makes an endpoint a doubtful one.
const SLOW: Duration = Duration::from_secs(2);
/// The pause after a failure on our side: the first one and the longest.
const OUR_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

mod order;
mod results;

use self::order::Order;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Lane {
    /// No two lanes have one.
    pub number: u64,
    leased: Leased,
    /// When the lease ends.
    pub until: DateTime<Utc>,
    /// Number of the next event to be looked at.
    next: i64,
    /// Events from `next` on that are over, or have a delivery.
    skip: BTreeSet<i64>,
    /// Events before `next` that are to be sent: they were, which did not count, or have waited for others.
    again: BTreeSet<i64>,
    order: Order,
    /// By the number of the event.
    in_flight: BTreeMap<i64, InFlight>,
    /// How many requests there may be at the same time: one more after each success, half as many after
    /// a failure.
    width: usize,
    /// Whether the last request was accepted.
    is_proven: bool,
    /// Whether it is still to be sent to.
    pub is_active: bool,
    /// Whether there are deliveries to be tried again.
    pub is_due: bool,
    /// Whether there are results that are not written yet.
    pub is_dirty: bool,
    disable: Option<String>,
    /// The cursor that was written down last.
    written: i64,
    /// Until when the receiver has asked to be left alone.
    asked_until: Option<DateTime<Utc>>,
    /// Nothing is sent before, because of failures on our side, of which there were so many in a row.
    waits_until: Duration,
    our_failures: u32,
    /// Since when it has had nothing to do.
    idle_since: Option<Duration>,
}

/// A request that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub began: Duration,
    /// Attempts before this one.
    pub attempts: i64,
    /// Those that failed while others succeeded.
    pub failures: u32,
    /// Whether there is no delivery of the event yet, so that the cursor waits for it.
    pub is_new: bool,
    pub is_probe: bool,
    /// Whether a replay wants the event once more, whatever comes of this.
    pub is_replayed: bool,
}

/// Events that are to be sent next. They are chosen without changing the lane, because reading the log may
/// fail in between.
#[derive(Debug)]
pub(super) struct Choice {
    /// Those that were looked at before.
    pub again: Vec<i64>,
    pub events: Vec<Arc<QueuedEvent>>,
    /// Those that wait for earlier ones of their report.
    pub held: Vec<Arc<QueuedEvent>>,
    /// The reports of all of them.
    reports: HashSet<Arc<str>>,
    /// Number of the next event to be looked at.
    pub next: i64,
}

impl Lane {
    /// `skip` are the events after the cursor that have deliveries, `unfinished` those that are to be tried again, with
    /// the reports that they are about.
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

    /// Takes over what was changed in the database, where all results of the lane are written.
    pub(super) fn change(&mut self, leased: Leased) {
        self.leased = leased;
        self.disable = None;
    }

    /// Whether the cursor was moved back since the subscription was read.
    pub(super) fn is_rewound(&self, leased: &Leased) -> bool {
        self.leased.rewinds != leased.rewinds
    }

    /// Goes back to a cursor. What is under way is sent once more afterwards.
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

    /// Whether it is to be read again: it was changed, or its secrets could not be read or are over.
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

    /// How far the subscription has come, to be written down.
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

    /// Whether the cursor is another one than was written down: events that it does not want move it too.
    pub(super) fn has_moved(&self) -> bool {
        self.cursor() != self.written
    }

    /// Every event up to this number is over, or has a delivery.
    fn cursor(&self) -> i64 {
        let mut unsettled = self.in_flight.iter().filter(|(_, request)| request.is_new);
        let first = unsettled.next().map(|(event, _)| *event);
        let waiting = [self.again.first().copied(), self.order.first_held()];
        let first = waiting.into_iter().flatten().chain(first).min();
        first.map_or(self.next, |first| first.min(self.next)) - 1
    }

    /// How many more requests may be sent.
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

    /// Whether there is something to send, up to event number `newest`.
    pub(super) fn has_work(&self, newest: i64) -> bool {
        self.is_due || !self.again.is_empty() || self.next <= newest
    }

    /// Whether the lease can be given up: nothing is under way, and there is nothing to send, for a while
    /// or until somebody else does something.
    pub(super) fn is_done(
        &mut self,
        newest: i64,
        now: DateTime<Utc>,
        elapsed: Duration,
        patience: Duration,
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
        elapsed.saturating_sub(*self.idle_since.get_or_insert(elapsed)) >= patience
    }

    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Whether the endpoint may be one that hangs or fails.
    pub(super) fn is_doubtful(&self, elapsed: Duration) -> bool {
        let is_slow = |request: &InFlight| elapsed.saturating_sub(request.began) > SLOW;
        !self.is_proven || self.in_flight.values().any(is_slow)
    }

    /// Whether a delivery is not being attempted already.
    pub(super) fn may_retry(&self, due: &Due) -> bool {
        !self.in_flight.contains_key(&due.event)
    }

    /// Whether nothing further is looked at, because so many events wait for others.
    pub(super) fn is_held_up(&self) -> bool {
        self.order.is_full(0)
    }

    /// Whether an event has to wait for an earlier one of its report.
    pub(super) fn waits(&self, event: &QueuedEvent) -> bool {
        self.order.waits(event.seq, event.report.as_ref())
    }

    /// Begins to choose up to `most` events: with those whose results did not count.
    pub(super) fn choose(&self, most: usize) -> Choice {
        let is_idle = |event: &&i64| !self.in_flight.contains_key(event);
        let again = self.again.iter().filter(is_idle).copied().take(most).collect();
        let (events, held, reports) = (Vec::new(), Vec::new(), HashSet::new());
        Choice { again, events, held, reports, next: self.next }
    }

    /// Looks through events, which are consecutive and end with number `last`, until `most` are chosen.
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

    /// The chosen events are sent now.
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
    /// An event that is to be sent, which may have to wait for earlier ones of its report.
    fn add(&mut self, event: &Arc<QueuedEvent>, waits: bool) {
        let is_first = event.report.as_ref().is_none_or(|id| self.reports.insert(Arc::clone(id)));
        let of = if waits || !is_first { &mut self.held } else { &mut self.events };
        of.push(Arc::clone(event));
    }
}
