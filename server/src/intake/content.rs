//! Content of a submission, and its checks. The rules for the report are those of imports.

use base::clock::Clock;
use domain::{report::NewReport, text};
use edge::problem::Fault;
use serde_json::{Map, Value};

/// Maximum number of characters of a note.
pub(crate) const MAX_NOTE: usize = 1_000;
/// Maximum number of characters of a contact.
pub(crate) const MAX_CONTACT: usize = 200;

/// Content of a submission as it was sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    /// Members of the report, as in an import.
    pub row: Map<String, Value>,
    pub note: String,
    pub contact: String,
    /// Field that people do not see, so only programs fill it in.
    pub website: String,
}

/// Checked content.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub report: NewReport,
    pub note: String,
    pub contact: String,
}

impl Content {
    /// Whether a program filled in the form without looking at it.
    pub(super) fn is_of_a_program(&self) -> bool {
        !self.website.trim().is_empty()
    }

    /// Checks the content; returns all its faults.
    pub(super) fn checked(&self, clock: &Clock) -> Result<Checked, Vec<Fault>> {
        let note = line_feeds(&self.note);
        let contact = self.contact.trim().to_owned();
        let mut faults = Vec::new();
        // Notes may have several lines.
        check("note", &note.replace(['\n', '\t'], " "), MAX_NOTE, &mut faults);
        check("contact", &contact, MAX_CONTACT, &mut faults);
        match import::one(&self.row, clock.clone()) {
            Ok(report) if faults.is_empty() => Ok(Checked { report, note, contact }),
            Ok(_) => Err(faults),
            Err(refusals) => {
                let of_report = refusals.into_iter().map(|refusal| Fault {
                    line: None,
                    pointer: refusal.field.map(|field| format!("/{field}")),
                    detail: refusal.reason.to_string(),
                });
                Err(of_report.chain(faults).collect())
            }
        }
    }
}

/// Browsers send the line breaks of forms as carriage return and line feed.
fn line_feeds(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\r', "\n")
}

fn check(member: &str, text: &str, max: usize, faults: &mut Vec<Fault>) {
    if let Err(error) = text::check(text, max) {
        let (pointer, detail) = (Some(format!("/{member}")), error.to_string());
        faults.push(Fault { line: None, pointer, detail });
    }
}
