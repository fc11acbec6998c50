//! Steps of a history, and their execution.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    future::ready,
    time::Duration,
};

use chrono::TimeDelta;
use domain::{
    event::EventName, event_filter::EventFilter, signature::Secret, subscription::DeliveryId,
};
use model::ReportType;
use proptest::{prelude::*, sample::select};
use store::{Change, LogPosition, Mode, QueuedEvent, Redelivered, Replay, Replayed};
use tokio_util::sync::CancellationToken;
use webhooks::dispatcher::Dispatcher;

use super::{
    endpoint::{Arrival, Endpoints, Mood},
    judge::{Known, Version},
};
use crate::{
    harness::{But, Engine, report, soon},
    node::{DAY, LEASE, Node, Subscription},
    receiver::Receiver,
};

const PLACES: [[&str; 3]; 2] = [["Campinas", "São Paulo", "Brazil"], ["Oslo", "", "Norway"]];
const DISPATCHERS: usize = 3;
const MAX_SUBSCRIPTIONS: usize = 4;
pub(super) const RETENTION: TimeDelta = TimeDelta::days(30);

#[derive(Clone, Debug)]
pub(super) enum Step {
    Small(Small),
    Dispatch(usize),
    /// A dispatcher dies after this many responses, while it waits for more: at once, or after it has recorded the
    /// results so far.
    Die(usize, usize, bool),
    /// A dispatcher gets the responses after the first few late, after these changes. `true` means that another
    /// dispatcher runs after the change.
    Late(usize, usize, Vec<(Small, bool)>),
    /// The database loses the events that a dispatcher has sent, and others are published in their place.
    Lose(usize),
    /// Repeats this many times: publish a report, advance the clock until something is due, dispatch.
    Grind(usize),
}

/// Step without a dispatcher.
#[derive(Clone, Debug)]
pub(super) enum Small {
    Publish(Vec<(usize, ReportType)>),
    Withdraw(usize),
    Pass(Duration),
    /// Advances the clock until something is due.
    PassUntilDue,
    Mood(usize, Mood),
    Subscribe(Vec<EventName>),
    Disable(usize),
    Enable(usize),
    Events(usize, Vec<EventName>),
    Filter(usize, Option<EventFilter>),
    Move(usize),
    Rotate(usize),
    Delete(usize),
    Redeliver(usize, usize),
    /// Replays everything except this many of the oldest events in the log.
    Replay(usize, usize),
    ReplayFailed(usize),
    Prune,
    /// Saves the current state: a replica has received everything, or a backup is made.
    Save,
    /// Returns to the saved state: the replica is promoted while dispatchers run, or the backup is restored and the
    /// service restarted.
    Lose,
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let meanwhile = (small(), prop::collection::vec((small(), any::<bool>()), 1..4)).prop_map(
        |(first, mut meanwhile)| {
            // In any case another dispatcher takes over the lease.
            meanwhile.insert(0, (Small::Pass(LEASE), true));
            meanwhile.insert(0, (first, false));
            meanwhile
        },
    );
    let others = prop::collection::vec((small(), any::<bool>()), 1..5);
    let meanwhile = prop_oneof![others, meanwhile];
    prop_oneof![
        12 => small().prop_map(Step::Small),
        6 => (0..DISPATCHERS).prop_map(Step::Dispatch),
        2 => (0..DISPATCHERS, 0..8usize, any::<bool>())
            .prop_map(|(who, after, writes)| Step::Die(who, after, writes)),
        2 => (0..DISPATCHERS, 0..8usize, meanwhile)
            .prop_map(|(who, after, meanwhile)| Step::Late(who, after, meanwhile)),
        1 => (4..14usize).prop_map(Step::Grind),
        1 => (0..DISPATCHERS).prop_map(Step::Lose),
    ]
}

