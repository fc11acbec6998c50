//! Possible duplicates of reports, in words.

use desk::model::PossibleDuplicate;
use kit::words::Words;
use store::ListedReport;

use super::words::duplicates::{
    A_DAY_EARLIER, A_DAY_LATER, AS_MANY_PEOPLE, BETWEEN, INSTEAD_OF, ONE_HAS_A_REGION,
    PEOPLE_INSTEAD_OF, SAME_DAY, SAME_PLACE,
};

/// Maximum number of duplicates that a report is shown with.
const SHOWN: usize = 3;

/// Returns the first duplicates of a report, and the number of the others.
pub(super) fn shown(
    words: &Words,
    report: &ListedReport,
    duplicates: Vec<store::PossibleDuplicate>,
) -> (Vec<PossibleDuplicate>, u32) {
    let more = duplicates.len().saturating_sub(SHOWN);
    let first = duplicates.into_iter().take(SHOWN).map(|other| PossibleDuplicate {
        comparison: comparison(words, report, &other),
        status: other.status.as_str().to_owned(),
        id: other.id,
    });
    (first.collect(), u32::try_from(more).unwrap_or(u32::MAX))
}

/// Compares the other report with a report, such as `same place, a day earlier, 12 instead of 11
/// people`.
fn comparison(words: &Words, report: &ListedReport, other: &store::PossibleDuplicate) -> String {
    let place = match (&other.city, other.lacks_region) {
        (None, false) => words.text(SAME_PLACE).to_owned(),
        (None, true) => words.text(ONE_HAS_A_REGION).to_owned(),
        (Some(city), _) => words.with(INSTEAD_OF, &[("other", city), ("own", &report.city)]),
    };
    let day = match other.days_later {
        ..0 => A_DAY_EARLIER,
        0 => SAME_DAY,
        1.. => A_DAY_LATER,
    };
    let people = match other.people {
        None => words.text(AS_MANY_PEOPLE).to_owned(),
        Some(people) => {
            let (other, own) = (people.to_string(), report.people_count.to_string());
            words.with(PEOPLE_INSTEAD_OF, &[("other", &other), ("own", &own)])
        }
    };
    [&*place, words.text(day), &people].join(words.text(BETWEEN))
}
