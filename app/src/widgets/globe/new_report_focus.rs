//! Turns the globe to the newest report whenever new reports arrive.

use super::{engine::Engine, places::Rows};
use crate::widgets::{announcer::Announcer, new_reports::Known};
use model::{Report, ReportType};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Maximum number of marker responses without the position of a new report. The first response may
/// be older than the report; if the second lacks it too, the report is not on the map.
const MISSES: u32 = 2;

/// See the [module](self).
pub(super) struct NewReportFocus {
    announcer: Announcer,
    /// The newest reports seen so far.
    known: RefCell<Known>,
    /// Id and type of the newest report, while its position is unknown.
    expected: RefCell<Option<(String, ReportType)>>,
    misses: Cell<u32>,
}

impl NewReportFocus {
    /// `known` are the ids of the newest reports that the page was rendered with.
    pub(super) fn new(announcer: Announcer, known: Vec<String>) -> Self {
        Self {
            announcer,
            known: RefCell::new(Known::from_ids(known)),
            expected: RefCell::default(),
            misses: Cell::default(),
        }
    }

    /// The ids of the newest reports, concatenated.
    pub(super) fn known(&self) -> String {
        self.known.borrow().ids.concat()
    }

    /// Finds and announces new reports.
    pub(super) fn find(&self, newest: &[Report]) {
        let known = self.known.replace(Known::of(newest));
        let new = known.new_among(newest);
        if let Some(first) = new.first() {
            self.announcer.announce(new.len() as u64);
            self.expected.replace(Some((first.id.clone(), first.kind)));
            self.misses.set(0);
        }
    }

    /// Shows the position of the newest report if `rows` contains it. Returns whether a later
    /// response may contain it.
    pub(super) fn show(&self, engine: &Rc<Engine>, rows: &Rows, comma: &str) -> bool {
        let expected = self.expected.borrow();
        let Some((id, kind)) = &*expected else { return false };
        let newest = rows.newest(id);
        if let (Some((position, name)), true) = (&newest, engine.can_draw()) {
            let name = [&name.city(), comma, &name.country()].concat();
            engine.show_arrival(&name, *kind, *position);
        }
        let misses = self.misses.get() + 1;
        self.misses.set(misses);
        let is_missing = newest.is_none() && misses < MISSES;
        drop(expected);
        if !is_missing {
            self.expected.take();
        }
        is_missing
    }
}
