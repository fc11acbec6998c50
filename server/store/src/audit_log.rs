//! The audit log: who changed what, when and from where. Entries are written by the transaction that makes the
//! change, so that there are both or neither, and are never changed or removed.
//!
//! It has what operators do. What partners do with their own subscriptions, and what the service does by itself, is
//! not in it.

mod entries;

use chrono::{DateTime, Utc};
use domain::{action::Action, actor::Actor};
use serde_json::{Map, Value};

pub use self::entries::{AuditEntry, AuditPage, AuditQuery};
use super::{
    Store,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::Result,
};

/// Something that was done.
#[derive(Debug)]
pub(crate) struct Entry<'e> {
    pub action: Action,
    /// What it was done to, such as an id.
    pub subject: String,
    /// The numbers of the reports that it is about.
    pub reports: &'e [i64],
    /// The members that have changed, as they were and as they are.
    pub before: Option<Value>,
    pub after: Option<Value>,
}

impl Entry<'_> {
    /// About something else than reports.
    pub(crate) fn of(action: Action, subject: &str) -> Self {
        Self { action, subject: subject.to_owned(), reports: &[], before: None, after: None }
    }

    /// Members without a value are left out.
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
    /// The same database, whose changes the audit log has as those of `actor`.
    #[must_use]
    pub fn acting(self, actor: Actor) -> Self {
        Self { actor: Some(actor), ..self }
    }

    /// Writes an entry, if it is an operator who makes the change.
    pub(crate) async fn note(
        &self,
        tx: &mut Connection,
        at: DateTime<Utc>,
        entry: Entry<'_>,
    ) -> Result<()> {
        let Some(actor) = &self.actor else { return Ok(()) };
        let only = match entry.reports {
            [only] => Some(*only),
            _ => None,
        };
        let sql =
            "INSERT INTO audit_log (at, actor, key_prefix, origin, action, subject, report_seq,
                                  before, after)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING seq";
        let seq: i64 = sql::query_scalar(sql)
            .bind(at.timestamp_millis())
            .bind(actor.name.to_string())
            .bind(actor.key.as_deref())
            .bind(actor.origin.to_string())
            .bind(entry.action.as_str())
            .bind(entry.subject)
            .bind(only)
            .bind(entry.before.map(|before| before.to_string()))
            .bind(entry.after.map(|after| after.to_string()))
            .fetch_one(&mut *tx)
            .await?;
        if only.is_some() {
            return Ok(());
        }
        bulk::insert(
            tx,
            "INSERT INTO audited_reports (report_seq, entry_seq)",
            "",
            entry.reports,
            |query, report| query.bind(*report).bind(seq),
        )
        .await
    }
}
