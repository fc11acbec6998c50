//! Which of the servers in the URL is used, and whether it still is the same one.
//!
//! Every new connection asks who answers ([`Identity`]). Another server, the same one after a restart, or a replica
//! that took its place may lack the last transactions: then a new era begins. What this process remembers of
//! numbers in the database is true for one era only, and connections of an earlier one are not used again.
//!
//! Where the URL names several servers, or a pooler hides them, a task looks at the one in use four times a second, on a connection of its
//! own. When that fails, or it is not what the URL wants any more, all servers are asked, and the pools connect to
//! the one that is.

mod identity;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use sqlx::{ConnectOptions, Connection as _, PgConnection, PgPool, postgres::PgConnectOptions};
use tokio::{sync::watch, time::timeout};

pub(super) use self::identity::Identity;
use crate::engine::url::{ServersUrl, Wanted, address};

/// How often the server in use is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long a server may take for an answer before it is taken for dead.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// How long work waits for a server to come while there is none.
const MOMENT: Duration = Duration::from_secs(1);

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Servers {
    /// In the order of the URL.
    servers: Vec<PgConnectOptions>,
    wanted: Wanted,
    /// Whether each transaction may get another connection to the server.
    pub is_pooled: bool,
    state: Mutex<State>,
    /// How many servers this process has had.
    era: AtomicU64,
    /// Whether none of the servers is what the URL wants.
    away: watch::Sender<bool>,
    pools: OnceLock<Vec<PgPool>>,
}

#[derive(Debug)]
struct State {
    /// Where new connections lead.
    used: PgConnectOptions,
    /// Who answered last.
    identity: Option<Identity>,
    /// Connections that are older are not used any more.
    since: Instant,
}

impl Servers {
    /// Those of `url`, of which the wanted one is found.
    ///
    /// # Errors
    /// None of them is there, or none is what the URL wants.
    pub(super) async fn find(url: ServersUrl) -> sqlx::Result<Arc<Self>> {
        let found = Self::of(url)?;
        if found.servers.len() > 1 {
            let (used, _) = found.ask_all().await?;
            found.state().used = used;
        }
        Ok(found)
    }

    /// Those of `url`, the first for now.
    ///
    /// # Errors
    /// It has none.
    pub(super) fn of(url: ServersUrl) -> sqlx::Result<Arc<Self>> {
        let ServersUrl { servers, wanted, is_pooled } = url;
        let servers: Vec<_> = servers
            .into_iter()
            // The server's own default, which poolers such as pgbouncer need not pass on.
            .map(|server| server.disable_statement_logging().extra_float_digits(None))
            .map(|server| if is_pooled { server.statement_cache_capacity(0) } else { server })
            .collect();
        let Some(first) = servers.first().cloned() else {
            return Err(sqlx::Error::Configuration("the URL names no server".into()));
        };
        let state = Mutex::new(State { used: first, identity: None, since: Instant::now() });
        let (era, away, pools) = (AtomicU64::new(0), watch::Sender::new(false), OnceLock::new());
        Ok(Arc::new(Self { servers, wanted, is_pooled, state, era, away, pools }))
    }

    /// Where new connections lead.
    pub(super) fn used(&self) -> PgConnectOptions {
        self.state().used.clone()
    }

    /// Has `pools` follow the server in use.
    pub(super) fn lead(self: &Arc<Self>, pools: Vec<PgPool>) {
        // A pooler hides that the server behind it is another one.
        let watched = self.servers.len() > 1 || self.is_pooled;
        if self.pools.set(pools).is_ok() && watched {
            tokio::spawn(follow(Arc::downgrade(self)));
        }
    }

    /// The number of the server, of all that this process has had: what was read in one era need not be true in
    /// another.
    pub(crate) fn era(&self) -> u64 {
        self.era.load(Ordering::Acquire)
    }

    /// Finds out who answers on a new connection.
    ///
    /// # Errors
    /// It is not a server that the URL wants.
    pub(super) async fn greet(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let identity = Identity::of(connection).await?;
        // One that only prefers a replica takes whatever was found.
        if !identity.is(self.wanted) && self.wanted != Wanted::PreferStandby {
            return Err(unwanted(self.wanted));
        }
        self.note(identity);
        Ok(())
    }

