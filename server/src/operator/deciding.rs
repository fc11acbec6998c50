//! Deciding on reports, for programs and for people.

use domain::{action::Action, report::Step};
use store::{AuditEntry, AuditQuery, Decision, Selected, Store};

use crate::problem::Result;

/// What came of a decision on named reports.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// The ids of those that took the step.
    pub changed: Vec<String>,
    /// The ids of the others, each with the reason.
    pub refused: Vec<(String, String)>,
}

/// Takes a step with the reports that have these ids, in several transactions if they are many.
///
/// # Errors
/// The store's. What was decided before that stays.
pub(crate) async fn on_ids(store: &Store, step: Step, ids: &[String]) -> Result<Decided> {
    let mut decided = Decided::default();
    let (mut batches, mut rest) = (store.reports().batches(step), ids);
    while !rest.is_empty() {
        let decisions;
        (decisions, rest) = batches.next_ids(rest).await?;
        for (id, decision) in decisions {
            match refusal(store, &id, &decision).await? {
                None => decided.changed.push(id),
                Some(reason) => decided.refused.push((id, reason)),
            }
        }
    }
    Ok(decided)
}

/// The same with selected reports; returns how many took the step.
///
/// # Errors
/// See [`on_ids`].
pub(crate) async fn on_selected(store: &Store, step: Step, mut selected: Selected) -> Result<u64> {
    let (mut decided, mut batches) = (0, store.reports().batches(step));
    while !selected.is_empty() {
        decided += batches.next_selected(&mut selected).await?.decided;
    }
    Ok(decided)
}

/// Why a report was not decided on, with what was done to it last: whoever comes second is told who was first.
async fn refusal(store: &Store, id: &str, decision: &Decision) -> Result<Option<String>> {
    let Some(reason) = decision.refusal() else { return Ok(None) };
    if *decision == Decision::Unknown {
        return Ok(Some(reason));
    }
    let query = AuditQuery { report: Some(id.to_owned()), limit: 1, ..AuditQuery::default() };
    let entries = store.audit_log().entries(&query).await?.entries;
    Ok(Some(match entries.first().and_then(deed) {
        Some(deed) => format!("{reason}: {deed}"),
        None => reason,
    }))
}

/// Who did what when, if it was a decision.
fn deed(entry: &AuditEntry) -> Option<String> {
    let done = match entry.action {
        Action::Approve => "approved",
        Action::Reject => "rejected",
        Action::Withdraw => "withdrew",
        Action::Reopen => "reopened",
        Action::Import if entry.published() => "published",
        _ => return None,
    };
    Some(format!("{} {done} it at {}", entry.actor, entry.at))
}