fn small() -> impl Strategy<Value = Small> {
    let of = || 0..MAX_SUBSCRIPTIONS;
    let rows = prop::collection::vec((0..PLACES.len(), select(ReportType::ALL.to_vec())), 1..8);
    let events = || prop::sample::subsequence(EventName::PUBLIC.to_vec(), 1..=3);
    let filter = select(vec![
        None,
        EventFilter::new(Some("Norway"), None, None, &[]),
        EventFilter::new(None, None, None, &[ReportType::Water]),
    ]);
    let mood = select(vec![
        Mood::Accepts,
        Mood::Accepts,
        Mood::Fails,
        Mood::Refuses,
        Mood::Refuses,
        Mood::Throttles(120),
        Mood::Throttles(7_200),
        Mood::Gone,
    ]);
    let seconds =
        select(vec![1, 10, 24, 25, 40, 300, 3_600, 40_000, 86_400, 5 * 86_400, 31 * 86_400]);
    prop_oneof![
        8 => rows.prop_map(Small::Publish),
        2 => (0..20usize).prop_map(Small::Withdraw),
        6 => seconds.prop_map(|seconds: u64| Small::Pass(Duration::from_secs(seconds))),
        4 => Just(Small::PassUntilDue),
        5 => (of(), mood).prop_map(|(of, mood)| Small::Mood(of, mood)),
        1 => events().prop_map(Small::Subscribe),
        1 => of().prop_map(Small::Disable),
        2 => of().prop_map(Small::Enable),
        2 => (of(), events()).prop_map(|(of, events)| Small::Events(of, events)),
        1 => (of(), filter).prop_map(|(of, filter)| Small::Filter(of, filter)),
        1 => of().prop_map(Small::Move),
        1 => of().prop_map(Small::Rotate),
        1 => of().prop_map(Small::Delete),
        1 => (of(), 0..20usize).prop_map(|(of, which)| Small::Redeliver(of, which)),
        1 => (of(), 0..12usize).prop_map(|(of, from)| Small::Replay(of, from)),
        1 => of().prop_map(Small::ReplayFailed),
        1 => Just(Small::Prune),
        2 => Just(Small::Save),
        1 => Just(Small::Lose),
    ]
}

/// The service under test, and the expectations of the test.
pub(super) struct World {
    pub node: Node,
    pub endpoints: Endpoints,
    dispatchers: Vec<Option<Dispatcher>>,
    /// All addresses of each subscription, past and current.
    addresses: Vec<Vec<Receiver>>,
    pub subscriptions: Vec<Subscription>,
    pub known: Vec<Known>,
    /// Events by number.
    pub events: BTreeMap<i64, QueuedEvent>,
    reports: usize,
    /// Number of changes so far.
    pub tick: usize,
    /// Earliest tick from which requests may now arrive.
    pub since: usize,
    /// Number of requests already judged.
    pub judged: usize,
    /// Requests whose result came after the lease was lost.
    pub lost: Vec<Arrival>,
    /// Largest number of an event that may be pruned.
    pub forgotten_up_to: i64,
    /// State saved last.
    saved: Option<Saved>,
    /// Ids of lost events.
    pub lost_events: HashSet<String>,
    /// Whether a dispatcher is waiting for responses.
    is_sending: bool,
}

/// Expectations of the test when the state was saved.
struct Saved {
    known: Vec<Known>,
    newest: i64,
    forgotten_up_to: i64,
    /// Number of requests.
    requests: usize,
}

/// Copies all tables of a PostgreSQL database.
const SAVE: &str = "
    DO $$ DECLARE t record; BEGIN
        DROP SCHEMA IF EXISTS saved CASCADE;
        CREATE SCHEMA saved;
        FOR t IN SELECT tablename AS name FROM pg_tables
                 WHERE schemaname = 'public' AND tablename <> '_sqlx_migrations' LOOP
            EXECUTE format('CREATE TABLE saved.%1$I AS TABLE public.%1$I', t.name);
        END LOOP;
        CREATE TABLE saved.given AS
            SELECT sequencename AS name, last_value AS last
            FROM pg_sequences WHERE schemaname = 'public';
    END $$";

