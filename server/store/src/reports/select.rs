//! Selection of reports by their properties, for a decision or a list.
//!
//! A decision on many reports takes several transactions. Its reports are therefore selected once,
//! by number, in one consistent read before the first transaction. Reports that arrive later are
//! not affected.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::RangeInclusive,
};

use domain::report::Step;

use super::{imports, page::numbers, selection::Selection};
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::Result,
};

/// Numbers of the reports selected for a decision, in the order in which the reports were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    seqs: Vec<i64>,
    /// Number of reports already decided on.
    taken: usize,
}

impl Selected {
    /// The reports with these numbers.
    pub(super) fn of(mut seqs: Vec<i64>) -> Self {
        seqs.sort_unstable();
        seqs.dedup();
        Self { seqs, taken: 0 }
    }

    /// Returns the number of remaining reports.
    pub fn len(&self) -> u64 {
        (self.seqs.len() - self.taken) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a digest that identifies the selected reports.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.seqs.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the next reports to decide on.
    pub(super) fn first(&self, most: usize) -> &[i64] {
        &self.seqs[self.taken..self.seqs.len().min(self.taken.saturating_add(most))]
    }

    /// Skips the next `count` reports.
    pub(super) fn advance(&mut self, count: usize) {
        self.taken = self.seqs.len().min(self.taken + count);
    }
}

impl areas::Reports<'_> {
    /// Returns the reports of a selection that allow `step` now. Uses 8 bytes of memory per report.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn select(self, step: Step, selection: &Selection) -> Result<Selected> {
        let store = self.store;
        store
            .read(move |tx| {
                Box::pin(async move {
                    let mut seqs = Vec::new();
                    let wanted = selection.status;
                    for status in step.from() {
                        if wanted.is_none_or(|wanted| wanted == *status) {
                            seqs.extend(numbers(tx, store, *status, selection).await?);
                        }
                    }
                    Ok(Selected::of(seqs))
                })
            })
            .await
    }
}

/// Returns the ranges of numbers that contain the reports of a selection.
pub(super) async fn ranges(
    tx: &mut Connection,
    selection: &Selection,
) -> Result<Vec<RangeInclusive<i64>>> {
    match selection.import {
        Some(import) => imports::ranges(tx, import).await,
        None => {
            let last: Option<i64> =
                sql::query_scalar("SELECT max(seq) FROM reports").fetch_one(tx).await?;
            Ok(last.map(|last| 1..=last).into_iter().collect())
        }
    }
}
