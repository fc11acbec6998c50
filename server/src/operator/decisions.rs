//! Decisions on reports, for the API and the desk.

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
    pub refused: Vec<(String, String)>,
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
            match refusal(store, &id, &decision).await? {
                None => decided.changed.push(id),
                Some(reason) => decided.refused.push((id, reason)),
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

/// Returns the reason why a report was not changed, with the last decision on it: a second operator sees who was first.
async fn refusal(store: &Store, id: &str, decision: &Decision) -> Result<Option<String>> {
    let Some(reason) = decision.refusal() else { return Ok(None) };
    if *decision == Decision::Unknown {
        return Ok(Some(reason));
    }
    Ok(Some(match last_deed(store, id).await? {
        Some(deed) => format!("{reason}: {deed}"),
        None => reason,
    }))
}

/// Returns the last decision on a report that no longer has this status, in words; `None` if it
/// has.
///
/// # Errors
/// Errors of the store.
pub(crate) async fn outcome(store: &Store, status: Status, id: &str) -> Result<Option<String>> {
    Ok(match store.reports().find(id).await? {
        Some((report, _)) if report.status == status => None,
        Some((report, _)) => {
            let deed = last_deed(store, id).await?;
            Some(deed.unwrap_or_else(|| format!("it is {}", report.status.as_str().to_lowercase())))
        }
        None => Some("it no longer exists".to_owned()),
    })
}

async fn last_deed(store: &Store, id: &str) -> Result<Option<String>> {
    let query = AuditQuery { report: Some(id.to_owned()), limit: 1, ..AuditQuery::default() };
    let entries = store.audit_log().entries(&query).await?.entries;
    Ok(entries.first().and_then(deed))
}

/// Describes a decision: who did what when. `None` for other entries.
fn deed(entry: &AuditEntry) -> Option<String> {
    let done = match entry.action {
        Action::Approve => "approved",
        Action::Reject => "rejected",
        Action::Withdraw => "withdrew",
        Action::Reopen => "reopened",
        Action::Restore => "published",
        Action::Undo => "undid a decision on",
        Action::Import if entry.published() => "published",
        _ => return None,
    };
    let deed = format!("{} {done} it on {} UTC", entry.actor, minute(&entry.at.to_string()));
    Some(match entry.reason() {
        Some(reason) => format!("{deed} ({reason})"),
        None => deed,
    })
}
