//! Decisions on reports, for the API and the desk.

use std::fmt::{self, Display, Formatter};

use base::time::Timestamp;
use desk::minute;
use domain::{
    action::Action,
    reason::Reason,
    report::{Status, Step},
};
use store::{AuditEntry, AuditQuery, Decision, Selected, Store};

use crate::problem::Result;

/// Result of a decision on reports by id.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// Ids of the changed reports.
    pub changed: Vec<String>,
    /// Ids of the other reports, each with the reason.
    pub refused: Vec<(String, Refusal)>,
}

/// Reason why a report was not changed, with the last decision on it: a second operator sees who was first.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub decision: Decision,
    pub deed: Option<Deed>,
}

/// A decision on a report in the past.
#[derive(Debug)]
pub(crate) struct Deed {
    pub who: String,
    pub action: Action,
    pub at: Timestamp,
    pub reason: Option<String>,
}

/// State of a report that no longer has the status of its list.
#[derive(Debug)]
pub(crate) enum Outcome {
    Decided(Deed),
    /// No decision is known.
    Is(Status),
    Gone,
}

impl Display for Refusal {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.decision.refusal().unwrap_or_default())?;
        match &self.deed {
            Some(deed) => write!(formatter, ": {deed}"),
            None => Ok(()),
        }
    }
}

impl Display for Deed {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { who, action, at, reason } = self;
        let done = match action {
            Action::Approve => "approved",
            Action::Reject => "rejected",
            Action::Withdraw => "withdrew",
            Action::Reopen => "reopened",
            Action::Undo => "undid a decision on",
            _ => "published",
        };
        write!(formatter, "{who} {done} it on {} UTC", minute(&at.to_string()))?;
        match reason {
            Some(reason) => write!(formatter, " ({reason})"),
            None => Ok(()),
        }
    }
}

/// Applies a step to the reports with these ids, in several transactions if there are many.
///
/// # Errors
/// Errors of the store. Decisions before the error stay.
pub(crate) async fn on_ids(
    store: &Store,
    step: Step,
    reason: Option<Reason>,
    ids: &[String],
) -> Result<Decided> {
    let mut decided = Decided::default();
    let (mut batches, mut rest) = (store.reports().batches(step).because(reason), ids);
    while !rest.is_empty() {
        let decisions;
        (decisions, rest) = batches.next_ids(rest).await?;
        for (id, decision) in decisions {
            match decision {
                Decision::Done => decided.changed.push(id),
                Decision::Unknown => decided.refused.push((id, Refusal { decision, deed: None })),
                Decision::Refused { .. } => {
                    let deed = last_deed(store, &id).await?;
                    decided.refused.push((id, Refusal { decision, deed }));
                }
            }
        }
    }
    Ok(decided)
}

/// Applies a step to selected reports; returns the number of changed ones.
///
/// # Errors
/// See [`on_ids`].
pub(crate) async fn on_selected(
    store: &Store,
    step: Step,
    reason: Option<Reason>,
    mut selected: Selected,
) -> Result<u64> {
    let (mut decided, mut batches) = (0, store.reports().batches(step).because(reason));
    while !selected.is_empty() {
        decided += batches.next_selected(&mut selected).await?.decided;
    }
    Ok(decided)
}

/// Returns the state of a report that no longer has this status; `None` if it has.
///
/// # Errors
/// Errors of the store.
pub(crate) async fn outcome(store: &Store, status: Status, id: &str) -> Result<Option<Outcome>> {
    Ok(match store.reports().find(id).await? {
        Some((report, _)) if report.status == status => None,
        Some((report, _)) => {
            let deed = last_deed(store, id).await?;
            Some(deed.map_or(Outcome::Is(report.status), Outcome::Decided))
        }
        None => Some(Outcome::Gone),
    })
}

async fn last_deed(store: &Store, id: &str) -> Result<Option<Deed>> {
    let query = AuditQuery { report: Some(id.to_owned()), limit: 1, ..AuditQuery::default() };
    let entries = store.audit_log().entries(&query).await?.entries;
    Ok(entries.into_iter().next().and_then(deed))
}

/// `None` for entries other than decisions.
fn deed(entry: AuditEntry) -> Option<Deed> {
    let is_decision = match entry.action {
        Action::Approve | Action::Reject | Action::Withdraw => true,
        Action::Reopen | Action::Restore | Action::Undo => true,
        Action::Import => entry.published(),
        _ => false,
    };
    let reason = entry.reason().map(|reason| reason.to_string());
    is_decision.then_some(Deed { reason, who: entry.actor, action: entry.action, at: entry.at })
}
