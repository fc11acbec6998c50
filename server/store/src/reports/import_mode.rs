//! Modes of an import, and the outcome for each row.

/// Initial state of imported reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// Reports wait for a decision.
    Pending,
    /// Reports are published now, and subscribers are notified.
    Approve,
    /// Reports are published as history: `publishedAt` equals `createdAt`, and partners get one event for all of them.
    Backfill,
    /// Nothing is written; the outcomes are those of a real import.
    DryRun,
}

impl Mode {
    /// Returns the name that is stored and displayed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Pending => "pending",
            Mode::Approve => "approve",
            Mode::Backfill => "backfill",
            Mode::DryRun => "dryRun",
        }
    }
}

/// Outcome for one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOutcome {
    Imported,
    /// A report with the same id and content already existed.
    Skipped,
    /// A report with the same id but other content already existed. `field` is the first field that
    /// differs.
    Conflict {
        field: &'static str,
    },
}

/// Outcomes of a batch, in the order of its rows.
pub type Imported = Vec<RowOutcome>;
