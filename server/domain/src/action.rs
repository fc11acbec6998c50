use clap::builder::PossibleValue;
use serde::{Serialize, Serializer};

use super::report::Step;

/// What operators do, as the audit log names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Import,
    Approve,
    Reject,
    Withdraw,
    Reopen,
    Correct,
    CreateKey,
    RevokeKey,
    EnableWebhook,
    DisableWebhook,
    DeleteWebhook,
    ReplayWebhook,
    Redeliver,
    BeginSession,
    RefuseSession,
    EndSession,
}

impl Action {
    pub const ALL: [Action; 16] = [
        Action::Import,
        Action::Approve,
        Action::Reject,
        Action::Withdraw,
        Action::Reopen,
        Action::Correct,
        Action::CreateKey,
        Action::RevokeKey,
        Action::EnableWebhook,
        Action::DisableWebhook,
        Action::DeleteWebhook,
        Action::ReplayWebhook,
        Action::Redeliver,
        Action::BeginSession,
        Action::RefuseSession,
        Action::EndSession,
    ];

    /// The name stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Import => "reports.import",
            Action::Approve => "reports.approve",
            Action::Reject => "reports.reject",
            Action::Withdraw => "reports.withdraw",
            Action::Reopen => "reports.reopen",
            Action::Correct => "reports.correct",
            Action::CreateKey => "keys.create",
            Action::RevokeKey => "keys.revoke",
            Action::EnableWebhook => "webhooks.enable",
            Action::DisableWebhook => "webhooks.disable",
            Action::DeleteWebhook => "webhooks.delete",
            Action::ReplayWebhook => "webhooks.replay",
            Action::Redeliver => "webhooks.redeliver",
            Action::BeginSession => "sessions.begin",
            Action::RefuseSession => "sessions.refuse",
            Action::EndSession => "sessions.end",
        }
    }

    /// The action of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }
}

impl From<Step> for Action {
    fn from(step: Step) -> Self {
        match step {
            Step::Approve => Action::Approve,
            Step::Reject => Action::Reject,
            Step::Withdraw => Action::Withdraw,
            Step::Reopen => Action::Reopen,
        }
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

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
