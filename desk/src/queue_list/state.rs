//! State of the queue's list. [`reduce`](super::reducer::reduce) changes it.

use crate::map::degrees_in;
use crate::model::{Correction, Decision, Item, Other, Position, Queue, Start, Verdict};
use crate::words::{
    list::{
        AWAY, LOOKING_AT_THIS, NO_REPORT_MATCHES, NO_REPORTS, NOTHING_WAITS, REPORTS_IN_LIST,
        REPORTS_MATCH, REPORTS_WAIT, SELECT_ALL, SELECTED, SHOW_NEW_REPORTS, SIGNED_OUT,
        TOO_MANY_TO_COUNT,
    },
    sentence, t, words,
};
use kit::{number::neutral, words::filled};
use std::mem;

/// The list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(super) rows: Vec<Row>,
    /// Id of the report that keys act on; empty without one. Only an action of this person changes
    /// it.
    pub(super) current: String,
    /// Id of the row that this person toggled last; empty without one.
    pub(super) toggled: String,
    /// This person's decisions that can be undone, newest first.
    pub(super) decisions: Vec<Decision>,
    /// Number of reports waiting for a decision, regardless of the list.
    pub(super) waiting: u64,
    /// Number of reports in the whole list; `None` if counting would take long.
    pub(super) total: Option<u64>,
    /// Status of the list's reports, such as `PENDING`.
    pub(super) list_status: String,
    /// Whether the list is narrowed by filters.
    pub(super) is_narrowed: bool,
    /// Cursor of the next page, if there is one.
    pub(super) next: Option<String>,
    /// Message about the last action.
    pub(super) notice: String,
    pub(super) may_decide: bool,
    /// Number of decisions that the server has not answered yet.
    pub(super) unanswered: usize,
    /// Number of decisions to undo as soon as all are answered, and it is clear which are the last.
    pub(super) undos_wanted: usize,
    /// Entries whose undoing the server has not answered yet.
    pub(super) undoing: Vec<i64>,
    /// Number of answered changes. A list that was requested before the last one is out of date.
    pub(super) changes: u64,
    /// Version of the latest list; empty if the list has to be read in any case.
    pub(super) version: String,
    /// Reports of the latest list.
    pub(super) latest: Vec<Item>,
    /// Whether this person's last action permits the next list to move the rows.
    pub(super) may_move: bool,
    pub(super) connection: Connection,
    /// Reports that other people are looking at.
    pub(super) others: Vec<Other>,
    /// Correction that this person is typing.
    pub(super) editing: Option<Editing>,
}

/// A correction that is being typed in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Editing {
    /// Id of the report.
    pub(super) id: String,
    /// Whether it has been sent, without a response yet.
    pub(super) is_saving: bool,
    /// Reason why it was refused, as a sentence; empty without one.
    pub(super) error: String,
}

/// Connection to the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Connection {
    #[default]
    Live,
    /// The service did not respond to the last request.
    Away,
    /// The session has ended.
    SignedOut,
}

/// A report of the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(super) item: Item,
    pub(super) status: RowStatus,
    /// Whether the row is selected. Only waiting rows are.
    pub(super) is_selected: bool,
}

/// Status of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowStatus {
    Waiting,
    /// This person's decision has been sent, without a response yet.
    Deciding(Verdict),
    /// The report can no longer be decided on, with the reason: who decided on it, and when.
    Gone(String),
}

impl State {
    pub(super) fn new(start: &Start) -> Self {
        let Queue { items, waiting, total, next, decisions, others, version } = start.queue.clone();
        Self {
            total,
            others,
            list_status: start.status.clone(),
            is_narrowed: start.is_narrowed,
            rows: items.iter().cloned().map(Row::waiting).collect(),
            latest: items,
            waiting,
            next,
            decisions,
            version,
            may_decide: start.may_decide,
            ..Self::default()
        }
    }

