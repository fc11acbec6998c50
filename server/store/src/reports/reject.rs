use domain::report::{Status, Step};

use super::transition::{Candidate, Decisions, set_status};
use crate::{Store, engine::sql::Connection, error::Result};

impl Store {
    /// Rejects the pending reports among `ids`. The public sees no change.
    pub async fn reject(&self, ids: &[String]) -> Result<Decisions> {
        self.decide(Step::Reject, ids).await
    }
}

/// Rejects pending reports.
pub(super) async fn reject(tx: &mut Connection, pending: &[Candidate]) -> Result<()> {
    set_status(tx, pending, Status::Rejected).await
}
