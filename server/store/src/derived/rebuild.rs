//! Making everything that is derived agree with the reports, while others go on reading and writing.
//!
//! Every transaction is short, and after each one what is stored is nearer to what the reports say. A
//! rebuild that was killed is therefore continued by beginning again: what is right already is only read.
//! Counts are corrected by adding what one consistent read found missing, see
//! [`correct`](crate::counters::correct), so there is one rebuild at a time.

use std::{collections::HashMap, sync::Arc};

use base::time::instant_of_millis;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use roaring::RoaringBitmap;

use super::{
    lease::Lease,
    progress::{Progress, Rebuilt, Stage},
    scan::Scan,
};
use crate::{
    Store,
    counters::{
        correct,
        recount::{BucketFault, Recount},
        rollup::Bucket,
    },
    engine::{
        pace::Pace,
        sql::{self, Connection},
        transaction::{TURN, Timed, Tx},
    },
    error::Result,
    events,
    places::{
        atlas::{Atlas, Names},
        repair,
    },
    reports::{audit, relist, relocate::relocate},
    version,
};

/// Counts that are corrected in one transaction.
const COUNTS_AT_ONCE: u64 = if cfg!(test) { 4 } else { 4_096 };
/// Sets of cities that are made again in one transaction.
const BUCKETS_AT_ONCE: usize = if cfg!(test) { 1 } else { 64 };

/// A batch under way: how many reports it changes.
type Moving<'t> = BoxFuture<'t, Result<u64>>;

/// Told how far a rebuild is.
type Watcher<'w> = &'w (dyn Fn(Progress) + Send + Sync);

impl Store {
    /// Makes counts, sets of cities, lists and places agree with the reports, while others read and
    /// write, and says so to `watcher`. Begin it again if it did not end.
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
struct Rebuild<'a> {
    store: &'a Store,
    lease: Lease,
    watcher: Watcher<'a>,
}

/// What is to be done about the reports that were read.
struct Found {
    reports: u64,
    counts: u64,
    /// Buckets whose sets of cities are to be made again.
    cities: Vec<Bucket>,
    misplaced: Vec<i64>,
    names: HashMap<i64, (i64, Names)>,
    any_unused: bool,
    last_published_at: Option<i64>,
}

