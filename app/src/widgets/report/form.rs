//! State of the form, and the texts for what is wrong with it.

use super::words as texts;
use crate::{contract::page_state::page_state, words::Word};

page_state! {
    /// Initial state of the form.
    pub(super) struct ReportState {
        /// Whether the service takes reports.
        is_on: bool = "isOn",
        /// Address of the form, relative to its page.
        action: String = "action",
        kind: String = "kind",
        city: String = "city",
        country: String = "country",
        people: String = "people",
        date: String = "date",
        note: String = "note",
        contact: String = "contact",
        /// Token of the form, for visitors without scripts.
        token: String = "token",
        today: String = "today",
        /// Names of the fields with faults.
        faults: Vec<String> = "faults",
        /// Code of the problem with the form as a whole; empty if there is none.
        problem: String = "problem",
        /// Id of the report, if it was sent without scripts.
        sent: String = "sent",
    }
}

/// Names of the fields, in their order, each with the text for its faults.
pub(super) const FIELDS: [(&str, Word); 7] = [
    ("type", texts::CHOOSE_A_TYPE),
    ("city", texts::NAME_THE_CITY),
    ("country", texts::NAME_THE_COUNTRY),
    ("peopleCount", texts::COUNT_PEOPLE),
    ("eventDate", texts::DATE_IT),
    ("note", texts::SHORTEN_IT),
    ("contact", texts::SHORTEN_IT),
];

/// Text for a problem with the form as a whole, by its code.
pub(super) fn problem(code: &str) -> Word {
    match code {
        "RATE_LIMITED" => texts::TOO_MANY,
        "INVALID_PROOF" => texts::SEND_AGAIN,
        _ => texts::NOT_SENT,
    }
}
