use crate::model::Decision;

/// Everything around a report on its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Ids of the reports before and after it in the list that the page was opened from.
    pub previous: Option<String>,
    pub next: Option<String>,
    /// This person's last decision that can be undone, and its report if it is about one.
    pub last: Option<(Decision, Option<String>)>,
    /// Last decision on the report in words, with who made it; `None` while the report is pending.
    pub decided: Option<String>,
}
