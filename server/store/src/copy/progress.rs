//! What a copy says of itself: how far it is, and in the end what it did.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use indicatif::HumanCount;

use super::secrets::CopiedSecrets;

/// What a copy is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyStage {
    /// Reading this table of an earlier copy, to see whether it was changed.
    Recognizing(&'static str),
    /// Comparing rows of this table, and writing those that differ.
    Copying(&'static str),
    /// Reading the copy again.
    Verifying(&'static str),
    /// Recounting what follows from the reports.
    Recounting,
}

/// How far a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyProgress {
    pub stage: CopyStage,
    /// Rows of all tables.
    pub done: u64,
    pub of: u64,
}

impl fmt::Display for CopyProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, of) = (HumanCount(self.done), HumanCount(self.of));
        match self.stage {
            CopyStage::Recognizing(table) => {
                write!(f, "{done} of {of} rows of the earlier copy read ({table})")
            }
            CopyStage::Copying(table) => write!(f, "{done} of {of} rows copied ({table})"),
            CopyStage::Verifying(table) => write!(f, "{done} of {of} rows verified ({table})"),
            CopyStage::Recounting => f.write_str("comparing counts and lists with the reports"),
        }
    }
}

/// Told how far a copy is.
pub(super) type Watcher<'w> = &'w (dyn Fn(CopyProgress) + Send + Sync);

/// Tells a watcher how many rows of all tables are done.
pub(super) struct Meter<'a> {
    watcher: Watcher<'a>,
    of: u64,
    /// Rows of the tables that are done.
    passed: AtomicU64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(watcher: Watcher<'a>, counted: &[u64]) -> Self {
        Self { watcher, of: counted.iter().sum(), passed: AtomicU64::new(0) }
    }

    /// So many rows of the next table are done.
    pub(super) fn reached(&self, stage: CopyStage, rows: u64) {
        let done = self.passed.load(Ordering::Relaxed) + rows;
        (self.watcher)(CopyProgress { stage, done, of: self.of });
    }

    pub(super) fn passed(&self, rows: u64) {
        self.passed.fetch_add(rows, Ordering::Relaxed);
    }
}

/// What was done in one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CopiedTable {
    pub table: &'static str,
    /// How many both sides have now.
    pub rows: u64,
    /// How many of them were new or different in the target.
    pub written: u64,
    /// How many the target had that the source does not have.
    pub removed: u64,
}

/// What a copy did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// What messages call the databases.
    pub from: String,
    pub to: String,
    pub tables: Vec<CopiedTable>,
    /// Whether the source was changed after what was copied: the copy is of a moment in between.
    pub source_has_changed: bool,
    pub secrets: CopiedSecrets,
}
