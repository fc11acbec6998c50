use model::Report;

/// The newest reports at an earlier time, to find those that have arrived since.
pub(crate) struct Known {
    pub(crate) ids: Vec<String>,
    /// Creation time of the newest report; empty if it is unknown.
    newest: String,
}

impl Known {
    pub(crate) fn from_ids(ids: Vec<String>) -> Self {
        Self { ids, newest: String::new() }
    }

    pub(crate) fn of(reports: &[Report]) -> Self {
        Self {
            ids: reports.iter().map(|report| report.id.clone()).collect(),
            newest: reports.first().map_or_else(String::new, |report| report.created_at.clone()),
        }
    }

    /// Returns the new ones among the latest reports: those above the first known report. A report
    /// that moves up because another was withdrawn is not new: it is older than the known ones.
    pub(crate) fn new_among<'r>(&self, latest: &'r [Report]) -> &'r [Report] {
        let is_new =
            |report: &&Report| report.created_at >= self.newest && !self.ids.contains(&report.id);
        let above = latest.iter().take_while(is_new).count();
        latest.get(..above).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ReportType;

    /// Reports with these letters as ids, each older than the letters before it.
    fn reports(ids: &str) -> Vec<Report> {
        let report = |id: char| Report {
            id: id.to_string(),
            city: "Lyon".to_owned(),
            country: "France".to_owned(),
            people_count: 1,
            kind: ReportType::Water,
            created_at: format!("2026-01-{:02}T13:02:00.000Z", u32::from('z') - u32::from(id)),
            event_date: None,
            included: None,
        };
        ids.chars().map(report).collect()
    }

    fn new(known: &str, latest: &str) -> usize {
        Known::of(&reports(known)).new_among(&reports(latest)).len()
    }

    #[test]
    fn what_comes_in_at_the_top_is_new() {
        assert_eq!(new("bc", "abc"), 1);
        assert_eq!(new("", "a"), 1);
    }

    #[test]
    fn after_a_gap_all_are_new() {
        assert_eq!(new("xy", "abc"), 3);
    }

    #[test]
    fn what_moves_up_from_below_is_not_new() {
        assert_eq!(new("abc", "acd"), 0);
        // Also if the first report was withdrawn, even if it was the only one.
        assert_eq!(new("ab", "bc"), 0);
        assert_eq!(new("a", "b"), 0);
    }
}
