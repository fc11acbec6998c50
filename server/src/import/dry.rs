//! What a dry run must remember: it writes nothing, so the store does not know the rows before.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use chrono::{DateTime, NaiveDate, Utc};

use crate::store::{NewReport, RowOutcome};

/// The rows that would have been imported, by hash.
#[derive(Default)]
pub(super) struct DryIds {
    hasher: RandomState,
    contents: HashMap<u64, u64>,
}

impl DryIds {
    /// Corrects the outcomes of a batch by the batches before it.
    pub(super) fn correct(&mut self, reports: &[NewReport], outcomes: &mut [RowOutcome]) {
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

/// What the row itself says, without the dates that follow from the clock.
fn said(report: &NewReport) -> NewReport {
    let mut said = NewReport { id: String::new(), ..report.clone() };
    if !said.event_date_given {
        said.event_date = NaiveDate::default();
    }
    if !said.created_at_given {
        said.created_at = DateTime::<Utc>::UNIX_EPOCH;
    }
    said
}
