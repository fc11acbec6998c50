use domain::report::Step;

use super::transition::{Candidate, Decisions};
use crate::{
    Store,
    engine::{bulk, sql::Connection},
    error::Result,
};

impl Store {
    /// Makes the rejected and withdrawn reports among `ids` pending again. The public sees no change.
    pub async fn reopen(&self, ids: &[String]) -> Result<Decisions> {
        self.decide(Step::Reopen, ids).await
    }
}

/// Makes reports pending that are not public. The time of their publication is forgotten: approving them is
/// a publication like any other. Their place stays known, so that it stays a place with a report.
pub(super) async fn reopen(tx: &mut Connection, reports: &[Candidate]) -> Result<()> {
    bulk::insert(
        tx,
        "WITH reopened (seq) AS (",
        ") UPDATE reports
           SET status = 'PENDING', published_at = NULL
           FROM reopened WHERE reports.seq = reopened.seq",
        reports,
        |query, report| query.bind(report.seq),
    )
    .await
}
