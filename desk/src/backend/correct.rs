use super::{AuditChange, Choice};
use crate::model::{Decision, PlaceNames};

/// Reports that are to be corrected together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CorrectingMany {
    pub reports: u64,
    /// Number of the reports of each status that some have, such as `PENDING`.
    pub statuses: Vec<Choice>,
    /// Present values, by the names of an import's columns. Empty if there are too many reports.
    pub current: Vec<(&'static str, OldValues)>,
    /// Effect of the new values; `None` without new values.
    pub effect: Option<Effect>,
    /// Reason why the new values are refused, as a sentence.
    pub refusal: Option<String>,
}

/// The most frequent ones of some values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldValues {
    pub values: Vec<Choice>,
    /// Number of other values.
    pub more: usize,
}

/// Effect of new values on reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effect {
    /// Number of reports that change.
    pub corrected: u64,
    /// Number of reports that have the values already.
    pub unchanged: u64,
    /// Number of reports that cannot have the values, and the reason of the first.
    pub refused: u64,
    pub refusal: String,
    /// The first changes, each with the number of its reports.
    pub changes: Vec<(Vec<AuditChange>, u64)>,
    /// Number of other changes.
    pub more_changes: usize,
    /// The first reports.
    pub examples: Vec<Example>,
    /// Token that identifies exactly these reports with their present values.
    pub token: String,
}

/// A report with its changes; empty if nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub id: String,
    pub changes: Vec<AuditChange>,
}

/// Places whose names may be two spellings of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spellings {
    pub pairs: Vec<Similar>,
    /// Number of other pairs.
    pub more: usize,
    /// Pairs that people keep apart, newest first.
    pub apart: Vec<Apart>,
    /// This person's decisions of the last ten minutes, newest first.
    pub decisions: Vec<Decision>,
}

/// Two spellings, the likelier one first.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    pub places: [Spelling; 2],
    /// Similarity in words.
    pub reason: String,
}

/// Two places that a person keeps apart, and the time of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    pub id: i64,
    pub places: [PlaceNames; 2],
    pub who: String,
    /// Instant as RFC 3339.
    pub at: String,
}

/// A spelling of a place, with the number of its reports of each status that some have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    pub country: String,
    pub region: String,
    pub city: String,
    pub statuses: Vec<Choice>,
}
