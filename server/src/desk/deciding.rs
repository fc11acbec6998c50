//! Decisions of the signed-in person, and undoing them.

use chrono::TimeDelta;
use desk::{
    backend::Counted,
    model::{Decision, Outcome, Refused, Verdict},
};
use domain::{reason::Reason, report::Step};
use kit::{lang::Lang, number::neutral};
use store::{OwnDecision, Selected, Undone};

use super::desk_session::{DeskSession, list};
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
        let (step, selection) = (step(verdict), list(query)?.selection);
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
        let selected = store.reports().select(step, &list(query)?.selection).await?;
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
        Ok(undone(undoing.step(), all))
    }
}

fn decision(own: OwnDecision) -> Decision {
    Decision {
        entry: own.number,
        verdict: verdict(own.step),
        subject: own.only.unwrap_or_else(|| reports(own.reports)),
        at: own.at.to_string(),
    }
}

/// Number of reports in words.
fn reports(count: u64) -> String {
    match count {
        1 => "1 report".to_owned(),
        _ => format!("{} reports", neutral(count, Lang::En)),
    }
}

/// Result of undoing a decision, as a sentence.
fn undone(step: Step, Undone { undone, left }: Undone) -> String {
    if undone == 0 {
        return "Nothing was undone: the reports have changed in the meantime.".to_owned();
    }
    let (one, many) = match step {
        Step::Approve | Step::Reject => ("waits for a decision again", "wait for a decision again"),
        Step::Withdraw => ("is published again", "are published again"),
        Step::Restore => ("is withdrawn again", "are withdrawn again"),
        Step::Reopen => ("has its earlier status again", "have their earlier status again"),
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

fn verdict(step: Step) -> Verdict {
    match step {
        Step::Approve => Verdict::Approve,
        Step::Reject => Verdict::Reject,
        Step::Withdraw => Verdict::Withdraw,
        Step::Reopen => Verdict::Reopen,
        Step::Restore => Verdict::Restore,
    }
}
