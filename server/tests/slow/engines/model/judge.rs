//! The model: events that may be sent, and events that must have been sent.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    event::EventName,
    event_filter::EventFilter,
    signature::{Secret, Secrets},
};
use store::QueuedEvent;

use super::{
    endpoint::{Arrival, Mood, at},
    history::World,
};

/// State of a subscription during a period.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub events: Vec<EventName>,
    pub filter: Option<EventFilter>,
    pub is_active: bool,
    pub is_deleted: bool,
    pub address: usize,
    pub secret: Secret,
    /// Previous secret, and the time until which it is also used.
    pub old: Option<(Secret, DateTime<Utc>)>,
}

impl Version {
    pub(super) fn new(events: &[EventName], secret: Secret) -> Self {
        Self {
            events: events.to_vec(),
            filter: None,
            is_active: true,
            is_deleted: false,
            address: 0,
            secret,
            old: None,
        }
    }

    pub(super) fn wants(&self, event: &QueuedEvent) -> bool {
        event.about.is_wanted(&event.name, &self.events, self.filter.as_ref())
    }

    /// Whether the request is signed with the secrets valid at some moment of the second in which it was sent.
    fn has_signed(&self, arrival: &Arrival) -> bool {
        let starts = at(arrival.sent_at);
        let ends = starts + TimeDelta::milliseconds(999);
        [starts, ends].into_iter().any(|now| self.has_signed_at(now, arrival))
    }

    fn has_signed_at(&self, now: DateTime<Utc>, arrival: &Arrival) -> bool {
        let old = self.old.clone().filter(|(_, until)| *until > now);
        let secrets = Secrets { current: self.secret.clone(), old: old.map(|(old, _)| old) };
        let (request, sent_at) = (&arrival.request, arrival.sent_at);
        request.header("webhook-signature")
            == secrets.standard_signature(&arrival.event, sent_at, &request.body)
            && request.header("x-svc-signature") == secrets.x_svc_signature(&request.body)
    }
}

/// Expectations for a subscription.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Versions with the ticks at which they began.
    versions: Vec<(usize, Version)>,
    /// Numbers of the events since the subscription was created.
    published: BTreeSet<i64>,
    /// Events that the subscription must receive: it has always wanted them, and they were never pruned.
    owed: BTreeSet<i64>,
    /// Events sent at least once.
    sent: BTreeSet<i64>,
    accepted: BTreeSet<i64>,
    /// Events that have ever failed for good.
    failed: BTreeSet<i64>,
    /// Events to send again, each with the number of the first request that counts for the repetition.
    again: BTreeMap<i64, usize>,
    /// Events accepted or failed for good since then.
    over: BTreeSet<i64>,
}

impl Known {
    pub(super) fn new(tick: usize, version: Version) -> Self {
        Self {
            versions: vec![(tick, version)],
            published: BTreeSet::new(),
            owed: BTreeSet::new(),
            sent: BTreeSet::new(),
            accepted: BTreeSet::new(),
            failed: BTreeSet::new(),
            again: BTreeMap::new(),
            over: BTreeSet::new(),
        }
    }

    pub(super) fn now(&self) -> &Version {
        &self.versions.last().unwrap().1
    }

    /// Records a published event.
    pub(super) fn published(&mut self, event: &QueuedEvent) {
        self.published.insert(event.seq);
        if !self.now().is_deleted && self.now().wants(event) {
            self.owed.insert(event.seq);
        }
    }

    /// Records that events are sent again after the first `arrivals` requests.
    pub(super) fn sends_again(&mut self, events: BTreeSet<i64>, arrivals: usize) {
        for event in events {
            self.again.insert(event, arrivals);
            self.over.remove(&event);
            self.published.insert(event);
            self.owed.insert(event);
        }
    }

    /// Number of the first request that may end the event.
    fn counts_from(&self, event: i64) -> usize {
        self.again.get(&event).copied().unwrap_or(0)
    }

    pub(super) fn change(&mut self, tick: usize, change: impl FnOnce(&mut Version)) {
        let mut version = self.now().clone();
        change(&mut version);
        self.versions.push((tick, version));
    }

