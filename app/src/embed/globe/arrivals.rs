//! New reports: each time, the globe turns to the newest one.

use super::{engine::Engine, places::Rows};
use crate::{
    embed::{announcer::Announcer, news::new_reports},
    model::{Report, Types},
    names,
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// How often markers may arrive without the position of a new report. The first may have been read
/// before the report was there; what is missing again is nowhere on the map.
const MISSES: u32 = 2;

/// See the [module](self).
pub(super) struct Arrivals {
    announcer: Announcer,
    /// The ids of the newest reports that are known.
    known: RefCell<Vec<String>>,
    /// The newest report, while its position is not known yet.
    expected: RefCell<Option<Report>>,
    misses: Cell<u32>,
}

impl Arrivals {
    /// `known` are the ids of the newest reports that the page was rendered with.
    pub(super) fn new(announcer: Announcer, known: Vec<String>) -> Self {
        Self {
            announcer,
            known: RefCell::new(known),
            expected: RefCell::default(),
            misses: Cell::default(),
        }
    }

    /// Finds and announces what is new among the latest reports. Returns whether they are others
    /// than before.
    pub(super) fn find(&self, latest: &[Report], types: Types) -> bool {
        let latest: Vec<Report> =
            latest.iter().filter(|report| types.has(report.kind)).cloned().collect();
        let ids: Vec<String> = latest.iter().map(|report| report.id.clone()).collect();
        let known = self.known.replace(ids.clone());
        let new = new_reports(&latest, |report| known.contains(&report.id));
        if let Some(newest) = new.first() {
            self.announcer.announce(new.len() as u64);
            self.expected.replace(Some(newest.clone()));
            self.misses.set(0);
        }
        ids != known
    }

    /// Shows where the newest report is, if these markers know. Returns whether others may.
    pub(super) fn show(&self, engine: &Rc<Engine>, rows: &Rows, comma: &str) -> bool {
        let expected = self.expected.borrow();
        let Some(report) = &*expected else { return false };
        let position = rows.newest(&report.id);
        if let (Some(position), true) = (position, engine.can_draw()) {
            let name = [&report.city, comma, &names::country(&report.country)].concat();
            engine.show_arrival(&name, report.kind, position);
        }
        let misses = self.misses.get() + 1;
        self.misses.set(misses);
        let is_missing = position.is_none() && misses < MISSES;
        drop(expected);
        if !is_missing {
            self.expected.take();
        }
        is_missing
    }
}
