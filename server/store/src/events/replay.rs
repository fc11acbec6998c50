//! Sending events again, from some place in the log on or only those that have failed.

use chrono::{DateTime, Utc};
use domain::{action::Action, event::TEST};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    log::{self, LostPlace},
    wanted::{EventAbout, Wanted, wanted_columns},
};
use crate::{
    areas,
    audit_log::Entry,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::Result,
};

/// How many events are looked at, at most, to count those that are to be sent.
pub(super) const MOST_COUNTED: i64 = if cfg!(test) { 8 } else { 100_000 };
/// How many failed deliveries are made due in one transaction.
const AT_ONCE: usize = if cfg!(test) { 2 } else { 1_000 };

/// Where in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the first event of this time or later, of those that are kept.
    From(DateTime<Utc>),
    /// After the event with this number.
    After(i64),
}

/// What to send again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// Everything from there on.
    Everything(Place),
    /// Deliveries that have failed for good, from there on if a place is given.
    Failed(Option<Place>),
}

/// The result of asking for a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// So many events are sent again. Of those after the first 100,000 none is counted.
    Events(u64),
    Lost(LostPlace),
    Unknown,
}

impl areas::Deliveries<'_> {
    /// Sends events to a subscription again, that of `partner_id` if it is given. A disabled one gets
    /// them when it is enabled.
    pub async fn replay(
        self,
        partner_id: Option<i64>,
        id: &str,
        replay: Replay,
    ) -> Result<Replayed> {
        self.replay_up_to(partner_id, id, replay, None).await
    }

    /// The same up to a place in the log: up to the last event before a time, or to the one that a number is of. What was
    /// not sent yet is sent in any case.
    pub async fn replay_up_to(
        self,
        partner_id: Option<i64>,
        id: &str,
        replay: Replay,
        to: Option<Place>,
    ) -> Result<Replayed> {
        // What takes long, for a long log, does not keep writers waiting.
        let plan =
            self.store.read(move |tx| Box::pin(plan(tx, partner_id, id, replay, to))).await?;
        match plan {
            Err(not_replayed) => Ok(not_replayed),
            Ok(Plan::From { seq, after, events }) => {
                self.store
                    .administer(move |tx, now| {
                        Box::pin(async move {
                            rewind(tx, seq, after).await?;
                            self.store.note(tx, now, noted(id, events)).await
                        })
                    })
                    .await?;
                Ok(Replayed::Events(events))
            }
            Ok(Plan::Stretch { subscription, after, last }) => {
                self.send_again(id, &subscription, after, last).await
            }
            Ok(Plan::Failed { seq, events }) => {
                for events in events.chunks(AT_ONCE) {
                    self.store
                        .administer(move |tx, now| {
                            Box::pin(async move {
                                retry(tx, seq, events, now).await?;
                                self.store.note(tx, now, noted(id, events.len() as u64)).await
                            })
                        })
                        .await?;
                }
                Ok(Replayed::Events(events.len() as u64))
            }
        }
    }

    /// Sends the events after one up to another again, a part of the log at a time.
    async fn send_again(
        self,
        id: &str,
        subscription: &Subscription,
        mut after: i64,
        last: i64,
    ) -> Result<Replayed> {
        let mut sent = 0;
        while after < last {
            let (events, end) = self
                .store
                .read(move |tx| Box::pin(wanted_between(tx, subscription, after, last)))
                .await?;
            if !events.is_empty() {
                let (seq, events) = (subscription.seq, &events);
                self.store
                    .administer(move |tx, now| {
                        Box::pin(async move {
                            make_due(tx, seq, events, now).await?;
                            self.store.note(tx, now, noted(id, events.len() as u64)).await
                        })
                    })
                    .await?;
            }
            sent += events.len() as u64;
            after = end;
        }
        Ok(Replayed::Events(sent))
    }
}

fn noted(subscription: &str, events: u64) -> Entry<'static> {
    Entry::of(Action::ReplayWebhook, subscription).after(json!({ "events": events }))
}

