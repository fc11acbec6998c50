use chrono::NaiveDate;
pub use domain::place_filter::PlaceFilter;

use super::counters::grain::Span;

/// Selection of all types, in the order of [`model::ReportType::ALL`].
pub const ALL_TYPES: [bool; 3] = [true; 3];

/// Period of event dates, inclusive at both ends. `None` leaves an end open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
}

impl Period {
    /// First and last day. Open ends become the ends of the calendar.
    pub fn ends(self) -> (NaiveDate, NaiveDate) {
        (self.from.unwrap_or(FIRST_DAY), self.to.unwrap_or(LAST_DAY))
    }

    pub(super) fn is_open(self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    pub(super) fn spans(self) -> Vec<Span> {
        if self.is_open() {
            return Span::all_time();
        }
        let (from, to) = self.ends();
        Span::cover(from, to)
    }
}

/// Range of dates that the API accepts.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("a date of the calendar");
const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(9999, 12, 31).expect("a date of the calendar");

/// Filter of the reports to count or list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub period: Period,
    pub place: PlaceFilter,
}