    /// Returns to the earlier state `before` from this tick on.
    pub(super) fn go_back(&mut self, tick: usize, before: &Self) {
        let versions = std::mem::take(&mut self.versions);
        *self = Self { versions, ..before.clone() };
        self.change(tick, |version| version.clone_from(before.now()));
    }

    /// Records the request with this number.
    fn arrived(&mut self, event: i64, number: usize, arrival: &Arrival) {
        self.sent.insert(event);
        if arrival.status.is_some_and(|status| (200..300).contains(&status)) {
            self.accepted.insert(event);
            if number >= self.counts_from(event) {
                self.over.insert(event);
            }
        }
    }

    /// Versions valid at some time since this tick.
    fn versions_since(&self, tick: usize) -> impl Iterator<Item = &Version> {
        let ends = self.versions.iter().skip(1).map(|(tick, _)| *tick).chain([usize::MAX]);
        let lasting = self.versions.iter().zip(ends).filter(move |(_, end)| *end > tick);
        lasting.map(|((_, version), _)| version)
    }

    fn owes_no_more(&mut self, events: &BTreeMap<i64, QueuedEvent>) {
        let now = self.now().clone();
        self.owed.retain(|seq| !now.is_deleted && now.wants(&events[seq]));
    }
}

/// Pauses in the database before a step.
#[derive(Debug)]
pub(super) struct Before {
    paused_until: Vec<Option<DateTime<Utc>>>,
    now: DateTime<Utc>,
}

impl World {
    /// Starts a step: all later requests were sent after this point.
    pub(super) async fn begin(&mut self) -> Before {
        self.since = self.tick;
        for known in &mut self.known {
            known.owes_no_more(&self.events);
        }
        Before { paused_until: self.pauses().await, now: self.node.now() }
    }

    async fn pauses(&self) -> Vec<Option<DateTime<Utc>>> {
        let mut pauses = Vec::new();
        for of in &self.subscriptions {
            pauses.push(self.node.pause_of(of.seq).await);
        }
        pauses
    }

    /// Records the events that pruning will remove: those before `cutoff` for disabled subscriptions, and those a week
    /// older for all.
    pub(super) async fn note_pruned(&mut self, cutoff: DateTime<Utc>) {
        let old = self.events_before(cutoff).await;
        self.forgotten_up_to = self.forgotten_up_to.max(old);
        let given_up = self.events_before(cutoff - TimeDelta::days(7)).await;
        for known in &mut self.known {
            let forgotten = if known.now().is_active { given_up } else { old };
            known.owed.retain(|seq| *seq > forgotten);
        }
    }

    /// Number of the last event before `cutoff`.
    async fn events_before(&self, cutoff: DateTime<Utc>) -> i64 {
        let cutoff = cutoff.timestamp_millis();
        let sql = format!("SELECT coalesce(max(seq), 0) FROM events WHERE created_at < {cutoff}");
        self.node.ask(&sql).await.remove(0)
    }

    /// Judges the requests since the last call. `is_plain` means that nothing else happened during the step and no
    /// dispatcher died.
    pub(super) async fn judge(&mut self, before: &Before, is_plain: bool) {
        let arrivals = self.endpoints.arrivals(self.judged);
        for (number, arrival) in (self.judged..).zip(&arrivals) {
            self.judge_one(number, arrival);
        }
        self.judged += arrivals.len();
        if is_plain {
            self.judge_pauses(before, &arrivals).await;
        }
        self.note_what_ended().await;
        for known in &mut self.known {
            known.owes_no_more(&self.events);
        }
    }

