//! Rows seen in a dry run. It writes nothing, so the store cannot detect duplicates of earlier rows.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use chrono::{DateTime, NaiveDate, Utc};
use domain::{report::NewReport, report_id::ReportId};
use store::{Mode, RowOutcome, Store};

/// Rows that would have been imported, by hash.
#[derive(Default)]
pub(super) struct DryIds {
    hasher: RandomState,
    contents: HashMap<u64, u64>,
}

impl DryIds {
    /// Returns the outcomes that an import of these rows would have after the earlier ones. Without a store, the rows are
    /// compared with each other only.
    pub(super) async fn foresee(
        &mut self,
        store: Option<&Store>,
        reports: &[NewReport],
    ) -> store::Result<Vec<RowOutcome>> {
        let mut outcomes = match store {
            Some(store) => store.reports().import(reports, Mode::DryRun).await?,
            None => vec![RowOutcome::Imported; reports.len()],
        };
        self.correct(reports, &mut outcomes);
        Ok(outcomes)
    }

    /// Corrects the outcomes of a batch for duplicates of earlier rows.
    fn correct(&mut self, reports: &[NewReport], outcomes: &mut [RowOutcome]) {
        for (report, outcome) in reports.iter().zip(outcomes) {
            if *outcome != RowOutcome::Imported {
                continue;
            }
            let content = self.hasher.hash_one(format!("{:?}", said(report)));
            match self.contents.insert(self.hasher.hash_one(&report.id), content) {
                Some(before) if before == content => *outcome = RowOutcome::Skipped,
                Some(_) => *outcome = RowOutcome::Conflict { field: "content" },
                None => {}
            }
        }
    }
}

/// Returns the content of the row itself, without dates that default to the clock.
fn said(report: &NewReport) -> NewReport {
    let mut said = NewReport { id: ReportId::default(), ..report.clone() };
    if !said.event_date_given {
        said.event_date = NaiveDate::default();
    }
    if !said.created_at_given {
        said.created_at = DateTime::<Utc>::UNIX_EPOCH;
    }
    said
}

#[cfg(test)]
mod tests {
    use base::time::{parse_date, parse_instant};

    use super::*;

    #[test]
    fn a_row_without_dates_is_the_same_row_a_moment_later() {
        let row = |created_at: &str, event_date: &str| NewReport {
            id: ReportId::default(),
            kind: model::ReportType::Both,
            city: "Oslo".to_owned(),
            region: String::new(),
            country: "Norway".to_owned(),
            people_count: 1,
            event_date: parse_date(event_date).unwrap(),
            created_at: parse_instant(created_at).unwrap(),
            event_date_given: false,
            created_at_given: false,
            position: None,
        };
        let rows = [
            row("2026-03-01T23:59:59Z", "2026-03-01"),
            row("2026-03-02T00:00:01Z", "2026-03-02"),
            NewReport { people_count: 2, ..row("2026-03-01T23:59:59Z", "2026-03-01") },
        ];
        let mut outcomes = [RowOutcome::Imported; 3];
        DryIds::default().correct(&rows, &mut outcomes);
        let conflict = RowOutcome::Conflict { field: "content" };
        assert_eq!(outcomes, [RowOutcome::Imported, RowOutcome::Skipped, conflict]);
    }
}
