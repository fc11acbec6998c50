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
    pub actions: Vec<(&'static str, String)>,
}

/// An entry of the audit log in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    pub entry: i64,
    pub at: String,
    pub who: String,
    /// Address or machine.
    pub from: String,
    /// Action as a sentence with `{who}` and `{subject}`, such as "{who} approved {subject}".
    pub sentence: &'static str,
    pub subject: Option<AuditSubject>,
    /// May be empty.
    pub changes: Vec<AuditChange>,
}

/// Change of a member of the object, in words, such as "city: Oslo → Bergen".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditChange {
    pub name: String,
    /// `None` if only the new value is known.
    pub before: Option<String>,
    pub after: String,
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
