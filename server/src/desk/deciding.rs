//! Decisions of the signed-in person, and undoing them.

use chrono::TimeDelta;
use desk::{
    backend::Counted,
    model::{Decision, Outcome, Refused, Verdict},
};
use domain::{action::Action, reason::Reason, report::Step};
use kit::{lang::Lang, number::neutral};
use store::{OwnDecision, Selected, Undone};

use super::{desk_session::DeskSession, lists::list};
use crate::{
    operator::decisions,
    problem::{Problem, Result},
};

/// Time during which a decision can be undone.
const UNDO_WITHIN: TimeDelta = TimeDelta::minutes(10);
/// Maximum number of decisions shown for undoing.
const DECISIONS: usize = 10;

impl DeskSession {
    /// The person's latest decisions that can be undone, newest first.
    pub(super) async fn decisions(&self) -> Result<Vec<Decision>> {
        let since = self.app.clock.now() - UNDO_WITHIN;
        let decisions = self.store.audit_log().own_decisions(since, DECISIONS).await?;
        Ok(decisions.into_iter().map(decision).collect())
    }

    pub(super) async fn decide_on(
        &self,
        verdict: Verdict,
        ids: &[String],
        reason: &str,
    ) -> Result<Outcome> {
        let (store, reason) = (self.moderator()?, read(reason)?);
        let decisions::Decided { changed, refused } =
            decisions::on_ids(store, step(verdict), reason, ids).await?;
        let refused = refused.into_iter().map(|(id, reason)| Refused { id, reason });
        Ok(Outcome { changed, refused: refused.collect(), decisions: self.decisions().await? })
    }

    /// The reports of a list on which a decision is possible.
    pub(super) async fn counted(&self, verdict: Verdict, query: &str) -> Result<Counted> {
        let (step, selection) = (step(verdict), list(query)?.1.selection);
        let selected = self.store.reports().select(step, &selection).await?;
        let status = selection.status.map_or("", |status| status.as_str()).to_owned();
        Ok(Counted { reports: selected.len(), status, token: token(&selected) })
    }

    /// Decides on all reports of a list. Returns their number, or `None` if they are no longer the
    /// confirmed ones.
    pub(super) async fn decide_on_selected(
        &self,
        verdict: Verdict,
        query: &str,
        confirmed: &str,
        reason: &str,
    ) -> Result<Option<u64>> {
        let (store, step, reason) = (self.moderator()?, step(verdict), read(reason)?);
        let selected = store.reports().select(step, &list(query)?.1.selection).await?;
        if token(&selected) != confirmed {
            return Ok(None);
        }
        decisions::on_selected(store, step, reason, selected).await.map(Some)
    }

    /// Undoes a decision; returns the result as a sentence.
    pub(super) async fn take_back(&self, decision: i64) -> Result<String> {
        let since = self.app.clock.now() - UNDO_WITHIN;
        let reports = self.moderator()?.reports();
        let Some(mut undoing) = reports.undoing(decision, since).await? else {
            return Ok(
                "This cannot be undone: only your own decisions of the last 10 minutes can be."
                    .to_owned(),
            );
        };
        let mut all = Undone::default();
        while let Some(Undone { undone, left }) = undoing.next_batch().await? {
            all = Undone { undone: all.undone + undone, left: all.left + left };
        }
        Ok(undone(undoing.action(), all))
    }
}

fn decision(own: OwnDecision) -> Decision {
    Decision {
        entry: own.number,
        done: done(own.action).to_owned(),
        subject: own.only.unwrap_or_else(|| reports(own.reports)),
        at: own.at.to_string(),
    }
}

/// Number of reports in words.
pub(super) fn reports(count: u64) -> String {
    match count {
        1 => "1 report".to_owned(),
        _ => format!("{} reports", neutral(count, Lang::En)),
    }
}

/// Result of undoing a decision, as a sentence.
fn undone(action: Action, Undone { undone, left }: Undone) -> String {
    if undone == 0 {
        return "Nothing was undone: the reports have changed in the meantime.".to_owned();
    }
    let (one, many) = match action {
        Action::Approve | Action::Reject => {
            ("waits for a decision again", "wait for a decision again")
        }
        Action::Withdraw => ("is published again", "are published again"),
        Action::Restore => ("is withdrawn again", "are withdrawn again"),
        Action::Correct => ("has its earlier values again", "have their earlier values again"),
        _ => ("has its earlier status again", "have their earlier status again"),
    };
    let now = if undone == 1 { one } else { many };
    let sentence = format!("Undone: {} {now}.", reports(undone));
    match left {
        0 => sentence,
        _ => format!("{sentence} {} changed in the meantime.", reports(left)),
    }
}

/// Reads the reason of a form.
fn read(reason: &str) -> Result<Option<Reason>> {
    Reason::parse(reason).map_err(Problem::invalid_parameter)
}

fn token(selected: &Selected) -> String {
    format!("{:x}", selected.digest())
}

fn step(verdict: Verdict) -> Step {
    match verdict {
        Verdict::Approve => Step::Approve,
        Verdict::Reject => Step::Reject,
        Verdict::Withdraw => Step::Withdraw,
        Verdict::Reopen => Step::Reopen,
        Verdict::Restore => Step::Restore,
    }
}

/// Past participle of an action that can be undone.
fn done(action: Action) -> &'static str {
    let verdict = Verdict::ALL.into_iter().find(|verdict| Action::from(step(*verdict)) == action);
    verdict.map_or("Corrected", Verdict::done)
}
