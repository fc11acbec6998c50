//! What the pages of the desk, and its island, are told.

use serde::{Deserialize, Serialize};

/// The id of the element that carries what the island starts from.
pub(crate) const STATE: &str = "queue-state";

/// What is done with reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Approve,
    Reject,
    Withdraw,
    Reopen,
}

impl Verdict {
    pub const ALL: [Verdict; 4] =
        [Verdict::Approve, Verdict::Reject, Verdict::Withdraw, Verdict::Reopen];

    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Approve => "approve",
            Verdict::Reject => "reject",
            Verdict::Withdraw => "withdraw",
            Verdict::Reopen => "reopen",
        }
    }

    /// As the words of a button begin.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Approve => "Approve",
            Verdict::Reject => "Reject",
            Verdict::Withdraw => "Withdraw",
            Verdict::Reopen => "Reopen",
        }
    }

    /// What was done.
    pub const fn done(self) -> &'static str {
        match self {
            Verdict::Approve => "Approved",
            Verdict::Reject => "Rejected",
            Verdict::Withdraw => "Withdrew",
            Verdict::Reopen => "Reopened",
        }
    }

    /// What can be done with reports of a status.
    pub fn possible(status: &str) -> &'static [Verdict] {
        match status {
            "PENDING" => &[Verdict::Approve, Verdict::Reject],
            "APPROVED" => &[Verdict::Withdraw],
            _ => &[Verdict::Reopen],
        }
    }

    /// The verdict of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == name)
    }
}

/// A report on the desk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub id: String,
    /// `spirit`, `water` or `both`.
    pub kind: String,
    /// `PENDING`, `APPROVED`, `REJECTED` or `WITHDRAWN`.
    pub status: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people: u32,
    /// `YYYY-MM-DD`.
    pub event_date: String,
    pub created_at: String,
    /// Latitude and longitude in degrees, if they were given.
    pub position: Option<(f64, f64)>,
    /// Others that may tell of the same event.
    pub alike: Vec<Alike>,
}

/// What a form says a report should be, each as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub kind: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people: String,
    pub event_date: String,
    /// Both coordinates are empty where there are none.
    pub lat: String,
    pub lng: String,
}

/// A report that may tell of the same event as another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alike {
    pub id: String,
    pub status: String,
}

/// A page of a list of reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    pub items: Vec<Item>,
    /// How many wait for a decision, whatever the filter: 100,001 stands for more.
    pub waiting: u64,
    /// Where the list goes on, if it does.
    pub next: Option<String>,
    /// What this person has decided in the last ten minutes, newest first.
    pub decisions: Vec<Decision>,
}

/// A decision that can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Its number in the audit log.
    pub entry: i64,
    pub verdict: Verdict,
    /// The id of its report, or how many reports.
    pub subject: String,
    pub at: String,
}

/// What came of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The ids of the reports that are decided on now.
    pub changed: Vec<String>,
    pub refused: Vec<Refused>,
}

/// A report that was not decided on, and why: somebody else was first, for example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub id: String,
    pub reason: String,
}

/// What the island starts from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    pub queue: Queue,
    /// The query that the list was asked for with.
    pub query: String,
    /// What comes before the paths of the service; mostly empty.
    pub base_path: String,
    /// Whether this person may decide.
    pub may_decide: bool,
    /// What the operator calls the types: each with its label.
    pub labels: Vec<(String, String)>,
}

impl Start {
    /// What the operator calls a type.
    pub(crate) fn label(&self, kind: &str) -> String {
        let found = self.labels.iter().find(|(name, _)| name == kind);
        found.map_or_else(|| kind.to_owned(), |(_, label)| label.clone())
    }
}
