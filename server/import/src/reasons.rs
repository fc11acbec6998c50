//! Reasons for refused rows, grouped.

use std::collections::HashMap;

use super::{Refusal, field::Field, reading::Remedy, row_error::RowError};

/// Maximum number of groups; the field names and kinds of faults are far fewer.
const MAX_GROUPS: usize = 100;

/// Kind of a fault, by which refused rows are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The row as a whole: number of fields, quotes, JSON.
    Shape,
    NotUtf8,
    Missing,
    UnknownType,
    Text,
    Number,
    Degrees,
    Date,
    Instant,
    Future,
    Twice,
    Conflict,
}

impl Fault {
    /// Description of all rows with this fault.
    pub const fn description(self) -> &'static str {
        match self {
            Fault::Shape => "row not understood",
            Fault::NotUtf8 => "letters not understood",
            Fault::Missing => "empty",
            Fault::UnknownType => "not spirit, water or both",
            Fault::Text => "text that cannot be used",
            Fault::Number => "not a whole number from 1 to 1,000,000",
            Fault::Degrees => "not degrees",
            Fault::Date => "date not understood",
            Fault::Instant => "date and time not understood",
            Fault::Future => "in the future",
            Fault::Twice => "given twice",
            Fault::Conflict => "the id exists already with other content",
        }
    }
}

/// Rows that are refused for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Number of rows.
    pub rows: u64,
    /// Field with the fault, if it is in one field.
    pub field: Option<&'static str>,
    pub fault: Fault,
    /// First row with the fault.
    pub example: Refusal,
    /// Choices that make some of the rows readable, each with their number. The best ones come first.
    pub remedies: Vec<(Remedy, u64)>,
}

/// Counter of reasons.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    groups: Vec<Group>,
    places: HashMap<(Option<&'static str>, Fault), usize>,
}

#[derive(Clone, Debug)]
struct Group {
    rows: u64,
    fault: Fault,
    example: Refusal,
    remedies: HashMap<Remedy, u64>,
}

impl Reasons {
    pub fn add(&mut self, refusal: &Refusal) {
        let next = self.groups.len();
        let fault = refusal.reason.fault();
        let place = *self.places.entry((refusal.field, fault)).or_insert(next);
        if place == next && next < MAX_GROUPS {
            let example = refusal.clone();
            self.groups.push(Group { rows: 0, fault, example, remedies: HashMap::new() });
        }
        let Some(group) = self.groups.get_mut(place) else { return };
        group.rows += 1;
        for remedy in &refusal.remedies {
            *group.remedies.entry(*remedy).or_default() += 1;
        }
    }

    /// Returns the groups, largest first.
    pub fn grouped(self) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = self.groups.into_iter().map(reason).collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.rows));
        reasons
    }
}

fn reason(group: Group) -> Reason {
    let Group { rows, fault, example, remedies } = group;
    let mut remedies: Vec<_> = remedies.into_iter().collect();
    remedies.sort_by_key(|(remedy, rows)| (std::cmp::Reverse(*rows), *remedy));
    Reason { rows, field: example.field, fault, example, remedies }
}

/// A fault in one field, before the field is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub reason: RowError,
    pub remedies: Vec<Remedy>,
}

impl From<RowError> for Wrong {
    fn from(reason: RowError) -> Self {
        Wrong { reason, remedies: Vec::new() }
    }
}

impl Wrong {
    pub(super) fn with(mut self, remedies: impl IntoIterator<Item = Remedy>) -> Self {
        self.remedies.extend(remedies);
        self
    }

    pub(super) fn in_field(self, field: Field) -> super::rows::Problem {
        super::rows::Problem { field: Some(field), wrong: self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Dates;

    #[test]
    fn rows_with_the_same_fault_are_one_group_with_the_choices_that_help() {
        let date = || "2026".to_owned();
        let not_date = || RowError::NotDate { text: date(), order: Dates::YearFirst };
        let refusal = |line: u64, reason: RowError, remedies: &[Remedy]| Refusal {
            line,
            field: Some("eventDate"),
            reason,
            remedies: remedies.to_vec(),
        };
        let [day, month] = [Dates::DayFirst, Dates::MonthFirst].map(Remedy::Dates);
        let mut reasons = Reasons::default();
        reasons.add(&refusal(2, RowError::FutureDate { date: date(), today: date() }, &[]));
        reasons.add(&refusal(3, not_date(), &[day, month]));
        reasons.add(&refusal(4, not_date(), &[month]));
        let grouped = reasons.grouped();
        let seen: Vec<_> = grouped.iter().map(|one| (one.rows, one.example.line)).collect();
        assert_eq!(seen, [(2, 3), (1, 2)]);
        assert_eq!(grouped[0].remedies, [(month, 2), (day, 1)]);
        assert_eq!(grouped[0].fault.description(), "date not understood");
    }
}