/// Replaces the tables by their copies, and changes the timeline as a promotion does.
const LOSE: &str = "
    DO $$ DECLARE t record; BEGIN
        SET LOCAL session_replication_role = replica;
        FOR t IN SELECT tablename AS name FROM pg_tables
                 WHERE schemaname = 'saved' AND tablename <> 'given' LOOP
            EXECUTE format('DELETE FROM public.%I', t.name);
            EXECUTE format('INSERT INTO public.%1$I OVERRIDING SYSTEM VALUE
                            SELECT * FROM saved.%1$I', t.name);
        END LOOP;
        FOR t IN SELECT name, last FROM saved.given LOOP
            PERFORM setval(format('public.%I', t.name)::regclass, coalesce(t.last, 1),
                           t.last IS NOT NULL);
        END LOOP;
        UPDATE timeline SET name = left(name, -8) || '0000000A';
    END $$";

impl World {
    pub(super) async fn new() -> Self {
        let node = Node::new().await;
        let endpoints = Endpoints::new(node.clock.clone());
        let mut dispatchers = Vec::new();
        for _ in 0..DISPATCHERS {
            dispatchers.push(Some(node.dispatcher()));
        }
        let mut world = Self {
            node,
            endpoints,
            dispatchers,
            addresses: Vec::new(),
            subscriptions: Vec::new(),
            known: Vec::new(),
            events: BTreeMap::new(),
            reports: 0,
            tick: 0,
            since: 0,
            judged: 0,
            lost: Vec::new(),
            forgotten_up_to: 0,
            saved: None,
            lost_events: HashSet::new(),
            is_sending: false,
        };
        // No subscription exists yet, so nobody receives this event.
        world.publish(&[(0, ReportType::Water)]).await;
        world.subscribe(&EventName::PUBLIC).await;
        world.subscribe(&[EventName::ReportCreated]).await;
        world.save().await;
        world
    }

    pub(super) async fn walk(&mut self, step: &Step) {
        match step {
            Step::Small(small) => self.small(small).await,
            Step::Dispatch(who) => self.dispatch(*who).await,
            Step::Die(who, after, writes) => self.die(*who, *after, *writes).await,
            Step::Late(who, after, meanwhile) => self.late(*who, *after, meanwhile).await,
            Step::Lose(who) => {
                let rows = [(0, ReportType::Spirit), (1, ReportType::Water)];
                self.publish(&rows).await;
                self.dispatch(*who).await;
                self.lose().await;
                self.publish(&rows).await;
                self.dispatch(*who).await;
            }
            Step::Grind(times) => {
                for time in 0..*times {
                    self.publish(&[(time % PLACES.len(), ReportType::Spirit)]).await;
                    self.small(&Small::PassUntilDue).await;
                    self.dispatch(time % DISPATCHERS).await;
                }
            }
        }
    }

    pub(super) async fn dispatch(&mut self, who: usize) {
        let before = self.begin().await;
        let mut dispatcher = self.dispatchers[who].take().unwrap();
        soon("the end of the attempts", dispatcher.dispatch_due()).await.unwrap();
        self.dispatchers[who] = Some(dispatcher);
        self.judge(&before, true).await;
    }

    async fn die(&mut self, who: usize, after: usize, writes: bool) {
        let before = self.begin().await;
        self.endpoints.hold_after(after);
        let mut dispatcher = self.dispatchers[who].take().unwrap();
        let mut dying = tokio::spawn(async move { dispatcher.dispatch_due().await.map(|_| ()) });
        let is_held = soon("a request or the end", async {
            tokio::select! {
                () = self.endpoints.until_one_is_held() => true,
                ended = &mut dying => { ended.unwrap().unwrap(); false }
            }
        })
        .await;
        if writes {
            settle().await;
        }
        if is_held {
            dying.abort();
            assert!(dying.await.unwrap_err().is_cancelled());
        }
        settle().await;
        self.endpoints.hold_no_more();
        self.dispatchers[who] = Some(self.node.dispatcher());
        self.judge(&before, false).await;
    }

    async fn late(&mut self, who: usize, after: usize, meanwhile: &[(Small, bool)]) {
        self.is_sending = true;
        self.send_late(who, after, meanwhile).await;
        self.is_sending = false;
    }

    async fn send_late(&mut self, who: usize, after: usize, meanwhile: &[(Small, bool)]) {
        let before = self.begin().await;
        let from = self.endpoints.count();
        self.endpoints.hold_after(after);
        let mut dispatcher = self.dispatchers[who].take().unwrap();
        let mut slow = tokio::spawn(async move {
            dispatcher.dispatch_due().await.unwrap();
            dispatcher
        });
        let ended = soon("a request or the end", async {
            tokio::select! {
                () = self.endpoints.until_one_is_held() => None,
                ended = &mut slow => Some(ended.unwrap()),
            }
        })
        .await;
        settle().await;
        self.endpoints.hold_no_more();
        if let Some(dispatcher) = ended {
            self.dispatchers[who] = Some(dispatcher);
            return self.judge(&before, false).await;
        }
        let held: Vec<_> = self.endpoints.arrivals(from);
        let held: Vec<_> = held.into_iter().filter(|one| one.status.is_none()).collect();
        let owners = self.owners().await;
        for (number, (small, is_dispatched)) in meanwhile.iter().enumerate() {
            Box::pin(self.small(small)).await;
            if *is_dispatched {
                let other = (who + 1 + number % (DISPATCHERS - 1)) % DISPATCHERS;
                let mut dispatcher = self.dispatchers[other].take().unwrap();
                soon("the end of the others", dispatcher.dispatch_due()).await.unwrap();
                self.dispatchers[other] = Some(dispatcher);
            }
        }
        let owners_now = self.owners().await;
        let lost = held.into_iter().filter(|one| {
            let seq = self.subscriptions[one.subscription].seq;
            owners.get(&seq) != owners_now.get(&seq)
        });
        let mut kept = Vec::new();
        for one in lost {
            kept.push((self.delivery(&one).await, one));
        }
        let again = self.endpoints.count();
        self.endpoints.answer(from);
        self.addresses.iter().flatten().for_each(Receiver::let_all_go);
        self.dispatchers[who] = Some(soon("the late end", slow).await.unwrap());
        for (delivery, one) in kept {
            let again = self.endpoints.arrivals(again);
            if !again.iter().any(|other| other.is_like(&one)) {
                assert_eq!(self.delivery(&one).await, delivery, "changed by a late {one:?}");
            }
            self.lost.push(Arrival { status: Some(one.response), ..one });
        }
        self.judge(&before, false).await;
    }

    /// Delivery as stored in the database.
    async fn delivery(&self, of: &Arrival) -> Option<String> {
        let seq = self.subscriptions[of.subscription].seq;
        let sql = format!(
            "SELECT status || ' ' || coalesce(CAST(due_at AS TEXT), '') || ' ' || attempts || ' ' || failures
             FROM deliveries d JOIN events e ON e.seq = d.event_seq
             WHERE d.subscription_seq = {seq} AND e.id = '{}'",
            of.event
        );
        self.node.ask(&sql).await.pop()
    }

    async fn owners(&self) -> BTreeMap<i64, i64> {
        let seqs = "SELECT seq FROM subscriptions WHERE lease_owner IS NOT NULL ORDER BY seq";
        let owners =
            "SELECT lease_owner FROM subscriptions WHERE lease_owner IS NOT NULL ORDER BY seq";
        self.node.ask(seqs).await.into_iter().zip(self.node.ask(owners).await).collect()
    }

    async fn small(&mut self, small: &Small) {
        let (store, partner) = (self.node.store().clone(), self.node.partner_id);
        match small {
            Small::Publish(rows) => self.publish(rows).await,
            Small::Withdraw(number) => {
                store
                    .reports()
                    .decide(
                        domain::report::Step::Withdraw,
                        &[format!("r{}", number % self.reports)],
                    )
                    .await
                    .unwrap();
                self.read_log().await;
            }
            Small::Pass(time) => self.node.clock.advance(*time),
            Small::PassUntilDue => self.pass_until_due().await,
            Small::Mood(of, mood) if *of < self.known.len() => self.endpoints.set_mood(*of, *mood),
            Small::Subscribe(events) if self.known.len() < MAX_SUBSCRIPTIONS => {
                self.subscribe(events).await;
            }
            Small::Prune => {
                let cutoff = self.node.now() - RETENTION;
                self.note_pruned(cutoff).await;
                store.event_log().prune(cutoff, || ready(())).await.unwrap();
            }
            Small::Disable(of) if self.is_there(*of) => {
                store.subscriptions().disable(&self.subscriptions[*of].id, "So.").await.unwrap();
                self.change(*of, |version| version.is_active = false);
            }
            Small::Enable(of) if self.is_there(*of) => {
                store.subscriptions().enable(&self.subscriptions[*of].id).await.unwrap();
                self.change(*of, |version| version.is_active = true);
            }
            Small::Events(of, events) if self.is_there(*of) => {
                let change = Change { events: Some(events.clone()), ..Change::default() };
                store
                    .subscriptions()
                    .change(partner, &self.subscriptions[*of].id, &change)
                    .await
                    .unwrap();
                self.change(*of, |version| version.events.clone_from(events));
            }
            Small::Filter(of, filter) if self.is_there(*of) => {
                let change = Change { filter: Some(filter.clone()), ..Change::default() };
                store
                    .subscriptions()
                    .change(partner, &self.subscriptions[*of].id, &change)
                    .await
                    .unwrap();
                self.change(*of, |version| version.filter.clone_from(filter));
            }
            Small::Move(of) if self.is_there(*of) => self.move_to_another(*of).await,
            Small::Rotate(of) if self.is_there(*of) => {
                let new = Secret::generate(&self.node.random);
                store
                    .subscriptions()
                    .rotate_secret(partner, &self.subscriptions[*of].id, &new)
                    .await
                    .unwrap();
                let until = self.node.now() + TimeDelta::days(1);
                self.change(*of, |version| {
                    version.old = Some((version.secret.clone(), until));
                    version.secret = new;
                });
            }
            Small::Delete(of) if self.is_there(*of) => {
                assert!(
                    store
                        .subscriptions()
                        .unsubscribe(partner, &self.subscriptions[*of].id)
                        .await
                        .unwrap()
                );
                self.change(*of, |version| version.is_deleted = true);
            }
            Small::Redeliver(of, which) if self.is_there(*of) => {
                let log = self.node.log(&self.subscriptions[*of]).await;
                if let Some(delivery) = log.get(which % log.len().max(1)) {
                    let id: DeliveryId = delivery.id.parse().unwrap();
                    if store.deliveries().redeliver(id).await.unwrap() == Redelivered::Due {
                        self.sends_again(*of, [id.event].into());
                    }
                }
            }
            Small::Replay(of, from) if self.is_there(*of) => self.replay(*of, *from).await,
            Small::ReplayFailed(of) if self.is_there(*of) => {
                let failed = self.deliveries(self.subscriptions[*of].seq, "FAILED").await;
                let count = Replayed::Events(failed.len() as u64);
                let id = &self.subscriptions[*of].id;
                let replayed = store
                    .deliveries()
                    .replay(Some(partner), id, Replay::Failed(None))
                    .await
                    .unwrap();
                assert_eq!(replayed, count);
                self.sends_again(*of, failed);
            }
            Small::Save => self.save().await,
            Small::Lose => self.lose().await,
            _ => {}
        }
    }

    async fn save(&mut self) {
        match self.node.database.engine() {
            Engine::Postgres => self.node.database.attempt(SAVE).await.unwrap(),
            Engine::Sqlite => {
                let copy = self.node.database.path("copy.db");
                let _ = std::fs::remove_file(&copy);
                self.node.store().backup(&copy, &CancellationToken::new()).await.unwrap();
            }
        }
        let newest = self.events.keys().next_back().copied().unwrap_or(0);
        let (known, forgotten_up_to) = (self.known_now(), self.forgotten_up_to);
        let requests = self.endpoints.count();
        self.saved = Some(Saved { known, newest, forgotten_up_to, requests });
    }

    async fn lose(&mut self) {
        let Some(saved) = &self.saved else { return };
        let database = &mut self.node.database;
        match database.engine() {
            Engine::Postgres => {
                database.attempt(LOSE).await.unwrap();
                database.store = database.elsewhere().await;
            }
            // The file can only be replaced while no dispatcher uses it.
            Engine::Sqlite if self.is_sending => return,
            Engine::Sqlite => {
                self.dispatchers.clear();
                database.restore("copy.db").await;
                for _ in 0..DISPATCHERS {
                    self.dispatchers.push(Some(self.node.dispatcher()));
                }
            }
        }
        // The clock advances, so that no event number is used twice.
        self.node.clock.advance(Duration::from_millis(1));
        self.tick += 1;
        let lost = self.events.split_off(&(saved.newest + 1));
        self.lost_events.extend(lost.into_values().map(|event| event.id));
        self.forgotten_up_to = saved.forgotten_up_to;
        self.endpoints.lose_leases(saved.requests);
        for (of, known) in self.known.iter_mut().enumerate() {
            match saved.known.get(of) {
                Some(before) => known.go_back(self.tick, before),
                None => {
                    known.change(self.tick, |now| now.is_deleted = true);
                    self.subscriptions[of].seq = -1;
                }
            }
        }
    }

    fn is_there(&self, of: usize) -> bool {
        self.known.get(of).is_some_and(|known| !known.now().is_deleted)
    }

    async fn publish(&mut self, rows: &[(usize, ReportType)]) {
        let rows = rows.iter().map(|(place, kind)| {
            let [city, region, country] = PLACES[*place];
            self.reports += 1;
            report(&format!("r{}", self.reports - 1), *kind).at(city, region, country)
        });
        let rows: Vec<_> = rows.collect();
        self.node.store().reports().import(&rows, Mode::Approve).await.unwrap();
        self.read_log().await;
    }

    async fn read_log(&mut self) {
        let last = self.events.keys().next_back().copied().unwrap_or(0);
        let new = self.node.store().deliveries().events_after(last, i64::MAX).await.unwrap();
        self.events.extend(new.into_iter().map(|event| (event.seq, event)));
        for known in &mut self.known {
            for event in self.events.range(last + 1..).map(|(_, event)| event) {
                known.published(event);
            }
        }
    }

    async fn pass_until_due(&mut self) {
        let now = self.node.now();
        let mut next = Vec::new();
        for of in &self.subscriptions {
            next.extend(self.node.next_due(of.seq).await.filter(|due| *due > now));
        }
        // If nothing is due soon, the clock advances at most two days.
        let next = next.into_iter().min().unwrap_or(now).min(now + TimeDelta::days(2));
        self.node.advance_to(next);
    }

    async fn subscribe(&mut self, events: &[EventName]) {
        let index = self.known.len();
        let receiver = self.endpoints.open(index, 0).await;
        let subscription = self.node.subscribe(&receiver.url(), events).await;
        let secret = Secret::from_stored(subscription.secret.clone());
        self.tick += 1;
        self.known.push(Known::new(self.tick, Version::new(events, secret)));
        self.subscriptions.push(subscription);
        self.addresses.push(vec![receiver]);
    }

    async fn replay(&mut self, of: usize, from: usize) {
        let (id, partner) = (&self.subscriptions[of].id, self.node.partner_id);
        let first: Vec<i64> = self
            .node
            .ask(&format!("SELECT seq FROM events ORDER BY seq LIMIT 1 OFFSET {from}"))
            .await;
        let Some(first) = first.first() else { return };
        // The preceding number may belong to a lost event, so the largest existing one is used.
        let before =
            format!("SELECT coalesce(max(seq), {first} - 1) FROM events WHERE seq < {first}");
        let before: i64 = self.node.ask(&before).await.remove(0);
        let wanted: BTreeSet<i64> = (self.events.range(first..))
            .filter(|(_, event)| self.known[of].now().wants(event))
            .map(|(seq, _)| *seq)
            .collect();
        let replay = Replay::Everything(LogPosition::After(before));
        let replayed =
            self.node.store().deliveries().replay(Some(partner), id, replay).await.unwrap();
        assert_eq!(replayed, Replayed::Events(wanted.len() as u64));
        self.sends_again(of, wanted);
    }

    /// Records that these events are sent again, regardless of their earlier result.
    fn sends_again(&mut self, of: usize, events: BTreeSet<i64>) {
        let arrivals = self.endpoints.count();
        self.known[of].sends_again(events, arrivals);
    }

    async fn move_to_another(&mut self, of: usize) {
        let address = self.addresses[of].len();
        let receiver = self.endpoints.open(of, address).await;
        let change = Change { url: Some(receiver.url()), ..Change::default() };
        let id = &self.subscriptions[of].id;
        self.node.store().subscriptions().change(self.node.partner_id, id, &change).await.unwrap();
        self.addresses[of].push(receiver);
        self.change(of, |version| version.address = address);
    }

    pub(super) fn change(&mut self, of: usize, change: impl FnOnce(&mut Version)) {
        self.tick += 1;
        self.known[of].change(self.tick, change);
    }

    /// Makes all receivers accept, and advances the clock until nothing more is sent.
    pub(super) async fn end(mut self) {
        for of in 0..self.known.len() {
            self.endpoints.set_mood(of, Mood::Accepts);
            if self.is_there(of) {
                self.small(&Small::Enable(of)).await;
            }
        }
        // First leases end, then pauses and retries.
        for time in [Duration::ZERO, LEASE, DAY * 2, LEASE] {
            self.node.clock.advance(time);
            self.dispatch(0).await;
        }
        let before = self.endpoints.count();
        self.node.clock.advance(DAY * 3);
        self.dispatch(1).await;
        assert_eq!(self.endpoints.count(), before, "something is still sent");
        self.judge_all().await;
    }
}

/// Lets all other tasks run, so that sent requests have arrived.
async fn settle() {
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
