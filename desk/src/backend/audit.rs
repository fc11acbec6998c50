use crate::model::Item;

/// A page of the audit log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// Entries, newest first.
    pub lines: Vec<AuditLine>,
    /// Cursor of the next page, if there is one.
    pub next: Option<String>,
    /// Names of all people with entries.
    pub people: Vec<String>,
    /// All actions: names in queries, and words.
    pub actions: Vec<(&'static str, &'static str)>,
}

/// An entry of the audit log in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    pub entry: i64,
    pub at: String,
    pub who: String,
    /// Address or machine.
    pub from: String,
    /// Verb in the past tense, such as "approved".
    pub what: String,
    pub subject: Option<AuditSubject>,
    /// Changes in words, such as "city: Oslo → Bergen"; may be empty.
    pub changes: String,
}

/// Object of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditSubject {
    /// Id, or number of reports.
    pub text: String,
    /// Path of its page.
    pub path: String,
}

/// An entry with a page of its reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited {
    pub line: AuditLine,
    pub reports: Vec<Item>,
    /// Number after which the next page starts, if there is one.
    pub next: Option<String>,
}

/// Numbers of reports that a person has decided on and corrected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moderated {
    /// Day as `YYYY-MM-DD`; empty for the sum of all days.
    pub day: String,
    pub who: String,
    pub approved: u64,
    pub rejected: u64,
    pub withdrawn: u64,
    pub corrected: u64,
}
