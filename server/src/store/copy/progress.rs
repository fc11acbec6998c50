//! What a copy says of itself: how far it is, and in the end what it did.

use std::{fmt, path::PathBuf};

use indicatif::HumanCount;

use crate::secrets::KeyId;

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

/// The keys of webhook secrets, which are in no database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedSecrets {
    /// The ids of the keys that secrets in the copy are encrypted with.
    pub keys: Vec<KeyId>,
    /// The file beside the source, if it has these keys.
    pub source: Option<PathBuf>,
    /// The file in which a service on the copy looks for them, unless its settings say otherwise. None of a
    /// database on a server.
    pub target: Option<PathBuf>,
    /// Whether some of them are not in that file.
    pub missing: bool,
}
