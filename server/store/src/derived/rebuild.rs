//! Making everything that is derived agree with the reports, while others go on reading and writing.
//!
//! Every transaction is short, and after each one what is stored is nearer to what the reports come to. A
//! rebuild that was killed is therefore continued by starting again: what is right already is only read.
//! Counts are corrected by adding what one consistent read found missing, see
//! [`recount`](crate::counters::recount), so there is one rebuild at a time.

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
    /// Makes counts, sets of cities, lists and places agree with the reports, while others read and
    /// write, and calls `watcher` with its progress. Begin it again if it did not end.
    ///
    /// # Errors
    /// [`Error::Superseded`](crate::Error) if it stood still for so long that another one began.
    pub async fn rebuild(&self, watcher: Watcher<'_>) -> Result<Rebuilt> {
        let waiting = || watcher(Progress { stage: Stage::Waiting, done: 0, of: 0 });
        let lease = Lease::take(self, waiting).await?;
        let rebuild = Rebuild { store: self, lease, watcher };
        lease.during(self, rebuild.run()).await
    }
}

/// One that is under way.
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

    /// Corrects faults in a transaction, if no other rebuild has begun.
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

    /// Notes that everything is as this binary makes it. No change may be earlier than a publication.
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