    pub(super) fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.item.id == id)
    }

    /// Whether a correction of this report is being typed.
    pub(super) fn is_edited(&self, id: &str) -> bool {
        self.editing.as_ref().is_some_and(|editing| editing.id == id)
    }

    /// Number of selected rows.
    fn selected(&self) -> usize {
        self.rows.iter().filter(|row| row.is_selected).count()
    }

    /// Whether each report is selected that can be.
    pub(super) fn is_every_selected(&self) -> bool {
        let mut waiting = self.rows.iter().filter(|row| row.is_waiting()).peekable();
        waiting.peek().is_some() && waiting.all(|row| row.is_selected)
    }

    /// Names of the other people who look at a report, in words; empty if nobody does.
    pub(super) fn others_in_words(&self, id: &str) -> String {
        let others = self.others.iter().filter(|other| other.id == id);
        let names: Vec<&str> = others.map(|other| &*other.who).collect();
        match names.len() as u64 {
            0 => String::new(),
            count => filled(words().form(LOOKING_AT_THIS, count), &[("who", &names.join(", "))]),
        }
    }

    /// Row at which this person begins: the first one that waits, or the middle of the longest part
    /// in which nobody else works downwards.
    pub(super) fn beginning(&self) -> Option<&Row> {
        let waiting: Vec<&Row> = self.rows.iter().filter(|row| row.is_waiting()).collect();
        let is_taken = |row: &&Row| self.others.iter().any(|other| other.id == row.item.id);
        let mut taken: Vec<usize> =
            (0..waiting.len()).filter(|at| is_taken(&waiting[*at])).collect();
        let mut best = (taken.first().copied().unwrap_or(waiting.len()), 0);
        taken.push(waiting.len());
        for pair in taken.windows(2) {
            let free = (pair[1] - pair[0]) / 2;
            if free > best.0 {
                best = (free, pair[1] - free);
            }
        }
        waiting.get(best.1).copied()
    }

    /// Number of selected reports, in words.
    pub(super) fn selected_in_words(&self) -> String {
        match self.selected() {
            0 => t(SELECT_ALL),
            count => sentence(SELECTED, count as u64),
        }
    }

    /// Number of reports of the latest list that would move the rows, so they are not shown yet.
    pub(super) fn arrived(&self) -> usize {
        self.latest.iter().filter(|item| self.row(&item.id).is_none()).count()
    }

    /// Number of new reports, in words.
    pub(super) fn arrived_in_words(&self) -> String {
        sentence(SHOW_NEW_REPORTS, self.arrived() as u64)
    }

    pub(super) fn is_live(&self) -> bool {
        self.connection == Connection::Live
    }

    pub(super) fn is_signed_out(&self) -> bool {
        self.connection == Connection::SignedOut
    }

    /// Message about the connection; empty if the list is live.
    pub(super) fn connection_in_words(&self) -> String {
        match self.connection {
            Connection::Live => String::new(),
            Connection::Away => t(AWAY),
            Connection::SignedOut => t(SIGNED_OUT),
        }
    }

    /// Number of reports in the whole list, in words.
    pub(super) fn total_in_words(&self) -> String {
        let Some(total) = self.total else { return t(TOO_MANY_TO_COUNT) };
        let is_queue = self.list_status == "PENDING";
        let word = match (self.is_narrowed, is_queue, total) {
            (true, _, 0) => NO_REPORT_MATCHES,
            (true, ..) => REPORTS_MATCH,
            (false, true, 0) => NOTHING_WAITS,
            (false, true, _) => REPORTS_WAIT,
            (false, false, 0) => NO_REPORTS,
            (false, false, _) => REPORTS_IN_LIST,
        };
        sentence(word, total)
    }

    /// The title of the page with the number of waiting reports before it.
    pub(super) fn title(&self, title: &str) -> String {
        match self.waiting {
            0 => title.to_owned(),
            count => ["(", &*neutral(count, words().lang), ") ", title].concat(),
        }
    }
}

impl Row {
    pub(super) fn waiting(item: Item) -> Self {
        Self { item, status: RowStatus::Waiting, is_selected: false }
    }

    /// Takes the report as it was read again, and waits.
    pub(super) fn renew(&mut self, item: &Item) {
        self.item = item.clone();
        if !self.is_deciding() {
            self.status = RowStatus::Waiting;
        }
    }

    /// Takes the values of a correction.
    pub(super) fn correct(&mut self, correction: Correction) {
        let Correction { kind, city, region, country, people, event_date, lat, lng } = correction;
        let people = people.trim().parse().unwrap_or(self.item.people);
        let position =
            degrees_in(&lat).zip(degrees_in(&lng)).map(|(lat, lng)| Position { lat, lng });
        let item = mem::take(&mut self.item);
        self.item = Item { kind, city, region, country, people, event_date, position, ..item };
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.status == RowStatus::Waiting
    }

    pub(super) fn is_deciding(&self) -> bool {
        matches!(self.status, RowStatus::Deciding(_))
    }
}
