//! Data of the desk's pages and island. The server writes them with serde; the island reads them
//! with the browser's own JSON parser, see [`kit::json`].

use crate::words::{common, list};
#[cfg(feature = "ssr")]
use crate::words::{deciding, lang};
#[cfg(feature = "ssr")]
use app::brand::Brand;
use js_sys::JSON;
use kit::{dom::document_text, from_json, json::FromJson, signals::provided, words::Word};
#[cfg(feature = "ssr")]
use leptos::prelude::expect_context;
#[cfg(feature = "ssr")]
use model::ReportType;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// Id of the element with the island's initial state.
pub(crate) const STATE: &str = "queue-state";

/// A decision on reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Approve,
    Reject,
    Withdraw,
    Reopen,
    /// Publishes withdrawn reports again.
    Restore,
}

impl Verdict {
    pub const ALL: [Verdict; 5] =
        [Verdict::Approve, Verdict::Reject, Verdict::Withdraw, Verdict::Reopen, Verdict::Restore];

    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Approve => "approve",
            Verdict::Reject => "reject",
            Verdict::Withdraw => "withdraw",
            Verdict::Reopen => "reopen",
            Verdict::Restore => "restore",
        }
    }

    /// Text of buttons.
    pub(crate) const fn word(self) -> Word {
        match self {
            Verdict::Approve => common::APPROVE,
            Verdict::Reject => common::REJECT,
            Verdict::Withdraw => common::WITHDRAW,
            Verdict::Reopen => common::REOPEN,
            Verdict::Restore => common::RESTORE,
        }
    }

    /// The action on a number of reports, for buttons and titles.
    #[cfg(feature = "ssr")]
    pub(crate) const fn on_reports(self) -> Word {
        match self {
            Verdict::Approve => deciding::APPROVE_REPORTS,
            Verdict::Reject => deciding::REJECT_REPORTS,
            Verdict::Withdraw => deciding::WITHDRAW_REPORTS,
            Verdict::Reopen => deciding::REOPEN_REPORTS,
            Verdict::Restore => deciding::RESTORE_REPORTS,
        }
    }

    /// Message about completed decisions on a number of reports.
    pub const fn result(self) -> Word {
        match self {
            Verdict::Approve => common::APPROVED_REPORTS,
            Verdict::Reject => common::REJECTED_REPORTS,
            Verdict::Withdraw => common::WITHDREW_REPORTS,
            Verdict::Reopen => common::REOPENED_REPORTS,
            Verdict::Restore => common::RESTORED_REPORTS,
        }
    }

    /// Message about a completed decision on one report.
    pub const fn result_on_one(self) -> Word {
        match self {
            Verdict::Approve => common::APPROVED_ONE,
            Verdict::Reject => common::REJECTED_ONE,
            Verdict::Withdraw => common::WITHDREW_ONE,
            Verdict::Reopen => common::REOPENED_ONE,
            Verdict::Restore => common::RESTORED_ONE,
        }
    }

    /// Text of the buttons that decide on the selected reports.
    pub(crate) const fn of_selected(self) -> Word {
        match self {
            Verdict::Approve => list::APPROVE_SELECTED,
            Verdict::Reject => list::REJECT_SELECTED,
            Verdict::Withdraw => list::WITHDRAW_SELECTED,
            Verdict::Reopen => list::REOPEN_SELECTED,
            Verdict::Restore => list::RESTORE_SELECTED,
        }
    }

    /// Description of its key.
    pub(crate) const fn of_key(self) -> Word {
        match self {
            Verdict::Approve => list::KEY_APPROVE,
            Verdict::Reject => list::KEY_REJECT,
            Verdict::Withdraw => list::KEY_WITHDRAW,
            Verdict::Reopen => list::KEY_REOPEN,
            Verdict::Restore => list::KEY_RESTORE,
        }
    }

    /// Key of the decision in lists.
    pub const fn key(self) -> &'static str {
        match self {
            Verdict::Approve => "a",
            Verdict::Reject => "r",
            Verdict::Withdraw => "w",
            Verdict::Reopen => "p",
            Verdict::Restore => "g",
        }
    }

    /// Possible decisions on reports of a status.
    pub fn possible(status: &str) -> &'static [Verdict] {
        match status {
            "PENDING" => &[Verdict::Approve, Verdict::Reject],
            "APPROVED" => &[Verdict::Withdraw],
            "WITHDRAWN" => &[Verdict::Restore, Verdict::Reopen],
            _ => &[Verdict::Reopen],
        }
    }

    /// Returns the verdict with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == name)
    }
}

impl FromJson for Verdict {
    fn from_json(value: &JsValue) -> Self {
        Self::named(&String::from_json(value)).unwrap_or(Verdict::Reject)
    }
}

/// A report on the desk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub id: String,
    /// Type: `spirit`, `water` or `both`.
    pub kind: String,
    /// Status: `PENDING`, `APPROVED`, `REJECTED` or `WITHDRAWN`.
    pub status: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people: u32,
    /// Date as `YYYY-MM-DD`.
    pub event_date: String,
    pub created_at: String,
    /// Way on which the report came, in words; empty if it is unknown.
    pub source: String,
    pub position: Option<Position>,
    /// Other reports that may be about the same event, at most three.
    pub duplicates: Vec<PossibleDuplicate>,
    /// Number of further reports that may be.
    pub more_duplicates: u32,
}

