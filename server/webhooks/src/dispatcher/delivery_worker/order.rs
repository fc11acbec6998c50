//! Order of the events of each report: an event is sent once all earlier ones are finished, accepted or failed for
//! good.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// Maximum number of waiting events. At this number, scanning stops.
const MAX_HELD: usize = if cfg!(test) { 4 } else { 10_000 };

/// Order of events, see the [module](self). Events without a report have no order.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Unfinished events by id of the report, begun or waiting.
    open: HashMap<Arc<str>, BTreeSet<i64>>,
    /// Report of each of these events.
    reports: HashMap<i64, Arc<str>>,
    /// Waiting events, which were not begun.
    held: BTreeSet<i64>,
}

impl Order {
    /// Order with these events begun.
    pub(super) fn of(begun: Vec<(i64, String)>) -> Self {
        let mut order = Self::default();
        for (event, report) in begun {
            order.begin(event, Some(&Arc::from(report)));
        }
        order
    }

    /// Records that an event is sent now.
    pub(super) fn begin(&mut self, event: i64, report: Option<&Arc<str>>) {
        if let Some(report) = report {
            self.held.remove(&event);
            self.open.entry(Arc::clone(report)).or_default().insert(event);
            self.reports.insert(event, Arc::clone(report));
        }
    }

    /// Records that an event waits for earlier ones.
    pub(super) fn hold(&mut self, event: i64, report: &Arc<str>) {
        self.begin(event, Some(report));
        self.held.insert(event);
    }

    /// Whether an event has to wait for an earlier one of its report.
    pub(super) fn waits(&self, event: i64, report: Option<&Arc<str>>) -> bool {
        let first = report.and_then(|report| self.open.get(report)).and_then(BTreeSet::first);
        first.is_some_and(|first| *first < event)
    }

    /// Records that an event is finished. Returns the event that waited for it, which can be sent now.
    pub(super) fn end(&mut self, event: i64) -> Option<i64> {
        let report = self.reports.remove(&event)?;
        let open = self.open.get_mut(&report)?;
        open.remove(&event);
        let Some(next) = open.first().copied() else {
            self.open.remove(&report);
            return None;
        };
        self.held.remove(&next).then_some(next)
    }

    /// Removes the waiting events: they are scanned again.
    pub(super) fn release(&mut self) {
        for event in std::mem::take(&mut self.held) {
            self.end(event);
        }
    }

    /// First waiting event.
    pub(super) fn first_held(&self) -> Option<i64> {
        self.held.first().copied()
    }

    /// Whether the limit of waiting events would be reached with `more`.
    pub(super) fn is_full(&self, more: usize) -> bool {
        self.held.len() + more >= MAX_HELD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_waits_for_the_earlier_ones_of_its_report_and_for_no_others() {
        let [a, b] = ["a", "b"].map(Arc::from);
        let mut order = Order::of(vec![(1, "a".to_owned()), (2, "a".to_owned())]);
        assert!(!order.waits(1, Some(&a)) && order.waits(2, Some(&a)) && order.waits(5, Some(&a)));
        assert!(!order.waits(5, Some(&b)) && !order.waits(5, None));
        order.hold(5, &a);
        order.hold(7, &a);
        assert_eq!(order.first_held(), Some(5));
        // One after another. Only waiting events are returned.
        assert_eq!(order.end(1), None);
        assert_eq!(order.end(2), Some(5));
        order.begin(5, Some(&a));
        assert!(order.waits(7, Some(&a)));
        assert_eq!(order.end(5), Some(7));
        assert_eq!((order.end(7), order.first_held()), (None, None));
        assert!(order.open.is_empty() && order.reports.is_empty());
    }

    #[test]
    fn what_waited_is_forgotten_when_it_is_looked_at_again() {
        let a = Arc::from("a");
        let mut order = Order::of(vec![(1, "a".to_owned())]);
        order.hold(5, &a);
        order.release();
        assert_eq!((order.first_held(), order.end(1)), (None, None));
        assert!(order.open.is_empty());
    }
}
