//! Replays: sending events again, either all from a place in the log or only failed deliveries.

use chrono::{DateTime, Utc};
use domain::{action::Action, event::TEST};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    event_selection::{EventAbout, EventSelection, selection_columns},
    log::{self, LostPlace},
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

/// Maximum number of events scanned to count those to be sent.
pub(super) const MAX_COUNTED: i64 = if cfg!(test) { 8 } else { 100_000 };
/// Maximum number of deliveries made due in one transaction, and of events scanned for it.
const AT_ONCE: usize = if cfg!(test) { 2 } else { 1_000 };

/// Place in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPosition {
    /// First remaining event at or after this time.
    From(DateTime<Utc>),
    /// After the event with this number.
    After(i64),
}

/// Selection of events to send again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// All events from the place on.
    Everything(LogPosition),
    /// Deliveries that have permanently failed, only from the place on if one is given.
    Failed(Option<LogPosition>),
}

/// Result of a replay request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// Number of events that are sent again. When everything from a place on is sent again, only
    /// the first 100,000 events are counted.
    Events(u64),
    Lost(LostPlace),
    Unknown,
}

impl areas::Deliveries<'_> {
    /// Sends events to a subscription again; with `partner_id`, only to a subscription of that
    /// partner. A disabled subscription gets them when it is enabled.
    pub async fn replay(
        self,
        partner_id: Option<i64>,
        id: &str,
        replay: Replay,
    ) -> Result<Replayed> {
        self.replay_up_to(partner_id, id, replay, None).await
    }

    /// Like [`replay`](Self::replay), but only up to a place in the log: up to the last event
    /// before a time, or up to and including the event with a number. Events not sent yet are sent
    /// in any case.
    pub async fn replay_up_to(
        self,
        partner_id: Option<i64>,
        id: &str,
        replay: Replay,
        to: Option<LogPosition>,
    ) -> Result<Replayed> {
        // Planning may take long for a long log, so it only reads and does not block writers.
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

    /// Sends the events after `after` up to `last` again, one part of the log at a time.
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

/// Changes needed for a replay.
enum Plan {
    /// All events after an event, with their number.
    From { seq: i64, after: i64, events: u64 },
    /// All events after an event, up to another.
    Stretch { subscription: Subscription, after: i64, last: i64 },
    /// Deliveries of these events.
    Failed { seq: i64, events: Vec<i64> },
}

#[derive(sqlx::FromRow)]
struct Subscription {
    seq: i64,
    cursor: i64,
    #[sqlx(flatten)]
    wanted: EventSelection,
}

pub(super) fn replayed() -> String {
    format!(
        "SELECT seq, cursor, {} FROM subscriptions
         WHERE id = $1 AND ($2 IS NULL OR partner_id = $2) AND status <> 'DELETED'",
        selection_columns()
    )
}

async fn plan(
    tx: &mut Connection,
    partner_id: Option<i64>,
    id: &str,
    replay: Replay,
    to: Option<LogPosition>,
) -> Result<Result<Plan, Replayed>> {
    let found: Option<Subscription> = sql::query_as(AssertSqlSafe(replayed()))
        .bind(id)
        .bind(partner_id)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(subscription) = found else { return Ok(Err(Replayed::Unknown)) };
    let last = match to {
        None => None,
        Some(LogPosition::After(event)) => Some(event),
        Some(LogPosition::From(instant)) => {
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
            // Events after the cursor have not been sent yet.
            Plan::Stretch { after, last: last.min(subscription.cursor), subscription }
        }
        (Replay::Failed(_), last) => {
            let mut events = failed(tx, seq, after).await?;
            events.retain(|event| last.is_none_or(|last| *event <= last));
            Plan::Failed { seq, events }
        }
    }))
}

/// Returns the number of the last event before the place.
async fn after(
    tx: &mut Connection,
    place: LogPosition,
) -> Result<std::result::Result<i64, LostPlace>> {
    match place {
        LogPosition::From(instant) => {
            let before = log::last_before(tx, instant.timestamp_millis()).await?;
            Ok(Ok(before.unwrap_or_default().max(log::pruned_up_to(tx).await?)))
        }
        LogPosition::After(event) => Ok(log::lost(tx, event).await?.map_or(Ok(event), Err)),
    }
}

/// Group of events of which a subscription wants either all or none.
#[derive(sqlx::FromRow)]
struct EventGroup {
    name: String,
    #[sqlx(flatten)]
    about: EventAbout,
    events: i64,
}

/// Selects the number of events of each kind after event `$1`, among the first `$2`. Distinguishes
/// places and types only if the subscription has a filter (`$3`).
pub(super) const COUNTED: &str = "
    SELECT name, CASE WHEN $3 THEN place END AS place, CASE WHEN $3 THEN type END AS type,
           CASE WHEN $3 THEN place_before END AS place_before,
           CASE WHEN $3 THEN type_before END AS type_before, count(*) AS events
    FROM (SELECT name, place, type, place_before, type_before
          FROM events WHERE seq > $1 ORDER BY seq LIMIT $2) AS heads
    GROUP BY 1, 2, 3, 4, 5";

/// Counts the events after `after` that the subscription wants.
async fn count(tx: &mut Connection, of: &Subscription, after: i64) -> Result<u64> {
    let filter = of.wanted.filter.filter()?;
    let is_wanted =
        |group: &EventGroup| group.about.is_wanted(&group.name, &of.wanted.sent, filter.as_ref());
    let groups: Vec<EventGroup> = sql::query_as(COUNTED)
        .bind(after)
        .bind(MAX_COUNTED)
        .bind(filter.is_some())
        .fetch_all(tx)
        .await?;
    let wanted = groups.iter().filter(|group| is_wanted(group));
    Ok(wanted.map(|group| group.events.cast_unsigned()).sum())
}

/// Returns the events that the subscription wants among the first ones after `after`, up to `last`,
/// and the number of the last event examined.
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
        |head: &log::Head| head.about.is_wanted(&head.name, &of.wanted.sent, filter.as_ref());
    Ok((heads.into_iter().filter(is_wanted).map(|head| head.seq).collect(), end))
}

pub(super) const FAILED: &str = "
    SELECT d.event_seq FROM deliveries d JOIN events e ON e.seq = d.event_seq
    WHERE d.subscription_seq = $1 AND d.event_seq > $2 AND d.status = 'FAILED' AND e.name <> $3
    ORDER BY d.event_seq";

/// Returns the events after `after` whose deliveries have permanently failed. Excludes test events,
/// which are sent only once.
async fn failed(tx: &mut Connection, subscription: i64, after: i64) -> Result<Vec<i64>> {
    let failed =
        sql::query_scalar(FAILED).bind(subscription).bind(after).bind(TEST).fetch_all(tx).await?;
    Ok(failed)
}

/// Moves the cursor back. Up to the newest event, events are sent again even if they have a
/// delivery, because a dispatcher may be further than the stored cursor.
async fn rewind(tx: &mut Connection, subscription: i64, after: i64) -> Result<()> {
    let newest = log::newest(tx).await?;
    let sql = "UPDATE subscriptions
         SET cursor = CASE WHEN cursor > $2 THEN $2 ELSE cursor END, replayed_up_to = $3,
             rewinds = rewinds + 1, revision = revision + 1
         WHERE seq = $1 AND status <> 'DELETED'";
    sql::query(sql).bind(subscription).bind(after).bind(newest).execute(tx).await?;
    Ok(())
}

/// Makes events due again, regardless of the status of their deliveries.
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

/// Makes failed deliveries due.
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
