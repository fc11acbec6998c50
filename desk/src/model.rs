//! Data of the desk's pages and island.

use serde::{Deserialize, Serialize};

/// Id of the element with the island's initial state.
pub(crate) const STATE: &str = "queue-state";

/// A decision on reports.
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

    /// Verb for buttons.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Approve => "Approve",
            Verdict::Reject => "Reject",
            Verdict::Withdraw => "Withdraw",
            Verdict::Reopen => "Reopen",
        }
    }

    /// Past participle, for completed decisions.
    pub const fn done(self) -> &'static str {
        match self {
            Verdict::Approve => "Approved",
            Verdict::Reject => "Rejected",
            Verdict::Withdraw => "Withdrew",
            Verdict::Reopen => "Reopened",
        }
    }

    /// Possible decisions on reports of a status.
    pub fn possible(status: &str) -> &'static [Verdict] {
        match status {
            "PENDING" => &[Verdict::Approve, Verdict::Reject],
            "APPROVED" => &[Verdict::Withdraw],
            _ => &[Verdict::Reopen],
        }
    }

    /// Returns the verdict with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == name)
    }
}

/// A report on the desk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub id: String,
    /// Type: `spirit`, `water` or `both`.
    pub kind: String,
    /// Status: `PENDING`, `APPROVED`, `REJECTED` or `WITHDRAWN`.
    pub status: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people: u32,
    /// Date as `YYYY-MM-DD`.
    pub event_date: String,
    pub created_at: String,
    /// Latitude and longitude in degrees, if given.
    pub position: Option<(f64, f64)>,
    /// Other reports that may be about the same event.
    pub duplicates: Vec<PossibleDuplicate>,
}

/// A correction of a report, with all fields as entered in the form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub kind: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people: String,
    pub event_date: String,
    /// Coordinates; empty if there are none.
    pub lat: String,
    pub lng: String,
}

/// A report that may be about the same event as another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PossibleDuplicate {
    pub id: String,
    pub status: String,
}

/// One page of a list of reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    pub items: Vec<Item>,
    /// Number of reports waiting for a decision, regardless of the filter. 100,001 means that there
    /// are more.
    pub waiting: u64,
    /// Cursor of the next page, if there is one.
    pub next: Option<String>,
    /// This person's decisions of the last ten minutes, newest first.
    pub decisions: Vec<Decision>,
}

/// A decision that can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Number of its entry in the audit log.
    pub entry: i64,
    pub verdict: Verdict,
    /// Id of the report, or number of reports.
    pub subject: String,
    pub at: String,
}

/// Result of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Ids of the reports that are now decided.
    pub changed: Vec<String>,
    pub refused: Vec<Refused>,
}

/// A report that could not be decided on, with the reason. For example, another person was faster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub id: String,
    pub reason: String,
}

/// Initial state of the island.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    pub queue: Queue,
    /// Query of the list.
    pub query: String,
    /// URL prefix of the service; usually empty.
    pub base_path: String,
    /// Whether this person may decide.
    pub may_decide: bool,
    /// The operator's labels of the types.
    pub labels: Vec<(String, String)>,
}

impl Start {
    /// The operator's label of a type.
    pub(crate) fn label(&self, kind: &str) -> String {
        let found = self.labels.iter().find(|(name, _)| name == kind);
        found.map_or_else(|| kind.to_owned(), |(_, label)| label.clone())
    }
}
