use super::segments;
use super::transition::{Candidate, Decisions, candidates, set_status};
use crate::{
    domain::report::Status,
    store::{Store, counters::rollup::Tally, error::Result, version},
};

impl Store {
    /// Takes published reports back: they leave the lists and the counters, in one transaction.
    pub async fn withdraw(&self, ids: &[String]) -> Result<Decisions> {
        self.write(move |tx, now| {
            Box::pin(async move {
                let (reports, decisions) =
                    candidates(tx, ids, Status::Approved, Status::Withdrawn).await?;
                if reports.is_empty() {
                    return Ok(decisions);
                }
                let counted = reports.iter().map(Candidate::counted).collect::<Result<Vec<_>>>()?;
                Tally::of(&counted)?.count_out(tx).await?;
                let positions: Vec<i64> =
                    reports.iter().filter_map(|report| report.position).collect();
                segments::remove(tx, &positions).await?;
                set_status(tx, &reports, Status::Withdrawn).await?;
                version::bump(tx, now).await?;
                Ok(decisions)
            })
        })
        .await
    }
}