    fn judge_one(&mut self, number: usize, arrival: &Arrival) {
        if self.lost_events.contains(&arrival.event) {
            return;
        }
        let event = self.events.values().find(|event| event.id == arrival.event).unwrap();
        let is_earlier = |other: &&QueuedEvent| {
            other.seq < event.seq && other.report.is_some() && other.report == event.report
        };
        let earlier: Vec<i64> =
            self.events.values().filter(is_earlier).map(|event| event.seq).collect();
        let known = &mut self.known[arrival.subscription];
        assert_eq!(arrival.request.body, event.body, "not the bytes of the event: {arrival:?}");
        assert!(known.published.contains(&event.seq), "from before the subscription: {arrival:?}");
        assert!(!arrival.overlaps, "twice at the same time: {arrival:?}");
        let versions: Vec<&Version> = known.versions_since(self.since).collect();
        let any = |holds: &dyn Fn(&Version) -> bool| versions.iter().any(|version| holds(version));
        assert!(any(&|version| !version.is_deleted), "after deletion: {arrival:?}");
        assert!(any(&|version| version.is_active), "while disabled: {arrival:?}");
        assert!(any(&|version| version.address == arrival.address), "to the old URL: {arrival:?}");
        assert!(any(&|version| version.has_signed(arrival)), "wrongly signed: {arrival:?}");
        // An event that was sent once may be sent again, even if the subscription no longer lists it.
        let is_wanted = any(&|version| version.wants(event)) || known.sent.contains(&event.seq);
        assert!(is_wanted, "not wanted: {arrival:?}");
        let is_open = |seq: &&i64| {
            known.owed.contains(seq) && !known.over.contains(seq) && !known.again.contains_key(seq)
        };
        let open: Vec<_> = earlier.iter().filter(is_open).collect();
        let is_first_time = !known.sent.contains(&event.seq);
        assert!(open.is_empty() || !is_first_time, "before {open:?} of its report: {arrival:?}");
        known.arrived(event.seq, number, arrival);
    }

    /// Expectations for each subscription, including requests not judged yet.
    pub(super) fn known_now(&self) -> Vec<Known> {
        let mut all = self.known.clone();
        for (number, arrival) in (self.judged..).zip(self.endpoints.arrivals(self.judged)) {
            let event = self.events.values().find(|event| event.id == arrival.event);
            if let Some(event) = event {
                all[arrival.subscription].arrived(event.seq, number, &arrival);
            }
        }
        all
    }

    async fn judge_pauses(&self, before: &Before, arrivals: &[Arrival]) {
        let after = self.pauses().await;
        for (of, paused) in before.paused_until.iter().enumerate() {
            let count = arrivals.iter().filter(|arrival| arrival.subscription == of).count();
            let mood = self.endpoints.mood(of);
            let most = match (paused, mood) {
                (Some(until), _) if *until > before.now => 0,
                (Some(_), mood) if mood.fails_everything() => 1,
                (None, Mood::Throttles(_) | Mood::Gone) => 1,
                (None, Mood::Fails) => 5,
                _ => usize::MAX,
            };
            assert!(count <= most, "{count} requests to {of}, paused until {paused:?}: {mood:?}");
            if count > 0
                && let Mood::Throttles(seconds) = mood
            {
                let asked = before.now + TimeDelta::seconds(i64::from(seconds));
                assert!(after[of].is_some_and(|until| until >= asked), "{of} was not left alone");
            }
            if count == 5 && mood == Mood::Fails {
                assert!(after[of].is_some_and(|until| until > before.now), "{of} is not paused");
            }
        }
    }

    /// Records subscriptions that the service has disabled, and deliveries that have failed for good, which requires
    /// ten attempts.
    async fn note_what_ended(&mut self) {
        for of in 0..self.known.len() {
            let seq = self.subscriptions[of].seq;
            let is_disabled = format!(
                "SELECT EXISTS (SELECT 1 FROM subscriptions WHERE status = 'DISABLED' AND seq = {seq})"
            );
            let is_disabled: bool = self.node.ask(&is_disabled).await.remove(0);
            if is_disabled && self.known[of].now().is_active {
                self.change(of, |version| version.is_active = false);
            }
            let failed = format!(
                "SELECT event_seq FROM deliveries
                 WHERE status = 'FAILED' AND subscription_seq = {seq} ORDER BY 1"
            );
            let arrivals = self.endpoints.arrivals(0);
            for event in self.node.ask::<i64>(&failed).await {
                let id = &self.events[&event].id;
                let refused = |arrivals: &[Arrival]| {
                    let refused = arrivals.iter().filter(|arrival| {
                        arrival.subscription == of
                            && arrival.event == *id
                            && arrival.status.is_some_and(|status| status >= 400)
                    });
                    refused.count()
                };
                let all = refused(&arrivals);
                assert!(all >= 10, "event {event} has failed for {of} after {all} attempts");
                let known = &mut self.known[of];
                known.failed.insert(event);
                if refused(&arrivals[known.counts_from(event)..]) >= 10 {
                    known.over.insert(event);
                }
            }
        }
    }

