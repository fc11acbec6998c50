//! A replica that readers are sent to while it is at most a second behind the primary.
//!
//! One task compares the data versions of both four times a second ([`Comparison`]). A read looks at what that found
//! last, so none waits for a replica that is known to be away. It takes a connection only if one is idle, and in its
//! transaction makes sure that the replica has everything that this process has seen of the primary: nobody sees
//! time run backwards. Where any of that fails, the primary is asked.

mod comparison;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use tokio::time::timeout;

use self::comparison::{Comparison, Standing};
use super::{connections::Connections, servers::Servers};
use crate::store::{
    Store,
    engine::{
        sql::Connection,
        transaction::Tx,
        url::{DatabaseUrl, ServersUrl},
    },
    error::{Error, Result},
    version::{LastChange, last_change},
};

/// Connections to the replica.
const READERS: u32 = 8;
/// How often both are compared.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long a look at one of them may take.
const LOOK_PATIENCE: Duration = Duration::from_secs(1);
/// How long a read waits for the replica to begin, and then to answer, before it asks the primary.
const BEGIN_PATIENCE: Duration = Duration::from_millis(250);
const READ_PATIENCE: Duration = Duration::from_secs(2);

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// See the [module](self).
#[derive(Debug)]
pub(in crate::store) struct Replica {
    name: String,
    readers: Connections,
    /// The era in which the replica was found fresh, plus one; 0 while it was not.
    fresh_in: AtomicU64,
    /// The last change of the primary that this process has seen.
    seen: Mutex<Option<LastChange>>,
    comparison: Mutex<Comparison>,
    reads: AtomicU64,
}

/// What the operator is told of the replica.
#[derive(Clone, Copy, Debug)]
pub struct ReplicaStatus {
    pub is_used: bool,
    /// How long the replica has lacked what the primary has; since it answered last, if it does not answer.
    pub behind: Duration,
    /// How many reads it has answered.
    pub reads: u64,
}

impl Replica {
    fn new(url: ServersUrl) -> Result<Self> {
        let name = url.name();
        let servers = Servers::of(url)?;
        let readers = Connections::new(&servers, READERS, LOOK_PATIENCE);
        servers.lead(readers.pools().to_vec());
        Ok(Self {
            name,
            readers,
            fresh_in: AtomicU64::new(0),
            seen: Mutex::new(None),
            comparison: Mutex::new(Comparison::new(Instant::now())),
            reads: AtomicU64::new(0),
        })
    }

    /// Begins a read of the replica if that is as new as it has to be, in this era of the primary.
    async fn begin(&self, era: u64) -> Option<Connection> {
        if self.fresh_in.load(Ordering::Acquire) != era + 1 {
            return None;
        }
        let begun = timeout(BEGIN_PATIENCE, self.begin_if_current(era)).await;
        if !matches!(begun, Ok(Ok(_))) {
            // Until the next comparison nobody else tries.
            self.fresh_in.store(0, Ordering::Release);
        }
        begun.ok()?.ok()?
    }

    async fn begin_if_current(&self, era: u64) -> Result<Option<Connection>> {
        let Some(begun) = self.readers.begin_if_idle(BEGIN, era).await? else {
            self.connect_one_more();
            return Ok(None);
        };
        let mut connection = Connection::Postgres(begun);
        let there = last_change(&mut connection).await?;
        let seen = *self.seen();
        let is_current = seen.is_some_and(|seen| seen.era == era && there.version >= seen.version);
        Ok(is_current.then_some(connection))
    }

    /// The next reads will find it.
    fn connect_one_more(&self) {
        if self.readers.size() < READERS {
            let readers = self.readers.clone();
            tokio::spawn(async move { readers.acquire().await.map(drop) });
        }
    }

    /// Readers of this process may have seen `last`, so nothing older is to follow.
    fn note(&self, last: LastChange) {
        let mut seen = self.seen();
        if seen.is_none_or(|seen| (seen.era, seen.version) < (last.era, last.version)) {
            *seen = Some(last);
        }
    }

