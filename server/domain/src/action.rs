use clap::builder::PossibleValue;

use crate::{named::named, report::Step};

named! {
    /// Actions of operators, with their names in the audit log.
    Action {
        Import = "reports.import",
        Approve = "reports.approve",
        Reject = "reports.reject",
        Withdraw = "reports.withdraw",
        Reopen = "reports.reopen",
        Restore = "reports.restore",
        Undo = "reports.undo",
        Correct = "reports.correct",
        KeepApart = "places.keep-apart",
        PairAgain = "places.pair-again",
        CreateKey = "keys.create",
        RevokeKey = "keys.revoke",
        CreateWebhook = "webhooks.create",
        ChangeWebhook = "webhooks.change",
        RotateWebhook = "webhooks.rotate",
        EnableWebhook = "webhooks.enable",
        DisableWebhook = "webhooks.disable",
        DeleteWebhook = "webhooks.delete",
        ReplayWebhook = "webhooks.replay",
        Redeliver = "webhooks.redeliver",
        BeginSession = "sessions.begin",
        RefuseSession = "sessions.refuse",
        EndSession = "sessions.end",
    }
}

impl From<Step> for Action {
    fn from(step: Step) -> Self {
        match step {
            Step::Approve => Action::Approve,
            Step::Reject => Action::Reject,
            Step::Withdraw => Action::Withdraw,
            Step::Reopen => Action::Reopen,
            Step::Restore => Action::Restore,
        }
    }
}

impl Action {
    /// Actions on reports that their author can undo: steps, and corrections.
    pub const UNDOABLE: [Action; 6] = [
        Action::Approve,
        Action::Reject,
        Action::Withdraw,
        Action::Reopen,
        Action::Restore,
        Action::Correct,
    ];

    /// Returns the step of reports that this action is.
    pub fn step(self) -> Option<Step> {
        Step::ALL.into_iter().find(|step| Action::from(*step) == self)
    }
}

impl clap::ValueEnum for Action {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}