/// What is to be written.
enum Plan {
    /// Everything after an event, and how many events that are.
    From { seq: i64, after: i64, events: u64 },
    /// Everything after an event up to another.
    Stretch { subscription: Subscription, after: i64, last: i64 },
    /// The deliveries of these events.
    Failed { seq: i64, events: Vec<i64> },
}

#[derive(sqlx::FromRow)]
struct Subscription {
    seq: i64,
    cursor: i64,
    #[sqlx(flatten)]
    wanted: Wanted,
}

pub(super) fn replayed() -> String {
    format!(
        "SELECT seq, cursor, {} FROM subscriptions
         WHERE id = $1 AND ($2 IS NULL OR partner_id = $2) AND status <> 'DELETED'",
        wanted_columns()
    )
}

async fn plan(
    tx: &mut Connection,
    partner_id: Option<i64>,
    id: &str,
    replay: Replay,
    to: Option<Place>,
) -> Result<Result<Plan, Replayed>> {
    let found: Option<Subscription> = sql::query_as(AssertSqlSafe(replayed()))
        .bind(id)
        .bind(partner_id)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(subscription) = found else { return Ok(Err(Replayed::Unknown)) };
    let last = match to {
        None => None,
        Some(Place::After(event)) => Some(event),
        Some(Place::From(instant)) => {
            Some(log::last_before(tx, instant.timestamp_millis()).await?.unwrap_or_default())
        }
    };
    let after = match replay {
        Replay::Everything(place) | Replay::Failed(Some(place)) => after(tx, place).await?,
        Replay::Failed(None) => Ok(0),
    };
    let after = match after {
        Ok(after) => after,
        Err(lost) => return Ok(Err(Replayed::Lost(lost))),
    };
    let seq = subscription.seq;
    Ok(Ok(match (replay, last) {
        (Replay::Everything(_), None) => {
            Plan::From { seq, after, events: count(tx, &subscription, after).await? }
        }
        (Replay::Everything(_), Some(last)) => {
            // What comes after its cursor is yet to be sent.
            Plan::Stretch { after, last: last.min(subscription.cursor), subscription }
        }
        (Replay::Failed(_), last) => {
            let mut events = failed(tx, seq, after).await?;
            events.retain(|event| last.is_none_or(|last| *event <= last));
            Plan::Failed { seq, events }
        }
    }))
}

/// The number of the last event before the place.
async fn after(tx: &mut Connection, place: Place) -> Result<std::result::Result<i64, LostPlace>> {
    match place {
        Place::From(instant) => {
            let before = log::last_before(tx, instant.timestamp_millis()).await?;
            Ok(Ok(before.unwrap_or_default().max(log::pruned_up_to(tx).await?)))
        }
        Place::After(event) => Ok(log::lost(tx, event).await?.map_or(Ok(event), Err)),
    }
}

/// Events that a subscription wants all of, or none.
#[derive(sqlx::FromRow)]
struct Alike {
    name: String,
    #[sqlx(flatten)]
    about: EventAbout,
    events: i64,
}

/// How many events there are of each kind after one, of the first so many. Places and types are told apart
/// only where there is a filter, `$3`.
pub(super) const COUNTED: &str = "
    SELECT name, CASE WHEN $3 THEN place END AS place, CASE WHEN $3 THEN type END AS type,
           CASE WHEN $3 THEN place_before END AS place_before,
           CASE WHEN $3 THEN type_before END AS type_before, count(*) AS events
    FROM (SELECT name, place, type, place_before, type_before
          FROM events WHERE seq > $1 ORDER BY seq LIMIT $2) AS heads
    GROUP BY 1, 2, 3, 4, 5";

