use base::random::Random;
use chrono::{DateTime, Utc};
use domain::report::{Status, Step};

use super::{
    segments,
    transition::{Candidate, Decisions, set_status},
};
use crate::{
    Store, counters::rollup::Tally, engine::sql::Connection, error::Result, events::outbox, version,
};

impl Store {
    /// Withdraws published reports from the lists and the counters, in one transaction.
    pub async fn withdraw(&self, ids: &[String]) -> Result<Decisions> {
        self.decide(Step::Withdraw, ids).await
    }
}

/// Withdraws approved reports. Partners are notified.
pub(super) async fn withdraw(
    tx: &mut Connection,
    reports: &[Candidate],
    now: DateTime<Utc>,
    random: &Random,
) -> Result<()> {
    let counted = reports.iter().map(Candidate::counted).collect::<Result<Vec<_>>>()?;
    Tally::of(&counted)?.count_out(tx).await?;
    let positions: Vec<i64> = reports.iter().filter_map(|report| report.position).collect();
    segments::remove(tx, &positions).await?;
    set_status(tx, reports, Status::Withdrawn).await?;
    let withdrawn = reports.iter().map(|report| &report.report);
    outbox::write_withdrawn(tx, withdrawn, now, random).await?;
    version::revise(tx).await?;
    version::bump(tx, now).await
}