    /// Whether a connection of this age is one to the server in use.
    pub(super) fn is_current(&self, age: Duration) -> bool {
        Instant::now().checked_sub(age).is_none_or(|opened| opened >= self.state().since)
    }

    /// Waits for a connection, but only for a moment while there is known to be no server: whoever asks is told to come
    /// again.
    pub(super) async fn while_there<T>(
        &self,
        connecting: impl Future<Output = sqlx::Result<T>>,
    ) -> sqlx::Result<T> {
        let mut away = self.away.subscribe();
        let gone = async {
            // Fails only if nobody is left to say so.
            let _ = away.wait_for(|is_away| *is_away).await;
            tokio::time::sleep(MOMENT).await;
        };
        tokio::select! {
            biased;
            connected = connecting => connected,
            () = gone => Err(unwanted(self.wanted)),
        }
    }

    fn note(&self, identity: Identity) {
        let mut state = self.state();
        if state.identity.as_ref() == Some(&identity) {
            return;
        }
        if state.identity.replace(identity).is_some() {
            state.since = Instant::now();
            self.era.fetch_add(1, Ordering::AcqRel);
            tracing::warn!(
                "the database server is another one now, or was restarted: what was remembered of it is read again"
            );
        }
    }

    /// Asks all servers who they are; the wanted one, if there are several, is the one with the longest history.
    async fn ask_all(&self) -> sqlx::Result<(PgConnectOptions, Identity)> {
        let asked = join_all(self.servers.iter().map(ask)).await;
        let mut failed = None;
        let mut found: Option<(PgConnectOptions, Identity)> = None;
        for (server, answer) in self.servers.iter().zip(asked) {
            match answer {
                Err(error) => failed = Some(error),
                Ok(identity) => {
                    let better =
                        |(_, other): &(_, Identity)| identity.is_better(other, self.wanted);
                    if identity.is(self.wanted) && found.as_ref().is_none_or(better) {
                        found = Some((server.clone(), identity));
                    }
                }
            }
        }
        found.ok_or_else(|| failed.unwrap_or_else(|| unwanted(self.wanted)))
    }

    /// Connects all pools to the wanted server, if there is one.
    async fn find_again(&self) -> Option<PgConnection> {
        let found = self.try_to_find().await;
        self.away.send_replace(found.is_none());
        found
    }

    async fn try_to_find(&self) -> Option<PgConnection> {
        let (used, identity) = self.ask_all().await.ok()?;
        let connection = timeout(PATIENCE, used.connect()).await.ok()?.ok()?;
        let before = std::mem::replace(&mut self.state().used, used.clone());
        for pool in self.pools.get().into_iter().flatten() {
            pool.set_connect_options(used.clone());
        }
        self.note(identity);
        let (before, now) = (address(&before, false), address(&used, false));
        if before != now {
            tracing::warn!("the database is on {now} now; before, it was on {before}");
        }
        Some(connection)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn ask(server: &PgConnectOptions) -> sqlx::Result<Identity> {
    let asked = timeout(PATIENCE, async {
        let mut connection = server.connect().await?;
        let identity = Identity::of(&mut connection).await?;
        connection.close().await?;
        Ok(identity)
    });
    asked.await.unwrap_or_else(|_| Err(silent()))
}

/// Looks at the server in use for as long as anybody uses it.
async fn follow(servers: Weak<Servers>) {
    let mut connection: Option<PgConnection> = None;
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let Some(servers) = servers.upgrade() else { return };
        if servers.pools.get().into_iter().flatten().all(PgPool::is_closed) {
            return;
        }
        let Some(open) = &mut connection else {
            connection = servers.find_again().await;
            continue;
        };
        let identity = timeout(PATIENCE, Identity::of(open)).await;
        match identity {
            Ok(Ok(identity)) if identity.is(servers.wanted) => servers.note(identity),
            _ => connection = servers.find_again().await,
        }
    }
}

/// The server holds connections, but does not answer.
pub(super) fn silent() -> sqlx::Error {
    sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())
}

fn unwanted(wanted: Wanted) -> sqlx::Error {
    let what = match wanted {
        Wanted::ReadWrite | Wanted::Primary => {
            "none of the servers is a primary that accepts changes"
        }
        Wanted::Standby | Wanted::ReadOnly => "none of the servers is a replica",
        Wanted::Any | Wanted::PreferStandby => "none of the servers answers",
    };
    sqlx::Error::Io(std::io::Error::other(what))
}