/// A position in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub lat: f64,
    pub lng: f64,
}

/// Names of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaceNames {
    pub country: String,
    /// Empty if there is none.
    pub region: String,
    pub city: String,
}

/// A correction of a report, with all fields as entered in the form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub kind: String,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people: String,
    pub event_date: String,
    /// Coordinates; empty if there are none.
    pub lat: String,
    pub lng: String,
}

impl Correction {
    /// Fields of the form with their values.
    pub(crate) fn fields(&self) -> [(&'static str, &str); 8] {
        [
            ("correction[kind]", &self.kind),
            ("correction[city]", &self.city),
            ("correction[region]", &self.region),
            ("correction[country]", &self.country),
            ("correction[people]", &self.people),
            ("correction[event_date]", &self.event_date),
            ("correction[lat]", &self.lat),
            ("correction[lng]", &self.lng),
        ]
    }
}

/// A report that may be about the same event as another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PossibleDuplicate {
    pub id: String,
    pub status: String,
    /// Comparison with the report in words, such as `same place, a day earlier`.
    pub comparison: String,
}

/// One page of a list of reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    pub items: Vec<Item>,
    /// Number of reports waiting for a decision, regardless of the list.
    pub waiting: u64,
    /// Number of reports in the whole list; `None` if counting would take long.
    pub total: Option<u64>,
    /// Cursor of the next page, if there is one.
    pub next: Option<String>,
    /// This person's decisions of the last ten minutes, newest first.
    pub decisions: Vec<Decision>,
    /// Reports that other people are looking at.
    pub others: Vec<Other>,
    /// Changes with the reports, the decisions of all people, and what they are looking at.
    pub version: String,
}

/// A report that another person is looking at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Other {
    /// Name of the person.
    pub who: String,
    /// Id of the report.
    pub id: String,
}

/// A decision that can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Number of its entry in the audit log.
    pub entry: i64,
    /// The decision in words, such as `Approved r-17.`
    pub text: String,
    /// Id of the report, if there is only one.
    pub only: Option<String>,
    pub at: String,
}

/// Result of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Ids of the reports that are now decided.
    pub changed: Vec<String>,
    pub refused: Vec<Refused>,
    /// This person's decisions of the last ten minutes with this one, newest first.
    pub decisions: Vec<Decision>,
}

/// A report that could not be decided on, with the reason. For example, another person was faster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub id: String,
    pub reason: String,
}

/// Initial state of the island.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    pub queue: Queue,
    /// Query of the list.
    pub query: String,
    /// URL prefix of the service; usually empty.
    pub base_path: String,
    /// Link to the first page; empty on the first page.
    pub first_page: String,
    /// Link to the next page, without the value of its last parameter, the cursor.
    pub next_page: String,
    /// Whether this person may decide.
    pub may_decide: bool,
    /// Status of the list's reports, such as `PENDING`.
    pub status: String,
    /// Whether the list is narrowed by filters.
    pub is_narrowed: bool,
    /// The operator's labels of the types.
    pub labels: Vec<Label>,
    /// The operator's reasons for rejecting reports.
    pub reasons: Vec<String>,
}

/// The operator's label of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    pub kind: String,
    pub text: String,
}

#[cfg(feature = "ssr")]
impl Label {
    /// The labels of all types.
    pub(crate) fn all() -> Vec<Self> {
        let brand = expect_context::<Arc<Brand>>();
        let label = |kind: ReportType| Self {
            kind: kind.as_str().to_owned(),
            text: brand.label(kind, lang()).to_string(),
        };
        ReportType::ALL.map(label).to_vec()
    }
}

impl Start {
    /// The state that the page is rendered with: from the context on the server, from the page in
    /// the browser.
    pub(crate) fn get() -> Arc<Self> {
        provided().unwrap_or_else(|| {
            let page = JSON::parse(&document_text(STATE)).unwrap_or_default();
            Arc::new(Self::from_json(&page))
        })
    }

    /// The operator's label of a type.
    pub(crate) fn label(&self, kind: &str) -> String {
        let found = self.labels.iter().find(|label| label.kind == kind);
        found.map_or_else(|| kind.to_owned(), |label| label.text.clone())
    }
}

from_json! {
    Start {
        queue: "queue",
        query: "query",
        base_path: "basePath",
        first_page: "firstPage",
        next_page: "nextPage",
        may_decide: "mayDecide",
        status: "status",
        is_narrowed: "isNarrowed",
        labels: "labels",
        reasons: "reasons",
    }
    Label { kind: "kind", text: "text" }
    Queue {
        items: "items",
        waiting: "waiting",
        total: "total",
        next: "next",
        decisions: "decisions",
        others: "others",
        version: "version",
    }
    Other { who: "who", id: "id" }
    Item {
        id: "id",
        kind: "kind",
        status: "status",
        city: "city",
        region: "region",
        country: "country",
        people: "people",
        event_date: "eventDate",
        created_at: "createdAt",
        source: "source",
        position: "position",
        duplicates: "duplicates",
        more_duplicates: "moreDuplicates",
    }
    Position { lat: "lat", lng: "lng" }
    PossibleDuplicate { id: "id", status: "status", comparison: "comparison" }
    Decision { entry: "entry", text: "text", only: "only", at: "at" }
    Outcome { changed: "changed", refused: "refused", decisions: "decisions" }
    Refused { id: "id", reason: "reason" }
}
