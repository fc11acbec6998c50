//! How rows are imported, and the outcome for each.

/// State in which imported reports begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// Wait for a decision.
    Pending,
    /// They are published now, and subscribers are notified.
    Approve,
    /// They are published as history: `publishedAt` is `createdAt`, and nobody is notified.
    Backfill,
    /// Nothing is written; the outcomes are those of an import.
    DryRun,
}

impl Mode {
    /// The name stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Pending => "pending",
            Mode::Approve => "approve",
            Mode::Backfill => "backfill",
            Mode::DryRun => "dryRun",
        }
    }
}

/// The outcome for one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOutcome {
    Imported,
    /// The same id with the same content was there.
    Skipped,
    /// The same id with other content was there; the field is the first that differs.
    Conflict {
        field: &'static str,
    },
}

/// The outcomes of a batch, in the order of its rows.
pub type Imported = Vec<RowOutcome>;
