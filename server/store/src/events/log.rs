//! Event log, for partners.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::event::EventName;
use futures_util::TryStreamExt;

use super::event_selection::EventAbout;
use crate::{
    areas,
    engine::{
        bulk,
        sql::{self, Connection, Engine},
    },
    error::{Error, Result},
    filter::PlaceFilter,
};

/// Maximum number of events scanned per call. In a long log, rare events may be far apart.
const MAX_EXAMINED: i64 = if cfg!(test) { 8 } else { 4_096 };

/// Selection of events.
#[derive(Clone, Debug)]
pub struct LogQuery {
    /// Number of the event after which to start; `None` starts at the oldest.
    pub after: Option<i64>,
    /// Names of the events to return.
    pub events: Vec<EventName>,
    /// Place of the reports. Events that are not about reports are returned for any place.
    pub place: PlaceFilter,
    /// Whether reports of each type are included, in the order of [`model::ReportType::ALL`]. Events that are not about
    /// reports are returned for any types.
    pub types: [bool; 3],
    /// Maximum number of events.
    pub limit: usize,
}

/// Page of the log, oldest event first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogPage {
    pub events: Vec<LoggedEvent>,
    /// Number of the event after which the next page starts.
    pub next: i64,
    /// Whether there were more events.
    pub more: bool,
}

/// Event with the body that is sent to subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Sequence number of the event.
    pub seq: i64,
    pub id: String,
    /// `{ event, timestamp, data }` in JSON.
    pub body: Vec<u8>,
}

/// Reason why the log cannot be read from a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostPlace {
    /// Some events after the cursor were pruned.
    Pruned,
    /// The cursor is the number of an event that was lost when history was rewound, or of one that
    /// never existed.
    Ahead,
}

/// Minimum gap in event numbers after history was rewound. Larger than the number of events that
/// can have been lost.
const JUMP: i64 = 1 << 32;

/// Returns the first event number after history was rewound at `now`; `last` is the last number
/// used before. If the same backup is restored twice, the result is greater than all numbers used
/// after the first restore, as long as there were fewer than a million events per second. Numbers
/// fit into a double-precision float until the year 2248.
fn after_jump(last: i64, now: DateTime<Utc>) -> i64 {
    (last + JUMP).max(now.timestamp_millis() << 10)
}

impl areas::EventLog<'_> {
    /// Reads a page of the log. The page may have fewer events than the limit, or none, even if
    /// more follow, because each call scans a limited number.
    pub async fn page(self, query: &LogQuery) -> Result<Result<LogPage, LostPlace>> {
        self.store.read(move |tx| Box::pin(page(tx, query))).await
    }

    /// Returns the number of the newest event. Reading after it returns only future events.
    pub async fn newest(self) -> Result<i64> {
        self.store.read(|tx| Box::pin(newest(tx))).await
    }
}

/// Returns the number of the last pruned event. Earlier events may be gone too.
pub(super) async fn pruned_up_to(tx: &mut Connection) -> Result<i64> {
    Ok(bounds(tx).await?.pruned_up_to)
}

/// Records that history was rewound: events after the newest one, which clients may have seen, are
/// lost. The next events get numbers that no lost event has had.
pub(crate) async fn rewind(tx: &mut Connection, now: DateTime<Utc>) -> Result<()> {
    let last = newest(&mut *tx).await?;
    let (given, give) = match tx.engine() {
        Engine::Postgres => {
            ("SELECT last_value FROM events_seq_seq", "SELECT setval('events_seq_seq', $1, FALSE)")
        }
        Engine::Sqlite => (
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'",
            "UPDATE sqlite_sequence SET seq = $1 - 1 WHERE name = 'events'",
        ),
    };
    let given: i64 = sql::query_scalar(given).fetch_one(&mut *tx).await?;
    let next = after_jump(given, now);
    if sql::query(give).bind(next).execute(&mut *tx).await? == 0 {
        // SQLite has no row for this table before the first event.
        let first = "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', $1 - 1)";
        sql::query(first).bind(next).execute(&mut *tx).await?;
    }
    let sql = "INSERT INTO log_gaps (last, next) VALUES ($1, $2)
         ON CONFLICT (last) DO UPDATE SET next = excluded.next";
    sql::query(sql).bind(last).bind(next).execute(tx).await?;
    Ok(())
}

/// Selects an identifier of the current history, which changes with each rewind.
pub(super) const HISTORY: &str = "SELECT coalesce(max(next), 0) FROM log_gaps";

pub(super) async fn history(tx: &mut Connection) -> Result<i64> {
    Ok(sql::query_scalar(HISTORY).fetch_one(tx).await?)
}

/// Returns the number of the newest event, even if that event was pruned.
pub(super) async fn newest(tx: &mut Connection) -> Result<i64> {
    Ok(bounds(tx).await?.newest)
}

pub(super) const ENDS: &str = "SELECT (SELECT min(seq) FROM events), (SELECT max(seq) FROM events)";

pub(super) const EVENT_AT: &str =
    "SELECT seq, created_at FROM events WHERE seq <= $1 ORDER BY seq DESC LIMIT 1";

