use super::{
    Store,
    error::Result,
    report::Status,
    transition::{Decisions, candidates, set_status},
};

impl Store {
    /// Rejects the pending reports among `ids`. The public sees no change.
    pub async fn reject(&self, ids: &[String]) -> Result<Decisions> {
        let mut tx = self.write().await?;
        let (reports, decisions) =
            candidates(&mut tx, ids, Status::Pending, Status::Rejected).await?;
        set_status(&mut tx, &reports, Status::Rejected).await?;
        tx.commit().await?;
        Ok(decisions)
    }
}
