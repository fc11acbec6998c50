use chrono::NaiveDate;
pub use domain::place_filter::PlaceFilter;

use super::counters::grain::Span;

/// A period of event dates, both ends inclusive; an end that is not given is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
}

impl Period {
    /// The first and the last day, open ends at the ends of the calendar.
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

/// The range of dates that the API can name.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("a date of the calendar");
const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(9999, 12, 31).expect("a date of the calendar");

/// Which reports are counted or listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub period: Period,
    pub place: PlaceFilter,
}
