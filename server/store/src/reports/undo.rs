//! Undoing a decision: its reports become pending again, unless they were changed since.

use chrono::{DateTime, Utc};
use domain::{action::Action, report::Step};

use super::transition::{Candidate, candidates_among};
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::Result,
};

/// Maximum number of reports in a decision that can be undone.
pub const MAX_UNDONE: usize = 1_000;

/// Result of undoing a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undone {
    /// `reopened` reports are pending again. `left` reports are not, because they were changed
    /// since.
    Now { reopened: u64, left: u64 },
    /// The decision was too early or was made by somebody else, it has too many reports, or the
    /// entry is no decision.
    TooLate,
}

#[derive(sqlx::FromRow)]
struct Entry {
    at: i64,
    action: String,
    report_seq: Option<i64>,
}

impl areas::Reports<'_> {
    /// Undoes the decision in the entry `decision` of the audit log. Requires that the actor of
    /// this handle approved or rejected at most [`MAX_UNDONE`] reports with it, at `not_before` or
    /// later.
    pub async fn undo(self, decision: i64, not_before: DateTime<Utc>) -> Result<Undone> {
        let Some((step, seqs)) = self.decided(decision, not_before).await? else {
            return Ok(Undone::TooLate);
        };
        self.store
            .write_reports(seqs.len(), move |tx, times| {
                let seqs = seqs.clone();
                Box::pin(async move {
                    let untouched = untouched(tx, decision, &seqs).await?;
                    if step == Step::Approve {
                        let published = candidates_among(tx, &untouched, Step::Withdraw).await?;
                        self.take(tx, Step::Withdraw, &published, times).await?;
                    }
                    let reopened: Vec<Candidate> =
                        candidates_among(tx, &untouched, Step::Reopen).await?;
                    self.take(tx, Step::Reopen, &reopened, times).await?;
                    let left = seqs.len() - reopened.len();
                    Ok(Undone::Now { reopened: reopened.len() as u64, left: left as u64 })
                })
            })
            .await
            .map(|timed| timed.done)
    }

    /// Returns the step of the decision and its reports, or `None` if it cannot be undone.
    async fn decided(
        self,
        decision: i64,
        not_before: DateTime<Utc>,
    ) -> Result<Option<(Step, Vec<i64>)>> {
        let Some(actor) = &self.store.actor else { return Ok(None) };
        let sql = "SELECT at, action, report_seq FROM audit_log
             WHERE seq = $1 AND actor = $2 AND (key_prefix = $3 OR key_prefix IS NULL AND $3 IS NULL)";
        let entry: Option<Entry> = sql::query_as(sql)
            .bind(decision)
            .bind(actor.name.to_string())
            .bind(actor.key.as_deref())
            .fetch_optional(&self.store.readers)
            .await?;
        let Some(entry) = entry else { return Ok(None) };
        let step = match Action::from_name(&entry.action) {
            Some(Action::Approve) => Step::Approve,
            Some(Action::Reject) => Step::Reject,
            _ => return Ok(None),
        };
        if entry.at < not_before.timestamp_millis() {
            return Ok(None);
        }
        let seqs = match entry.report_seq {
            Some(only) => vec![only],
            None => {
                let several =
                    "SELECT report_seq FROM audited_reports WHERE entry_seq = $1 LIMIT $2";
                sql::query_scalar(several)
                    .bind(decision)
                    .bind(MAX_UNDONE as i64 + 1)
                    .fetch_all(&self.store.readers)
                    .await?
            }
        };
        Ok((seqs.len() <= MAX_UNDONE).then_some((step, seqs)))
    }
}

/// Returns the reports without changes after the entry `decision`.
async fn untouched(tx: &mut Connection, decision: i64, seqs: &[i64]) -> Result<Vec<i64>> {
    let mut untouched = Vec::new();
    for seq in seqs {
        let sql = "SELECT (SELECT count(*) FROM audit_log WHERE report_seq = $1 AND seq > $2)
                  + (SELECT count(*) FROM audited_reports WHERE report_seq = $1 AND entry_seq > $2)";
        let later: i64 =
            sql::query_scalar(sql).bind(*seq).bind(decision).fetch_one(&mut *tx).await?;
        if later == 0 {
            untouched.push(*seq);
        }
    }
    Ok(untouched)
}