    /// Compares the final state with the model.
    pub(super) async fn judge_all(&self) {
        let newest = self.node.store().event_log().newest().await.unwrap();
        for (of, known) in
            self.known.iter().enumerate().filter(|(_, known)| !known.now().is_deleted)
        {
            let seq = self.subscriptions[of].seq;
            let missing: Vec<_> = known.owed.difference(&known.over).collect();
            assert!(missing.is_empty(), "{of} never got {missing:?}");
            // If no events follow the cursor, it need not move to the end of the log.
            let cursor = format!(
                "SELECT CASE WHEN EXISTS (SELECT 1 FROM events WHERE events.seq > cursor) THEN cursor
                             ELSE {newest} END
                 FROM subscriptions WHERE seq = {seq}"
            );
            assert_eq!(self.node.ask::<i64>(&cursor).await, [newest], "the cursor of {of}");
            let delivered = self.deliveries(seq, "DELIVERED").await;
            let wrongly: Vec<_> = delivered.difference(&known.accepted).collect();
            assert!(wrongly.is_empty(), "{of} has not accepted {wrongly:?}");
            let failed = self.deliveries(seq, "FAILED").await;
            let owed = known.owed.iter().filter(|event| **event > self.forgotten_up_to);
            let unknown: Vec<_> = owed
                .filter(|event| !delivered.contains(event) && !failed.contains(event))
                .collect();
            assert!(unknown.is_empty(), "nothing is known of {unknown:?} for {of}");
            let wrongly: Vec<_> = failed.difference(&known.failed).collect();
            assert!(wrongly.is_empty(), "{wrongly:?} have not failed for {of}");
            assert_eq!(self.deliveries(seq, "PENDING").await, BTreeSet::new(), "{of} waits");
            self.judge_attempts(of, seq).await;
        }
        assert_eq!(self.node.store().check().await.unwrap().differences, []);
    }

    pub(super) async fn deliveries(&self, seq: i64, status: &str) -> BTreeSet<i64> {
        let sql = format!(
            "SELECT event_seq FROM deliveries WHERE status = '{status}' AND subscription_seq = {seq}"
        );
        self.node.ask(&sql).await.into_iter().collect()
    }

    /// Checks that every recorded attempt was a request, and none belongs to a lost lease.
    async fn judge_attempts(&self, of: usize, seq: i64) {
        let attempts = format!(
            "SELECT e.id || ' ' || (a.started_at / 1000) || ' ' || a.status_code
             FROM attempts a JOIN events e ON e.seq = a.event_seq WHERE a.subscription_seq = {seq}"
        );
        let count = |arrivals: &[Arrival]| {
            let mut attempts: BTreeMap<String, usize> = BTreeMap::new();
            let is_ours = |one: &&Arrival| one.subscription == of && one.status.is_some();
            for arrival in arrivals.iter().filter(is_ours) {
                *attempts.entry(arrival.attempt()).or_default() += 1;
            }
            attempts
        };
        let (mut requests, lost) = (count(&self.endpoints.arrivals(0)), count(&self.lost));
        for (attempt, count) in lost {
            *requests.entry(attempt).or_default() -= count;
        }
        for attempt in self.node.ask::<String>(&attempts).await {
            let left = requests.get_mut(&attempt).filter(|left| **left > 0);
            *left.unwrap_or_else(|| panic!("{of} has not had {attempt}")) -= 1;
        }
    }
}
