//! Audit log: records which operator changed something, and when and from where. Each entry is
//! written in the same transaction as its change, so a crash leaves both or neither. Entries are
//! never changed or removed.
//!
//! One action on many reports takes several transactions, and has an entry for each. Together, these
//! entries are a [decision](decisions), which has the number of its first entry.
//!
//! The log only contains actions of operators. It omits changes by partners to their own
//! subscriptions and automatic changes by the service.

mod days;
pub(crate) mod decisions;
mod entries;
mod reports;

use chrono::{DateTime, Utc};
use domain::{action::Action, actor::Actor};
use serde_json::{Map, Value};

pub use self::{
    days::DayCount,
    decisions::OwnDecision,
    entries::{AuditEntry, AuditPage, AuditQuery},
};
use super::{
    Store,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::Result,
};

/// Action to record.
#[derive(Debug)]
pub(crate) struct Entry<'e> {
    pub action: Action,
    /// Changed object, such as an id.
    pub subject: String,
    /// Numbers of the affected reports.
    pub reports: &'e [i64],
    /// Values of the changed members before the action; `after` contains the new ones.
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// Decision that the entry continues or undoes; `None` if it starts one.
    pub decision: Option<i64>,
}

impl<'e> Entry<'e> {
    /// Creates an entry about reports, given by their numbers and ids.
    pub(crate) fn of_reports(action: Action, reports: &'e [i64], ids: &[&str]) -> Self {
        let subject = match ids {
            [only] => (*only).to_owned(),
            several => format!("{} reports", several.len()),
        };
        Self { subject, reports, ..Self::of(action, "") }
    }
}

impl Entry<'_> {
    /// Creates an entry about an object that is not a report.
    pub(crate) fn of(action: Action, subject: &str) -> Self {
        Self {
            action,
            subject: subject.to_owned(),
            reports: &[],
            before: None,
            after: None,
            decision: None,
        }
    }

    /// Sets the new values. Members without a value are omitted.
    pub(crate) fn after(self, after: Value) -> Self {
        Self { after: Some(without_nulls(after)), ..self }
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.collect::<Map<_, _>>())
        }
        other => other,
    }
}

impl Store {
    /// Returns a handle to the same database whose changes are logged as actions of `actor`.
    #[must_use]
    pub fn acting(self, actor: Actor) -> Self {
        Self { actor: Some(actor), ..self }
    }

    /// Writes an entry, if an operator makes the change.
    pub(crate) async fn note(
        &self,
        tx: &mut Connection,
        at: DateTime<Utc>,
        entry: Entry<'_>,
    ) -> Result<()> {
        self.note_numbered(tx, at, entry).await.map(drop)
    }

    /// Like [`Self::note`]. Returns the number of the entry, if one was written.
    pub(crate) async fn note_numbered(
        &self,
        tx: &mut Connection,
        at: DateTime<Utc>,
        entry: Entry<'_>,
    ) -> Result<Option<i64>> {
        let Some(actor) = &self.actor else { return Ok(None) };
        let only = match entry.reports {
            [only] => Some(*only),
            _ => None,
        };
        let sql =
            "INSERT INTO audit_log (at, actor, key_prefix, origin, action, subject, report_seq,
                                  before, after, reports, decision)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING seq";
        let seq: i64 = sql::query_scalar(sql)
            .bind(at.timestamp_millis())
            .bind(actor.name.to_string())
            .bind(actor.key.as_deref())
            .bind(actor.origin.to_string())
            .bind(entry.action.as_str())
            .bind(entry.subject.as_str())
            .bind(only)
            .bind(entry.before.as_ref().map(Value::to_string))
            .bind(entry.after.as_ref().map(Value::to_string))
            .bind(entry.reports.len() as i64)
            .bind(entry.decision)
            .fetch_one(&mut *tx)
            .await?;
        days::count(tx, at, actor, &entry).await?;
        if only.is_some() {
            return Ok(Some(seq));
        }
        bulk::insert(
            tx,
            "INSERT INTO audited_reports (report_seq, entry_seq)",
            "",
            entry.reports,
            |query, report| query.bind(*report).bind(seq),
        )
        .await?;
        Ok(Some(seq))
    }
}