impl Rebuild<'_> {
    async fn run(self) -> Result<Rebuilt> {
        let mut rebuilt = Rebuilt { places: self.contain_places().await?, ..Rebuilt::default() };
        let found = self.count().await?;
        (rebuilt.reports, rebuilt.counts) = (found.reports, found.counts);
        rebuilt.sets_of_cities = found.cities.len() as u64;
        self.make_sets_of_cities(&found.cities).await?;
        (rebuilt.segments, rebuilt.listed) = self.list().await?;
        rebuilt.moved = self.relocate(&found.misplaced).await?;
        rebuilt.places += self.name_places(found.names).await?;
        if found.any_unused || rebuilt.moved > 0 {
            rebuilt.places += self.remove_unused_places().await?;
        }
        rebuilt.orphans = self.finish(found.last_published_at).await?;
        Ok(rebuilt)
    }

    fn say(&self, stage: Stage, done: u64, of: u64) {
        (self.watcher)(Progress { stage, done, of });
    }

    /// A short transaction, if no other rebuild has begun, and a pause in which others get their turn.
    async fn write<'s, T: Send + 's>(
        self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>
        + Send
        + Sync
        + 's,
    ) -> Result<T> {
        let done = self.write_timed(work).await?.done;
        tokio::time::sleep(TURN).await;
        Ok(done)
    }

    /// The same without the pause.
    async fn write_timed<'s, T: Send + 's>(
        self,
        work: impl for<'t> Fn(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>>
        + Send
        + Sync
        + 's,
    ) -> Result<Timed<T>> {
        let (lease, work) = (self.lease, Arc::new(work));
        let timed = self.store.write_timed::<T>(move |tx, now| {
            let work = Arc::clone(&work);
            Box::pin(async move {
                lease.assert(tx).await?;
                work(tx, now).await
            })
        });
        timed.await
    }

    async fn contain_places(self) -> Result<u64> {
        self.write(|tx, now| {
            Box::pin(async move {
                let changed = repair::contain(tx).await?;
                if changed > 0 {
                    version::bump(tx, now).await?;
                }
                Ok(changed)
            })
        })
        .await
    }

    /// Counts the reports again and corrects the counts.
    async fn count(self) -> Result<Found> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let of: i64 = sql::query_scalar("SELECT count(*) FROM reports")
                        .fetch_one(&mut **tx)
                        .await?;
                    let of = of.cast_unsigned();
                    let atlas = Atlas::read(tx).await?;
                    let read = |read| self.say(Stage::Reading, read, of);
                    let scan = Scan::read(tx, &atlas, |_| {}, read).await?;
                    let cities = atlas.cities()?;
                    let of = scan.sightings.len();
                    let mut found = Found {
                        reports: of,
                        counts: 0,
                        cities: Vec::new(),
                        misplaced: scan.misplaced,
                        names: scan.names,
                        any_unused: !atlas.unused(&scan.used).is_empty(),
                        last_published_at: scan.last_published_at,
                    };
                    let mut recount = Recount::new(tx, scan.sightings).await?;
                    let (mut faults, mut gathered) = (Vec::new(), 0);
                    while let Some(fault) = recount.next(tx, &atlas).await? {
                        self.say(Stage::Counting, of - recount.left(), of);
                        if fault.is_none() {
                            continue;
                        }
                        let counts = fault.counts();
                        found.counts += counts;
                        found.cities.extend(fault.presence.is_some().then_some(fault.bucket));
                        faults.push(fault);
                        gathered += counts;
                        if gathered >= COUNTS_AT_ONCE {
                            self.correct(std::mem::take(&mut faults), &cities).await?;
                            gathered = 0;
                        }
                    }
                    self.correct(faults, &cities).await?;
                    Ok(found)
                })
            })
            .await
    }

    async fn correct(self, faults: Vec<BucketFault>, cities: &RoaringBitmap) -> Result<()> {
        if faults.is_empty() {
            return Ok(());
        }
        let faults = &faults;
        self.write(move |tx, now| {
            Box::pin(async move {
                correct::counts(tx, faults, cities).await?;
                version::bump(tx, now).await
            })
        })
        .await
    }

    async fn make_sets_of_cities(self, buckets: &[Bucket]) -> Result<()> {
        for buckets in buckets.chunks(BUCKETS_AT_ONCE) {
            self.write(move |tx, now| {
                Box::pin(async move {
                    correct::cities_again(tx, buckets).await?;
                    version::bump(tx, now).await
                })
            })
            .await?;
        }
        Ok(())
    }

    /// Lists again what is listed wrongly or not at all. Returns how many segments and reports.
    async fn list(self) -> Result<(u64, u64)> {
        let compared = |done, of| self.say(Stage::Listing, done, of);
        let faults = self.store.read(move |tx| Box::pin(audit::faults(tx, compared))).await?;
        let segments = faults.segments.len() as u64;
        for segment in faults.segments {
            self.write(move |tx, now| {
                Box::pin(async move {
                    relist::again(tx, segment).await?;
                    version::revise(tx).await?;
                    version::bump(tx, now).await
                })
            })
            .await?;
        }
        if faults.sentences.is_empty() {
            return Ok((0, 0));
        }
        self.write(|tx, _| Box::pin(async move { relist::unlist_others(tx).await })).await?;
        let unlisted = self.store.read(|tx| Box::pin(audit::unlisted(tx))).await?;
        self.in_batches(
            &unlisted,
            |tx, seqs, now| Box::pin(relist::list_missing(tx, seqs, now)),
            |_| {},
        )
        .await?;
        Ok((segments, unlisted.len() as u64))
    }

    async fn relocate(self, misplaced: &[i64]) -> Result<u64> {
        let of = misplaced.len() as u64;
        self.in_batches(
            misplaced,
            |tx, seqs, now| Box::pin(relocate(tx, seqs, now)),
            |done| self.say(Stage::Moving, done, of),
        )
        .await
    }

    /// Does `work` with all of `seqs`, in transactions that are as long as others may wait. Calls `progress`
    /// with how many are done; returns the sum of what `work` does.
    async fn in_batches(
        self,
        seqs: &[i64],
        work: for<'t> fn(&'t mut Connection, &'t [i64], DateTime<Utc>) -> Moving<'t>,
        progress: impl Fn(u64),
    ) -> Result<u64> {
        let (mut left, mut pace, mut changed) = (seqs, Pace::of_history(), 0);
        while !left.is_empty() {
            let (batch, rest) = left.split_at(pace.next(left.len()).await.look_at);
            let Timed { done, held } =
                self.write_timed(move |tx, now| work(tx, batch, now)).await?;
            pace.learn(batch.len(), held);
            changed += done;
            left = rest;
            progress((seqs.len() - left.len()) as u64);
        }
        Ok(changed)
    }

    async fn name_places(self, names: HashMap<i64, (i64, Names)>) -> Result<u64> {
        if names.is_empty() {
            return Ok(0);
        }
        let names = &names;
        self.write(move |tx, now| {
            Box::pin(async move {
                let names: Vec<_> =
                    names.iter().map(|(place, (_, names))| (*place, names.clone())).collect();
                let renamed = repair::rename(tx, names).await?;
                version::bump(tx, now).await?;
                Ok(renamed)
            })
        })
        .await
    }

    async fn remove_unused_places(self) -> Result<u64> {
        self.store
            .write_unreferenced(move |tx| {
                Box::pin(async move {
                    self.lease.assert(tx).await?;
                    repair::remove_unused(tx).await
                })
            })
            .await
    }

    /// Removes orphans, and notes that everything is as this binary makes it.
    async fn finish(self, last_published_at: Option<i64>) -> Result<u64> {
        self.write(move |tx, now| {
            Box::pin(async move {
                let removed = events::audit::remove_orphans(tx).await?;
                super::set_current(tx).await?;
                let last = last_published_at.map(instant_of_millis);
                version::bump(tx, last.map_or(now, |last| last.max(now))).await?;
                Ok(removed)
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests;
