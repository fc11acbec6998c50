use super::{
    publication::{Occasion, Rows, publish},
    transition::{Decisions, candidates},
};
use crate::{
    domain::report::Status,
    store::{Store, error::Result},
};

impl Store {
    /// Publishes the pending reports among `ids` in one transaction. The others are refused, each
    /// with the reason, and don't change.
    pub async fn publish(&self, ids: &[String]) -> Result<Decisions> {
        let (clock, random) = (&self.clock, &self.random);
        self.write(move |tx, now| {
            Box::pin(async move {
                let (pending, decisions) =
                    candidates(tx, ids, Status::Pending, Status::Approved).await?;
                if !pending.is_empty() {
                    let seqs: Vec<i64> = pending.iter().map(|report| report.seq).collect();
                    let reports: Vec<_> = pending.iter().map(|report| &report.report).collect();
                    let occasion = Occasion::News { random, due_at: clock.now() };
                    publish(tx, &reports, Rows::Pending(&seqs), occasion, now).await?;
                }
                Ok(decisions)
            })
        })
        .await
    }
}
