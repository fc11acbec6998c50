//! Which events a subscription lists, as it is stored: a column each.

use domain::event::EventName;

/// Those columns of a row.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct Wanted {
    pub report_created: bool,
    pub metrics_updated: bool,
    pub report_withdrawn: bool,
    pub report_updated: bool,
}

impl Wanted {
    pub(super) fn of(events: &[EventName]) -> Self {
        let lists = |event| events.contains(&event);
        Self {
            report_created: lists(EventName::ReportCreated),
            metrics_updated: lists(EventName::MetricsUpdated),
            report_withdrawn: lists(EventName::ReportWithdrawn),
            report_updated: lists(EventName::ReportUpdated),
        }
    }

    fn lists(self, event: EventName) -> bool {
        match event {
            EventName::ReportCreated => self.report_created,
            EventName::MetricsUpdated => self.metrics_updated,
            EventName::ReportWithdrawn => self.report_withdrawn,
            EventName::ReportUpdated => self.report_updated,
        }
    }

    pub(super) fn events(self) -> Vec<EventName> {
        EventName::ALL.into_iter().filter(|event| self.lists(*event)).collect()
    }
}
