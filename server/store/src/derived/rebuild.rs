//! Rebuild: corrects all derived data from the reports, while others keep reading and writing.
//!
//! Every transaction is short, and each one reduces the differences. A killed rebuild is therefore resumed by starting
//! again: correct data is only read. Counts are corrected by adding the difference found in one consistent read, see
//! [`recount`](crate::counters::recount), so only one rebuild may run at a time.

use chrono::{DateTime, Utc};

use super::{
    kind::{Derived, rebuild_all},
    lease::Lease,
    rebuilt::Rebuilt,
};
use crate::{
    Store,
    engine::transaction::{Timed, Times, Turn},
    error::Result,
    progress::{Progress, Stage, Watcher},
    version,
};

impl Store {
    /// Corrects counts, sets of cities, lists and places from the reports, while others read and write, and calls
    /// `watcher` with its progress. Start it again if it was interrupted.
    ///
    /// # Errors
    /// [`Error::Superseded`](crate::Error) if it stalled for so long that another rebuild began.
    pub async fn rebuild(&self, watcher: Watcher<'_>) -> Result<Rebuilt> {
        let waiting = || watcher(Progress { stage: Stage::Waiting, done: 0, of: 0 });
        let lease = Lease::take(self, waiting).await?;
        let rebuild = Rebuild { store: self, lease, watcher };
        lease.during(self, rebuild.run()).await
    }
}

/// Rebuild in progress.
#[derive(Clone, Copy)]
pub(super) struct Rebuild<'a> {
    pub store: &'a Store,
    lease: Lease,
    pub watcher: Watcher<'a>,
}

impl Rebuild<'_> {
    async fn run(self) -> Result<Rebuilt> {
        let (mut rebuilt, facts) = rebuild_all(self).await?;
        rebuilt.reports = facts.counted;
        self.finish(facts.last_published_at).await?;
        Ok(rebuilt)
    }

    /// Corrects faults in a transaction, unless another rebuild has begun.
    pub(super) async fn correct<D: Derived>(&self, faults: &[D::Fault]) -> Result<Timed<u64>> {
        let lease = self.lease;
        self.store
            .change(D::TURN, move |tx, Times { now, .. }| {
                Box::pin(async move {
                    lease.assert(tx).await?;
                    let corrected = D::correct(tx, faults).await?;
                    version::bump(tx, now).await?;
                    Ok(corrected)
                })
            })
            .await
    }

    /// Notes that all derived data is current. The last change is never earlier than the last publication.
    async fn finish(self, last_published_at: Option<DateTime<Utc>>) -> Result<()> {
        let finished = self.store.change(Turn::Publishing, move |tx, Times { now, .. }| {
            Box::pin(async move {
                self.lease.assert(tx).await?;
                super::set_current(tx).await?;
                version::bump(tx, last_published_at.map_or(now, |last| last.max(now))).await
            })
        });
        finished.await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
