//! Reports of a copy: how far it is, and its result.

use std::fmt;

use indicatif::HumanCount;

use super::secrets::CopiedSecrets;

/// Work that a copy is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyStage<'a> {
    /// Reading and writing rows of this table.
    Copying(&'a str),
    /// Reading this table of the copy again.
    Verifying(&'a str),
    /// Recounting what follows from the reports.
    Recounting,
}

/// Progress of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyProgress<'a> {
    pub stage: CopyStage<'a>,
    /// Rows of all tables.
    pub done: u64,
    pub of: u64,
}

impl fmt::Display for CopyProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, of) = (HumanCount(self.done), HumanCount(self.of));
        match self.stage {
            CopyStage::Copying(table) => write!(f, "{done} of {of} rows copied ({table})"),
            CopyStage::Verifying(table) => write!(f, "{done} of {of} rows verified ({table})"),
            CopyStage::Recounting => f.write_str("comparing counts and lists with the reports"),
        }
    }
}

/// Receiver of a copy's progress.
pub(super) type Watcher<'w> = &'w (dyn Fn(CopyProgress<'_>) + Send + Sync);

/// Counts the rows of all tables that are done.
pub(super) struct Meter<'w> {
    watcher: Watcher<'w>,
    done: u64,
    of: u64,
}

impl<'w> Meter<'w> {
    pub(super) fn new(watcher: Watcher<'w>, counted: &[u64]) -> Self {
        Self { watcher, done: 0, of: counted.iter().sum() }
    }

    pub(super) fn passed(&mut self, stage: CopyStage<'_>, rows: usize) {
        self.done += rows as u64;
        (self.watcher)(CopyProgress { stage, done: self.done, of: self.of });
    }
}

/// A table of a copy.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CopiedTable {
    pub table: String,
    /// Number of rows that both sides have.
    pub rows: u64,
}

/// Result of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Names of the databases in messages.
    pub from: String,
    pub to: String,
    pub tables: Vec<CopiedTable>,
    /// Whether the source was changed after the moment that the copy is of.
    pub source_has_changed: bool,
    pub secrets: CopiedSecrets,
}
