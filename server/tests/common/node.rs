//! A node without an HTTP service: a database, a clock, and dispatchers that a test steps.

use std::time::Duration;

use base::{clock::Clock, random::Random};
use chrono::{DateTime, TimeDelta, Utc};
use domain::report::Step;
use domain::{
    event::EventName,
    report::NewReport,
    signature::Secret,
    subscription::{DeliveryId, DeliveryStatus, NewSubscription, SubscriptionStatus},
    tier::Tier,
};
use model::ReportType::Spirit;
use sqlx::Connection;
use store::{
    DeliveryQuery, Enabled, KeySettings, ListedDelivery, Mode, NewKey, QueuedEvent, Store,
};

use svc::{config::WebhookTargets, keys::ApiKey};

use tokio::task::JoinHandle;
use webhooks::{
    client::{Client, Timeouts},
    dispatcher::Dispatcher,
    resolver::Resolver,
};

use crate::{
    harness::{Database, Engine, START, instant, report, soon},
    leasing::take_all,
};

pub(crate) use domain::event::EventName::{MetricsUpdated, ReportCreated};

/// Permits receivers on this machine.
pub(crate) const LENIENT: WebhookTargets = WebhookTargets::lenient();

/// Timeouts that no test reaches: a test that waits in vain fails with its own timeout.
pub(crate) const PATIENT: Timeouts = Timeouts {
    connect: Duration::from_secs(600),
    answer: Duration::from_secs(600),
    drain: Duration::from_secs(600),
};

pub(crate) const LEASE: Duration = Duration::from_secs(25);
pub(crate) const MILLISECOND: Duration = Duration::from_millis(1);
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

pub(crate) struct Node {
    pub database: Database,
    pub clock: Clock,
    pub random: Random,
    pub client: Client,
    pub partner_id: i64,
}

/// Subscription of the node's only partner.
#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    pub id: String,
    pub seq: i64,
    pub secret: String,
}

/// Column types that both engines return.
pub(crate) trait Answered:
    for<'r> sqlx::Decode<'r, sqlx::Sqlite>
    + sqlx::Type<sqlx::Sqlite>
    + for<'r> sqlx::Decode<'r, sqlx::Postgres>
    + sqlx::Type<sqlx::Postgres>
    + Send
    + Unpin
{
}

impl Answered for i64 {}
impl Answered for Option<i64> {}
impl Answered for String {}
impl Answered for bool {}
impl Answered for Option<bool> {}

impl Node {
    /// Creates a node whose clock stands still and that waits for every response.
    pub(crate) async fn new() -> Self {
        Self::with(Clock::stepped(instant(START)), PATIENT).await
    }

    pub(crate) async fn with(clock: Clock, timeout: Timeouts) -> Self {
        let client = Client::with_timeouts(LENIENT, Resolver::system(), timeout).unwrap();
        Self::sending(client, clock).await
    }

    pub(crate) async fn sending(client: Client, clock: Clock) -> Self {
        let (database, random) = (Database::timed_by(clock.clone()).await, Random::seeded(1));
        let partner_id = partner(&database.store, &random, "Aid").await;
        Self { database, clock, random, client, partner_id }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.database.store
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) async fn subscribe(&self, url: &str, events: &[EventName]) -> Subscription {
        subscribe(self.store(), self.partner_id, &self.random, url, events).await
    }

    /// Imports reports and approves them in one transaction.
    pub(crate) async fn approve(&self, ids: &[&str]) {
        let reports: Vec<NewReport> = ids.iter().map(|id| report(id, Spirit)).collect();
        self.store().reports().import(&reports, Mode::Pending).await.unwrap();
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        self.store().reports().decide(Step::Approve, &ids).await.unwrap();
    }