/// How many events after one the subscription wants.
async fn count(tx: &mut Connection, of: &Subscription, after: i64) -> Result<u64> {
    let filter = of.wanted.filter.filter()?;
    let is_wanted =
        |group: &Alike| group.about.is_wanted(&group.name, &of.wanted.events, filter.as_ref());
    let groups: Vec<Alike> = sql::query_as(COUNTED)
        .bind(after)
        .bind(MOST_COUNTED)
        .bind(filter.is_some())
        .fetch_all(tx)
        .await?;
    let wanted = groups.iter().filter(|group| is_wanted(group));
    Ok(wanted.map(|group| group.events.cast_unsigned()).sum())
}

/// The first events after one, up to another, that the subscription wants, and up to which event it was looked for them.
async fn wanted_between(
    tx: &mut Connection,
    of: &Subscription,
    after: i64,
    last: i64,
) -> Result<(Vec<i64>, i64)> {
    let filter = of.wanted.filter.filter()?;
    let heads: Vec<log::Head> =
        sql::query_as(log::HEADS).bind(after).bind(last).bind(AT_ONCE as i64).fetch_all(tx).await?;
    let end = if heads.len() < AT_ONCE { last } else { heads.last().map_or(last, |head| head.seq) };
    let is_wanted =
        |head: &log::Head| head.about.is_wanted(&head.name, &of.wanted.events, filter.as_ref());
    Ok((heads.into_iter().filter(is_wanted).map(|head| head.seq).collect(), end))
}

pub(super) const FAILED: &str = "
    SELECT d.event_seq FROM deliveries d JOIN events e ON e.seq = d.event_seq
    WHERE d.subscription_seq = $1 AND d.event_seq > $2 AND d.status = 'FAILED' AND e.name <> $3
    ORDER BY d.event_seq";

/// The events after one whose deliveries have failed for good. A test is over when it has failed.
async fn failed(tx: &mut Connection, subscription: i64, after: i64) -> Result<Vec<i64>> {
    let failed =
        sql::query_scalar(FAILED).bind(subscription).bind(after).bind(TEST).fetch_all(tx).await?;
    Ok(failed)
}

/// Moves the cursor back. What has a delivery is sent again up to the newest event: a dispatcher may be
/// further than the cursor says.
async fn rewind(tx: &mut Connection, subscription: i64, after: i64) -> Result<()> {
    let newest = log::newest(tx).await?;
    let sql = "UPDATE subscriptions
         SET cursor = CASE WHEN cursor > $2 THEN $2 ELSE cursor END, replayed_up_to = $3,
             rewinds = rewinds + 1, revision = revision + 1
         WHERE seq = $1 AND status <> 'DELETED'";
    sql::query(sql).bind(subscription).bind(after).bind(newest).execute(tx).await?;
    Ok(())
}

/// Makes events due again, whatever became of them.
async fn make_due(
    tx: &mut Connection,
    subscription: i64,
    events: &[i64],
    now: DateTime<Utc>,
) -> Result<()> {
    let due_at = now.timestamp_millis();
    bulk::insert(
        tx,
        "INSERT INTO deliveries (subscription_seq, event_seq, status, due_at)",
        "ON CONFLICT (subscription_seq, event_seq) DO UPDATE
         SET status = 'PENDING', failures = 0, due_at = excluded.due_at",
        events,
        |query, event| query.bind(subscription).bind(*event).bind("PENDING").bind(due_at),
    )
    .await
}

/// Makes deliveries due that have failed.
async fn retry(
    tx: &mut Connection,
    subscription: i64,
    events: &[i64],
    now: DateTime<Utc>,
) -> Result<()> {
    let due_at = now.timestamp_millis();
    bulk::insert(
        tx,
        "WITH failed (subscription_seq, event_seq, due_at) AS (",
        ") UPDATE deliveries SET status = 'PENDING', failures = 0, due_at = f.due_at
           FROM failed f
           WHERE deliveries.subscription_seq = f.subscription_seq
             AND deliveries.event_seq = f.event_seq AND deliveries.status = 'FAILED'",
        events,
        |query, event| query.bind(subscription).bind(*event).bind(due_at),
    )
    .await
}
