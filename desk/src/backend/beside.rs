use crate::{
    model::Decision,
    words::report::{FORM, IMPORT_ID, KEY_PREFIX},
};
use kit::words::Words;

/// Everything around a report on its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Ids of the reports before and after it in the list that the page was opened from.
    pub previous: Option<String>,
    pub next: Option<String>,
    /// This person's last decision that can be undone.
    pub last: Option<Decision>,
    /// Origin of the report, if known.
    pub origin: Option<Origin>,
    /// Last decision on the report in words, with who made it; `None` while the report is pending.
    pub decided: Option<String>,
}

/// Origin of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub source: Source,
    /// Note of the sender; empty if there is none, or if this person may not see it.
    pub note: String,
    /// Address or number at which the sender can be reached; empty like `note`.
    pub contact: String,
}

/// Way on which a report came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The form of a widget, or a program without a key.
    Public,
    /// A program with the key of this prefix.
    Key(String),
    /// The import with this id.
    Import(String),
}

impl Source {
    /// The source in words.
    pub fn in_words(&self, words: &Words) -> String {
        match self {
            Self::Public => words.text(FORM).to_owned(),
            Self::Key(prefix) => words.with(KEY_PREFIX, &[("prefix", prefix)]),
            Self::Import(id) => words.with(IMPORT_ID, &[("id", id)]),
        }
    }
}
