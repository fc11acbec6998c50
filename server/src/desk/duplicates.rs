//! Possible duplicates of reports, in words.

use desk::model::PossibleDuplicate;
use store::ListedReport;

/// Maximum number of duplicates that a report is shown with.
const SHOWN: usize = 3;

/// Returns the first duplicates of a report, and the number of the others.
pub(super) fn shown(
    report: &ListedReport,
    duplicates: Vec<store::PossibleDuplicate>,
) -> (Vec<PossibleDuplicate>, u32) {
    let more = duplicates.len().saturating_sub(SHOWN);
    let first = duplicates.into_iter().take(SHOWN).map(|other| PossibleDuplicate {
        comparison: comparison(report, &other),
        status: other.status.as_str().to_owned(),
        id: other.id,
    });
    (first.collect(), u32::try_from(more).unwrap_or(u32::MAX))
}

/// Compares the other report with a report, such as `same place, a day earlier, 12 instead of 11
/// people`.
fn comparison(report: &ListedReport, other: &store::PossibleDuplicate) -> String {
    let place = match (&other.city, other.lacks_region) {
        (None, false) => "same place".to_owned(),
        (None, true) => "same city, only one with a region".to_owned(),
        (Some(city), _) => format!("{city} instead of {}", report.city),
    };
    let day = match other.days_later {
        ..0 => "a day earlier",
        0 => "same day",
        1.. => "a day later",
    };
    let people = match other.people {
        None => "as many people".to_owned(),
        Some(people) => format!("{people} instead of {} people", report.people_count),
    };
    [&place, day, &people].join(", ")
}