    /// Compares the replica with the primary.
    async fn compare(&self, primary: &Store) {
        // The replica first: it cannot be ahead of what the primary has a moment later.
        let there = timeout(LOOK_PATIENCE, self.last_change()).await;
        let here = timeout(LOOK_PATIENCE, primary.last_change()).await;
        let (here, there) = (answered(here), answered(there));
        let era = here.as_ref().ok().map(|here| here.era);
        let mut comparison = self.comparison();
        let before = comparison.standing;
        let standing = comparison.look(Instant::now(), here, there);
        drop(comparison);
        let fresh_in = era.filter(|_| standing == Standing::Fresh).map_or(0, |era| era + 1);
        self.fresh_in.store(fresh_in, Ordering::Release);
        if standing != before {
            standing.announce(&self.name);
        }
    }

    async fn last_change(&self) -> Result<LastChange> {
        let mut connection = Connection::Postgres(self.readers.begin(BEGIN).await?);
        last_change(&mut connection).await
    }

    pub(in crate::store) async fn close(&self) {
        self.readers.close_all().await;
    }

    pub(in crate::store::engine) fn connections(&self) -> &Connections {
        &self.readers
    }

    fn status(&self) -> ReplicaStatus {
        let behind = self.comparison().behind(Instant::now());
        let is_used = self.fresh_in.load(Ordering::Relaxed) > 0;
        ReplicaStatus { is_used, behind, reads: self.reads.load(Ordering::Relaxed) }
    }

    fn seen(&self) -> MutexGuard<'_, Option<LastChange>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn comparison(&self) -> MutexGuard<'_, Comparison> {
        self.comparison.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answered(
    answer: Result<Result<LastChange>, tokio::time::error::Elapsed>,
) -> Result<LastChange, String> {
    match answer {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("it does not answer".to_owned()),
    }
}

/// Whether `url` can be that of a replica.
///
/// # Errors
/// It is not a URL of PostgreSQL.
pub fn check_read_url(url: &str) -> Result<()> {
    match DatabaseUrl::parse(url)? {
        DatabaseUrl::Sqlite(_) => Err(Error::UnreplicatedFile),
        DatabaseUrl::Postgres(_) => Ok(()),
    }
}

impl Store {
    /// The same database, of which readers are sent to the replica at `url` while that is fresh and
    /// [`watch_replica`](Self::watch_replica) runs.
    ///
    /// # Errors
    /// This or the other one is a file.
    pub fn with_replica(self, url: &str) -> Result<Self> {
        self.engine().has_replicas().then_some(()).ok_or(Error::UnreplicatedFile)?;
        match DatabaseUrl::parse(url)? {
            DatabaseUrl::Sqlite(_) => Err(Error::UnreplicatedFile),
            DatabaseUrl::Postgres(url) => {
                Ok(Self { replica: Some(Arc::new(Replica::new(url)?)), ..self })
            }
        }
    }

    /// Compares the replica, if there is one, with the primary, forever.
    pub async fn watch_replica(&self) {
        let Some(replica) = &self.replica else { return std::future::pending().await };
        loop {
            replica.compare(self).await;
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// How the replica is doing, if there is one.
    #[must_use]
    pub fn replica_status(&self) -> Option<ReplicaStatus> {
        self.replica.as_ref().map(|replica| replica.status())
    }

    /// What was read of the primary, and may be shown to clients.
    pub(in crate::store) fn note_last_change(&self, last: LastChange) {
        if let Some(replica) = &self.replica {
            replica.note(last);
        }
    }

    /// Reads what the public is shown, from the replica if it is fresh. All reads in `work` see the same state. It may
    /// be run a second time.
    pub(in crate::store) async fn read_shown<'s, T>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx<'s>) -> BoxFuture<'t, Result<T>>,
    ) -> Result<T> {
        if let Some(replica) = &self.replica {
            let era = self.era();
            // Else the transaction is of an era that is over.
            if let Some(begun) = replica.begin(era).boxed().await
                && era == self.era()
            {
                let mut tx = Tx::new(begun);
                match timeout(READ_PATIENCE, work(&mut tx)).await {
                    Ok(Ok(done)) => {
                        replica.reads.fetch_add(1, Ordering::Relaxed);
                        return Ok(done);
                    }
                    // A replica may also end reads of what it has to remove.
                    Ok(Err(error)) => tracing::debug!(%error, "a read of the replica failed"),
                    Err(_) => replica.fresh_in.store(0, Ordering::Release),
                }
            }
        }
        self.read(work).await
    }
}