    /// Imports and approves `count` reports in one transaction.
    pub(crate) async fn approve_many(&self, count: usize) {
        let ids: Vec<String> = (0..count).map(|number| format!("r{number}")).collect();
        self.approve(&ids.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }

    pub(crate) fn dispatcher(&self) -> Dispatcher {
        self.dispatcher_on(self.store().clone())
    }

    /// Creates a dispatcher with separate connections, as another process would have.
    pub(crate) async fn dispatcher_elsewhere(&self) -> Dispatcher {
        self.dispatcher_on(self.database.elsewhere().await)
    }

    pub(crate) fn dispatcher_on(&self, store: Store) -> Dispatcher {
        let client = self.client.clone();
        Dispatcher::new(store, self.clock.clone(), self.random.clone(), client)
    }

    /// Sends due deliveries and returns the number of attempts.
    pub(crate) async fn dispatch(&self) -> usize {
        let dispatched = async { self.dispatcher().dispatch_due().await.unwrap() };
        soon("the end of the attempts", dispatched).await
    }

    /// Sends due deliveries in the background, for responses that the test holds back.
    pub(crate) fn dispatching(&self) -> JoinHandle<usize> {
        let mut dispatcher = self.dispatcher();
        tokio::spawn(async move { dispatcher.dispatch_due().await.unwrap() })
    }

    /// Deliveries of a subscription, oldest first.
    pub(crate) async fn log(&self, of: &Subscription) -> Vec<ListedDelivery> {
        let query = DeliveryQuery {
            subscription: Some(of.seq),
            status: None,
            after: None,
            limit: u32::MAX,
        };
        let mut deliveries = self.store().deliveries().list(&query).await.unwrap();
        deliveries.reverse();
        deliveries
    }

    pub(crate) async fn statuses(&self, of: &Subscription) -> Vec<DeliveryStatus> {
        self.log(of).await.iter().map(|delivery| delivery.status).collect()
    }

    /// Status of a subscription and, if it is disabled, the reason.
    pub(crate) async fn health(&self, of: &Subscription) -> (SubscriptionStatus, Option<String>) {
        let listed = self.store().subscriptions().find(&of.id).await.unwrap().unwrap().subscription;
        (listed.status, listed.disabled_reason)
    }

    /// Enables a subscription, sends the events it missed, and returns their number.
    pub(crate) async fn enable(&self, of: &Subscription) -> u64 {
        let enabled = self.store().subscriptions().enable(&of.id).await.unwrap();
        assert_eq!(self.health(of).await, (SubscriptionStatus::Active, None));
        self.dispatch().await;
        match enabled {
            Enabled::Now { missed } => missed,
            other => panic!("{other:?}"),
        }
    }

    /// Time of the next attempt of a subscription, including the first attempt of an unsent event.
    pub(crate) async fn next_try(&self, of: &Subscription) -> Option<DateTime<Utc>> {
        let newest = "SELECT (SELECT max(seq) FROM events WHERE name = 'report.created') > cursor";
        let is_any_unsent: Option<bool> = self.ask_of_active(newest, of.seq).await?;
        let is_any_unsent = is_any_unsent.unwrap_or_default();
        let due = if is_any_unsent { 0 } else { self.first_due(of.seq).await?? };
        let next = DateTime::from_timestamp_millis(due.max(self.pause(of.seq).await?));
        Some(self.now().max(next.unwrap()))
    }

    /// Time of the next retry of an active subscription, or the end of its pause if that is later.
    pub(crate) async fn next_due(&self, seq: i64) -> Option<DateTime<Utc>> {
        let due = self.first_due(seq).await?.unwrap_or_default();
        DateTime::from_timestamp_millis(due.max(self.pause(seq).await?))
    }

    /// Time of the first retry of an active subscription, if one is due.
    async fn first_due(&self, seq: i64) -> Option<Option<i64>> {
        let due = "SELECT (SELECT min(due_at) FROM deliveries WHERE subscription_seq = s.seq)";
        self.ask_of_active(due, seq).await
    }

    /// End of an active subscription's pause; 0 if it is not paused.
    async fn pause(&self, seq: i64) -> Option<i64> {
        self.ask_of_active("SELECT coalesce(paused_until, 0)", seq).await
    }

    async fn ask_of_active<T: Answered>(&self, what: &str, seq: i64) -> Option<T> {
        let from = "FROM subscriptions s WHERE status = 'ACTIVE' AND seq =";
        self.ask(&format!("{what} {from} {seq}")).await.pop()
    }

    /// Publishes reports, and lets the subscription's endpoint fail until it is paused.
    pub(crate) async fn fail_until_paused(&self, failing: &Subscription) {
        self.approve(&["a", "b", "c", "d", "e", "f"]).await;
        self.dispatch().await;
        while self.pause_of(failing.seq).await.is_none() {
            let next = self.next_try(failing).await.unwrap();
            self.advance_to(next);
            self.dispatch().await;
        }
    }

    /// End of the pause of an active subscription's endpoint.
    pub(crate) async fn pause_of(&self, seq: i64) -> Option<DateTime<Utc>> {
        let sql = "SELECT coalesce(paused_until, -1) FROM subscriptions
                   WHERE status = 'ACTIVE' AND seq =";
        let until: i64 = self.ask(&format!("{sql} {seq}")).await.pop()?;
        DateTime::from_timestamp_millis(Some(until).filter(|until| *until >= 0)?)
    }

    /// End of the pause of the only subscription's endpoint.
    pub(crate) async fn paused_until(&self) -> Option<DateTime<Utc>> {
        let until: Option<i64> = self.ask("SELECT paused_until FROM subscriptions").await.remove(0);
        until.and_then(DateTime::from_timestamp_millis)
    }

    /// Number of failures of each delivery of a subscription.
    pub(crate) async fn failures(&self, of: &Subscription) -> Vec<i64> {
        let sql = "SELECT failures FROM deliveries WHERE subscription_seq = ";
        self.ask(&format!("{sql} {} ORDER BY event_seq", of.seq)).await
    }

    pub(crate) async fn ask<T: Answered>(&self, sql: &str) -> Vec<T> {
        let (url, sql) = (self.database.url(), sqlx::AssertSqlSafe(sql.to_owned()));
        match self.database.engine() {
            Engine::Sqlite => {
                let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
                sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
            }
            Engine::Postgres => {
                let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
                sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
            }
        }
    }

    /// Moves the clock to `end`, and sends each due delivery at its time.
    pub(crate) async fn run_until(&self, of: &Subscription, end: DateTime<Utc>) {
        while let Some(due) = self.next_try(of).await.filter(|due| *due <= end) {
            self.advance_to(due);
            if self.dispatch().await == 0 {
                break;
            }
        }
        self.advance_to(end);
    }

    pub(crate) fn advance_to(&self, instant: DateTime<Utc>) {
        self.clock.advance((instant - self.now()).to_std().unwrap_or_default());
    }

    /// Takes all unsent events of a subscription, as a dispatcher does, but sends nothing.
    pub(crate) async fn take_all(&self, of: &Subscription) -> Vec<QueuedEvent> {
        take_all(self.store(), of.seq).await
    }

    /// Approves a report, and then others one by one until a delivery has failed for good. The receiver must be one
    /// that [refuses](crate::receiver::Receiver::refusing) a report.
    pub(crate) async fn fail_for_good(&self, of: &Subscription, id: &str) {
        self.approve(&[id]).await;
        let mut others = 0;
        while {
            self.approve(&[&format!("{id}-{others}")]).await;
            others += 1;
            self.dispatch().await;
            let failed = self
                .log(of)
                .await
                .into_iter()
                .any(|delivery| delivery.status == DeliveryStatus::Failed);
            !failed
        } {
            let next = self.next_try(of).await.unwrap();
            self.advance_to(next);
        }
    }

    /// Number of rows of a table.
    pub(crate) async fn rows(&self, table: &'static str) -> i64 {
        self.ask(&format!("SELECT count(*) FROM {table}")).await.remove(0)
    }
}

/// Creates the only partner of a database, with a key, and returns its number.
pub(crate) async fn partner(store: &Store, random: &Random, name: &str) -> i64 {
    holder(store, random, name, Tier::Partner).await
}

/// Creates a key of this tier, and returns the id of its partner.
pub(crate) async fn holder(store: &Store, random: &Random, name: &str, tier: Tier) -> i64 {
    let key = ApiKey::generate(random);
    let key = NewKey {
        prefix: key.prefix().to_owned(),
        hash: key.hash(),
        tier,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    assert!(store.keys().create(name, &key).await.unwrap().is_some());
    let keys = store.keys().in_force().await.unwrap();
    keys.iter().find(|found| found.prefix == key.prefix).unwrap().partner_id
}

/// Makes a subscription of a partner.
pub(crate) async fn subscribe(
    store: &Store,
    partner_id: i64,
    random: &Random,
    url: &str,
    events: &[EventName],
) -> Subscription {
    let id = format!("sub_{}", random.base62(22));
    let secret = Secret::generate(random).as_str().to_owned();
    let new = NewSubscription {
        id: id.clone(),
        partner_id,
        url: url.to_owned(),
        events: events.to_vec(),
        filter: None,
        secret: secret.clone(),
    };
    assert!(store.subscriptions().create(&new, u32::MAX).await.unwrap().is_some());
    let seq = store.subscriptions().find(&id).await.unwrap().unwrap().seq;
    Subscription { id, seq, secret }
}

/// Time `days` days after [`START`].
pub(crate) fn after(days: i64) -> DateTime<Utc> {
    instant(START) + TimeDelta::days(days)
}

/// Id of a delivery in the operator's commands.
pub(crate) fn id(delivery: &ListedDelivery) -> DeliveryId {
    delivery.id.parse().unwrap()
}
