use super::transition::{Decisions, candidates, set_status};
use crate::{
    domain::report::Status,
    store::{Store, error::Result},
};

impl Store {
    /// Rejects the pending reports among `ids`. The public sees no change.
    pub async fn reject(&self, ids: &[String]) -> Result<Decisions> {
        self.write(move |tx, _| {
            Box::pin(async move {
                let (reports, decisions) =
                    candidates(tx, ids, Status::Pending, Status::Rejected).await?;
                set_status(tx, &reports, Status::Rejected).await?;
                Ok(decisions)
            })
        })
        .await
    }
}
