//! Decisions of the signed-in person, and undoing them.

use chrono::TimeDelta;
use desk::{
    backend::Counted,
    minute,
    model::{Decision, Outcome, Refused, Verdict},
};
use domain::{
    action::Action,
    reason::Reason,
    report::{Status, Step},
};
use store::{OwnDecision, Selected, Undone};

use super::{
    desk_session::DeskSession,
    lists::list,
    words::correcting::{CORRECTED_ONE, CORRECTED_REPORTS, EARLIER_VALUES_AGAIN},
    words::deciding::{
        APPROVED_BY, CANNOT_BE_UNDONE, CHANGED_IN_THE_MEANTIME, DEED_AND_REASON,
        EARLIER_STATUS_AGAIN, IS_NOW, NO_LONGER_EXISTS, NOTHING_WAS_UNDONE, PENDING_AGAIN,
        PUBLISHED_AGAIN, PUBLISHED_BY, REJECTED_BY, REOPENED_BY, UNDONE_BY, WITHDRAWN_AGAIN,
        WITHDREW_BY,
    },
};
use crate::{
    operator::decisions::{self, Deed, Refusal},
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
        Ok(decisions.into_iter().map(|own| self.decision(own)).collect())
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
        let refused =
            refused.into_iter().map(|(id, refusal)| Refused { id, reason: self.refusal(refusal) });
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
            return Ok(self.words().text(CANNOT_BE_UNDONE).to_owned());
        };
        let mut all = Undone::default();
        while let Some(Undone { undone, left }) = undoing.next_batch().await? {
            all = Undone { undone: all.undone + undone, left: all.left + left };
        }
        Ok(self.undone(undoing.action(), all))
    }
}

impl DeskSession {
    fn decision(&self, own: OwnDecision) -> Decision {
        let verdict =
            Verdict::ALL.into_iter().find(|verdict| Action::from(step(*verdict)) == own.action);
        let (one, several) = match verdict {
            Some(verdict) => (verdict.result_on_one(), verdict.result()),
            None => (CORRECTED_ONE, CORRECTED_REPORTS),
        };
        let text = match &own.only {
            Some(id) => self.words().with(one, &[("id", id)]),
            None => self.words().sentence(several, own.reports),
        };
        Decision { entry: own.number, text, only: own.only, at: own.at.to_string() }
    }

    /// Result of undoing a decision, as a sentence.
    fn undone(&self, action: Action, Undone { undone, left }: Undone) -> String {
        let words = self.words();
        if undone == 0 {
            return words.text(NOTHING_WAS_UNDONE).to_owned();
        }
        let again = match action {
            Action::Approve | Action::Reject => PENDING_AGAIN,
            Action::Withdraw => PUBLISHED_AGAIN,
            Action::Restore => WITHDRAWN_AGAIN,
            Action::Correct => EARLIER_VALUES_AGAIN,
            _ => EARLIER_STATUS_AGAIN,
        };
        let sentence = words.sentence(again, undone);
        match left {
            0 => sentence,
            _ => format!("{sentence} {}", words.sentence(CHANGED_IN_THE_MEANTIME, left)),
        }
    }

    /// Reason why a report was not changed, in words.
    fn refusal(&self, Refusal { decision, deed }: Refusal) -> String {
        match (deed, decision) {
            (Some(deed), _) => self.deed(&deed),
            (None, store::Decision::Refused { is, .. }) => self.is_now(is),
            (None, _) => self.words().text(NO_LONGER_EXISTS).to_owned(),
        }
    }

    /// State of a report that left a list, in words.
    pub(super) fn outcome(&self, outcome: &decisions::Outcome) -> String {
        match outcome {
            decisions::Outcome::Decided(deed) => self.deed(deed),
            decisions::Outcome::Is(status) => self.is_now(*status),
            decisions::Outcome::Gone => self.words().text(NO_LONGER_EXISTS).to_owned(),
        }
    }

    fn is_now(&self, status: Status) -> String {
        let status = desk::status(status.as_str());
        self.words().with(IS_NOW, &[("status", &status)])
    }

    /// A past decision in words, with person and time.
    fn deed(&self, Deed { who, action, at, reason }: &Deed) -> String {
        let by = match action {
            Action::Approve => APPROVED_BY,
            Action::Reject => REJECTED_BY,
            Action::Withdraw => WITHDREW_BY,
            Action::Reopen => REOPENED_BY,
            Action::Undo => UNDONE_BY,
            _ => PUBLISHED_BY,
        };
        let deed = self.words().with(by, &[("who", who), ("at", &minute(&at.to_string()))]);
        match reason {
            Some(reason) => {
                self.words().with(DEED_AND_REASON, &[("deed", &deed), ("reason", reason)])
            }
            None => deed,
        }
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
