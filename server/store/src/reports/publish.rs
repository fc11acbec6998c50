use domain::report::Step;

use super::{
    publication::{Occasion, Rows, publish},
    transition::{Candidate, Decisions},
};
use crate::{
    Store,
    engine::{sql::Connection, transaction::Times},
    error::Result,
};

impl Store {
    /// Publishes the pending reports among `ids` in one transaction. The others are refused, each
    /// with the reason, and don't change.
    pub async fn publish(&self, ids: &[String]) -> Result<Decisions> {
        self.decide(Step::Approve, ids).await
    }
}

/// Publishes pending reports as news.
pub(super) async fn approve(
    tx: &mut Connection,
    pending: &[Candidate],
    occasion: Occasion<'_>,
    times: Times,
) -> Result<()> {
    let seqs: Vec<i64> = pending.iter().map(|report| report.seq).collect();
    let reports: Vec<_> = pending.iter().map(|report| &report.report).collect();
    publish(tx, &reports, Rows::Pending(&seqs), occasion, times).await
}
