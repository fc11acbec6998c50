use super::{
    Store,
    error::{Error, Result},
    report::Status,
    rollup::{self, Counted},
    transition::{Candidate, Decisions, candidates, set_status},
    version,
};
use crate::time::{date_of_day, instant_of_millis};

impl Store {
    /// Takes published reports back: they leave the lists and the counters, in one transaction.
    pub async fn withdraw(&self, ids: &[String]) -> Result<Decisions> {
        let mut tx = self.write().await?;
        let (reports, decisions) =
            candidates(&mut tx, ids, Status::Approved, Status::Withdrawn).await?;
        if reports.is_empty() {
            return Ok(decisions);
        }
        let counted = reports.iter().map(counted).collect::<Result<Vec<_>>>()?;
        rollup::count_out(&mut tx, &counted).await?;
        set_status(&mut tx, &reports, Status::Withdrawn).await?;
        version::move_on(&mut tx).await?;
        tx.commit().await?;
        Ok(decisions)
    }
}

fn counted(report: &Candidate) -> Result<Counted> {
    match (report.lineage, report.published_at) {
        (Some(lineage), Some(published_at)) => Ok(Counted {
            lineage,
            kind: report.kind,
            event_date: date_of_day(report.event_day),
            published_at: instant_of_millis(published_at),
        }),
        _ => Err(Error::Damaged(format!("approved report {:?} has no place", report.id))),
    }
}
