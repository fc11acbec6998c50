//! Selections of reports by their properties, and orders of lists.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};
use domain::{import_id::ImportId, report::Status};
use model::ReportType;

use crate::filter::{Period, PlaceFilter};

/// Selection of reports. Each field that is set narrows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub status: Option<Status>,
    /// Import that added the reports.
    pub import: Option<ImportId>,
    pub kind: Option<ReportType>,
    pub place: PlaceFilter,
    /// Period of the event dates.
    pub period: Period,
    /// Time before which the reports were created.
    pub before: Option<DateTime<Utc>>,
    /// Text in the name of the city, region or country, or at the beginning of the id. Case and
    /// accents are ignored; the name of a country may be in any language.
    pub text: Option<String>,
}

impl Selection {
    /// Whether the selection has no condition except the status.
    pub fn is_everything(&self) -> bool {
        *self == Self { status: self.status, ..Self::default() }
    }
}

/// Place of a report in the order of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Day of the event, for lists in the order of event dates, else 0.
    pub day: i64,
    /// Number of the report.
    pub seq: i64,
}

/// Order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By the time of addition.
    OldestFirst,
    #[default]
    NewestFirst,
    /// By event date, then by the time of addition.
    OldestEventFirst,
    NewestEventFirst,
}

impl Order {
    pub(super) fn is_by_event(self) -> bool {
        matches!(self, Order::OldestEventFirst | Order::NewestEventFirst)
    }

    pub(super) fn is_descending(self) -> bool {
        matches!(self, Order::NewestFirst | Order::NewestEventFirst)
    }

    /// Returns the opposite order, which begins with the last report.
    pub(super) fn reversed(self) -> Self {
        match self {
            Order::OldestFirst => Order::NewestFirst,
            Order::NewestFirst => Order::OldestFirst,
            Order::OldestEventFirst => Order::NewestEventFirst,
            Order::NewestEventFirst => Order::OldestEventFirst,
        }
    }

    /// Place in this order of the report with this day and number.
    pub(super) fn key(self, day: i64, seq: i64) -> Key {
        Key { day: if self.is_by_event() { day } else { 0 }, seq }
    }

    /// Compares the places of two reports in this order.
    pub(super) fn compare(self, a: Key, b: Key) -> Ordering {
        if self.is_descending() { b.cmp(&a) } else { a.cmp(&b) }
    }
}
