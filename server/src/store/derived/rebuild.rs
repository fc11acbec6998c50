//! Making everything that is derived agree with the reports, while others go on reading and writing.
//!
//! Every transaction is short, and after each one what is stored is nearer to what the reports say. A
//! rebuild that was killed is therefore continued by beginning again: what is right already is only read.
//! Counts are corrected by adding what one consistent read found missing, see
//! [`correct`](crate::store::counters::correct), so there is one rebuild at a time.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use indicatif::HumanCount;
use roaring::RoaringBitmap;

use super::{lease::Lease, scan::Scan};
use crate::{
    store::{
        Store,
        counters::{
            correct,
            presence::bit,
            recount::{BucketFault, Recount},
            rollup::Bucket,
        },
        engine::{
            pace::Pace,
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
    },
    time::instant_of_millis,
};

/// Counts that are corrected in one transaction.
const COUNTS_AT_ONCE: u64 = if cfg!(test) { 4 } else { 4_096 };

/// What a rebuild is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Another one is at work.
    Waiting,
    /// Reading the reports.
    Reading,
    /// Counting them, and correcting counts and sets of cities.
    Counting,
    /// Comparing segments of the lists with them, and listing reports again.
    Listing,
    /// Moving reports to the places that they name.
    Moving,
}

/// How far a rebuild is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    /// Reports or segments.
    pub done: u64,
    pub of: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, done, of } = self;
        match stage {
            Stage::Waiting => f.write_str("waiting for another process that is doing it"),
            Stage::Reading => write!(f, "{done} of {of} reports read"),
            Stage::Counting => write!(f, "{done} of {of} reports counted"),
            Stage::Listing => write!(f, "{done} of {of} segments of the lists compared"),
            Stage::Moving => write!(f, "{done} of {of} reports moved"),
        }
    }
}

/// What a rebuild corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rebuilt {
    /// Reports that were read: those that were published at some time.
    pub reports: u64,
    pub counts: u64,
    pub sets_of_cities: u64,
    /// Segments of the lists.
    pub segments: u64,
    /// Reports that no list had.
    pub listed: u64,
    /// Reports that are in another place now.
    pub moved: u64,
    /// Places that were changed or removed.
    pub places: u64,
    /// Deliveries and attempts that belonged to nothing.
    pub orphans: u64,
}

impl Rebuilt {
    /// Whether everything agreed with the reports already.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self { reports: self.reports, ..Self::default() }
    }
}

impl fmt::Display for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.counts, "count", "counts"),
            (self.sets_of_cities, "set of cities", "sets of cities"),
            (self.segments, "segment of the lists", "segments of the lists"),
            (self.listed, "report that no list had", "reports that no list had"),
            (self.moved, "report in a wrong place", "reports in wrong places"),
            (self.places, "place", "places"),
            (self.orphans, "leftover delivery or attempt", "leftover deliveries and attempts"),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(number, ..)| *number > 0)
            .map(|(number, one, many)| {
                format!("{} {}", HumanCount(number), if number == 1 { one } else { many })
            })
            .collect();
        match parts.split_last() {
            None => f.write_str("nothing"),
            Some((only, [])) => f.write_str(only),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
        }
    }
}

/// Told how far a rebuild is.
type Watcher<'w> = &'w (dyn Fn(Progress) + Send + Sync);

impl Store {
    /// Makes counts, sets of cities, lists and places agree with the reports, while others read and
    /// write, and says so to `watcher`. Begin it again if it did not end.
    ///
    /// # Errors
    /// [`Error::Superseded`](crate::store::Error) if it stood still for so long that another one began.
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
        self.make_sets_of_cities(found.cities).await?;
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
        work: impl for<'t> FnOnce(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>> + Send + 's,
    ) -> Result<T> {
        let done = self.write_timed(work).await?.done;
        tokio::time::sleep(TURN).await;
        Ok(done)
    }

    /// The same without the pause.
    async fn write_timed<'s, T: Send + 's>(
        self,
        work: impl for<'t> FnOnce(&'t mut Tx<'s>, DateTime<Utc>) -> BoxFuture<'t, Result<T>> + Send + 's,
    ) -> Result<Timed<T>> {
        let lease = self.lease;
        let timed = self.store.write_timed::<T>(move |tx, now| {
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
                    let of: i64 = sqlx::query_scalar("SELECT count(*) FROM reports")
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
        self.write(|tx, now| {
            Box::pin(async move {
                correct::counts(tx, &faults, cities).await?;
                version::bump(tx, now).await
            })
        })
        .await
    }

    async fn make_sets_of_cities(self, buckets: Vec<Bucket>) -> Result<()> {
        let known = Mutex::new((0, RoaringBitmap::new()));
        for bucket in buckets {
            let known = &known;
            self.write(|tx, now| {
                Box::pin(async move {
                    let after = known.lock().unwrap_or_else(PoisonError::into_inner).0;
                    let new: Vec<i64> =
                        sqlx::query_scalar("SELECT id FROM places WHERE level = 3 AND id > $1")
                            .bind(after)
                            .fetch_all(&mut **tx)
                            .await?;
                    let cities = {
                        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                        for city in new {
                            known.1.insert(bit(city)?);
                            known.0 = known.0.max(city);
                        }
                        known.clone()
                    };
                    correct::cities_again(tx, bucket, &cities.1).await?;
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
        self.write(|tx, _| Box::pin(async move { audit::unlist_others(tx).await })).await?;
        let unlisted = self.store.read(|tx| Box::pin(audit::unlisted(tx))).await?;
        let (mut left, mut pace) = (unlisted.as_slice(), Pace::of_history());
        while !left.is_empty() {
            let (seqs, rest) = left.split_at(pace.next(left.len()).await.look_at);
            let listed = self.write_timed(move |tx, now| {
                Box::pin(async move {
                    relist::unlisted(tx, seqs).await?;
                    version::revise(tx).await?;
                    version::bump(tx, now).await
                })
            });
            pace.learn(seqs.len(), listed.await?.held);
            left = rest;
        }
        Ok((segments, unlisted.len() as u64))
    }

    async fn relocate(self, misplaced: &[i64]) -> Result<u64> {
        let of = misplaced.len() as u64;
        let (mut left, mut pace, mut moved) = (misplaced, Pace::of_history(), 0);
        while !left.is_empty() {
            let (seqs, rest) = left.split_at(pace.next(left.len()).await.look_at);
            let moving = self
                .write_timed(move |tx, now| Box::pin(async move { relocate(tx, seqs, now).await }));
            let Timed { done, held } = moving.await?;
            pace.learn(seqs.len(), held);
            moved += done;
            left = rest;
            self.say(Stage::Moving, of - left.len() as u64, of);
        }
        Ok(moved)
    }

    async fn name_places(self, names: HashMap<i64, (i64, Names)>) -> Result<u64> {
        if names.is_empty() {
            return Ok(0);
        }
        self.write(|tx, now| {
            Box::pin(async move {
                let names = names.into_iter().map(|(place, (_, names))| (place, names));
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