/// Returns the number of the last event before `cutoff`, in milliseconds. Uses a binary search,
/// because event numbers are in order of time.
pub(super) async fn last_before(tx: &mut Connection, cutoff: i64) -> Result<Option<i64>> {
    let bounds: (Option<i64>, Option<i64>) = sql::query_as(ENDS).fetch_one(&mut *tx).await?;
    let (Some(oldest), Some(newest)) = bounds else { return Ok(None) };
    let (mut before, mut after) = (oldest - 1, newest + 1);
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        // Numbers may have gaps.
        let (seq, created_at): (i64, i64) =
            sql::query_as(EVENT_AT).bind(middle).fetch_one(&mut *tx).await?;
        if created_at < cutoff {
            before = middle;
        } else {
            after = seq;
        }
    }
    Ok(Some(before).filter(|before| *before >= oldest))
}

#[derive(sqlx::FromRow)]
struct Bounds {
    pruned_up_to: i64,
    newest: i64,
}

pub(super) const BOUNDS: &str = "
    SELECT pruned_up_to, coalesce((SELECT max(seq) FROM events), 0) AS newest
    FROM event_log WHERE id = 1";

async fn bounds(tx: &mut Connection) -> Result<Bounds> {
    let bounds: Bounds = sql::query_as(BOUNDS).fetch_one(tx).await?;
    // The newest events may have been pruned too.
    Ok(Bounds { newest: bounds.newest.max(bounds.pruned_up_to), ..bounds })
}

/// Event without its body.
#[derive(sqlx::FromRow)]
pub(super) struct Head {
    pub seq: i64,
    pub name: String,
    #[sqlx(flatten)]
    pub about: EventAbout,
}

impl Head {
    fn is_wanted(&self, query: &LogQuery) -> bool {
        // Test events and notices belong to one partner and are not in the public log.
        EventName::is_listed(&self.name, &query.events)
            && self.about.is_from(&query.place)
            && self.about.is_of(query.types)
    }
}

pub(super) const HEADS: &str = "
    SELECT seq, name, place, type, place_before, type_before
    FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3";

/// Head of a statement for [`bulk::select_matching`].
pub(super) const BODIES: &str = "SELECT seq, id, body FROM events WHERE (seq)";

/// Selects whether `$1` is the number of a lost event.
pub(super) const IS_LOST: &str =
    "SELECT EXISTS (SELECT 1 FROM log_gaps WHERE last < $1 AND $1 < next)";

/// Returns the reason why the log cannot be read after a number; `None` if it can.
pub(super) async fn lost(tx: &mut Connection, after: i64) -> Result<Option<LostPlace>> {
    let Bounds { pruned_up_to, newest } = bounds(&mut *tx).await?;
    if after > newest {
        return Ok(Some(LostPlace::Ahead));
    }
    let is_lost: bool = sql::query_scalar(IS_LOST).bind(after).fetch_one(tx).await?;
    Ok(match (is_lost, after < pruned_up_to) {
        (true, _) => Some(LostPlace::Ahead),
        (false, true) => Some(LostPlace::Pruned),
        (false, false) => None,
    })
}

async fn page(tx: &mut Connection, query: &LogQuery) -> Result<Result<LogPage, LostPlace>> {
    let Bounds { pruned_up_to, newest } = bounds(tx).await?;
    let after = query.after.unwrap_or(pruned_up_to);
    if let Some(lost) = lost(tx, after).await? {
        return Ok(Err(lost));
    }
    let (mut wanted, mut next) = (Vec::new(), after);
    {
        let heads = sql::query_as::<Head>(HEADS).bind(after).bind(newest).bind(MAX_EXAMINED);
        let mut heads = heads.fetch(&mut *tx);
        while wanted.len() < query.limit
            && let Some(head) = heads.try_next().await?
        {
            next = head.seq;
            if head.is_wanted(query) {
                wanted.push(head.seq);
            }
        }
    }
    let rows: Vec<(i64, String, Vec<u8>)> =
        bulk::select_matching(tx, BODIES, &wanted, |query, seq| query.bind(*seq)).await?;
    let rows = rows.into_iter().map(|(seq, id, body)| (seq, LoggedEvent { seq, id, body }));
    let mut found: HashMap<i64, LoggedEvent> = rows.collect();
    let events = wanted.iter().map(|seq| {
        found.remove(seq).ok_or_else(|| Error::Damaged(format!("event {seq} of the log")))
    });
    Ok(Ok(LogPage { events: events.collect::<Result<_>>()?, next, more: next < newest }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{filter::ALL_TYPES, testing::Scratch};

    #[tokio::test]
    async fn a_rare_event_far_away_is_found_by_reading_on() {
        let store = Scratch::new().await;
        store
            .run(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
                 INSERT INTO events (id, name, body, created_at)
                 SELECT 'evt_' || i, CASE WHEN i = 12 THEN 'report.withdrawn' ELSE 'metrics.updated' END, '{}', 0
                 FROM n",
            )
            .await;
        let mut query = LogQuery {
            after: None,
            events: vec![EventName::ReportWithdrawn],
            place: PlaceFilter::default(),
            types: ALL_TYPES,
            limit: 5,
        };
        let mut pages = Vec::new();
        loop {
            let LogPage { events, next, more } =
                store.event_log().page(&query).await.unwrap().unwrap();
            pages.push((events.into_iter().map(|event| event.id).collect::<Vec<_>>(), next));
            query.after = Some(next);
            if !more {
                break;
            }
        }
        assert_eq!(pages, [(vec![], 8), (vec!["evt_12".to_owned()], 16), (vec![], 20)]);
        store.close().await;
    }
}
