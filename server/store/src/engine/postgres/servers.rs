//! Selection of one server from the URL, and detection of its replacement.
//!
//! Every new connection reads the [`Identity`] of its server. Another server, the same one after a restart, or a
//! promoted replica may lack the last transactions, so a new [`Era`] begins. Numbers from the database that this process
//! remembers are valid within one era only, and so are connections: the pools are replaced, and operations on the old
//! ones end with an error, because a server that hangs would never respond to them.
//!
//! If the URL contains several servers, or a pooler hides them, a task polls the server in use four times a second, on
//! its own connection. If that fails, or the server no longer is of the wanted kind, the task queries all servers, and
//! selects the one that matches.

mod era;
mod identity;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use futures_util::future::join_all;
use sqlx::{ConnectOptions, Connection as _, PgConnection, postgres::PgConnectOptions};
use tokio::{sync::watch, time::timeout};

pub(crate) use self::era::Era;
pub(super) use self::identity::Identity;
use crate::engine::url::{ServersUrl, TargetSessionAttrs, address};

/// Interval for polling the server in use.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Timeout after which a server that does not respond counts as down.
pub(super) const TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum time that requests for a connection wait while no server is available.
const MOMENT: Duration = Duration::from_secs(1);

/// Servers of the URL; see the [module docs](self).
#[derive(Debug)]
pub(crate) struct Servers {
    /// In the order of the URL.
    servers: Vec<PgConnectOptions>,
    wanted: TargetSessionAttrs,
    /// Whether each transaction may get another connection to the server.
    pub is_pooled: bool,
    state: Mutex<State>,
    /// Number of the current era.
    era: watch::Sender<u64>,
    /// Whether none of the servers is of the wanted kind.
    away: watch::Sender<bool>,
}

#[derive(Debug)]
struct State {
    /// Server for new connections.
    used: PgConnectOptions,
    /// Identity that was read last.
    identity: Option<Identity>,
}

impl Servers {
    /// Servers of `url`, of which the wanted one is selected.
    ///
    /// # Errors
    /// No server is reachable, or none is of the wanted kind.
    pub(super) async fn find(url: ServersUrl) -> sqlx::Result<Arc<Self>> {
        let found = Self::of(url)?;
        if found.servers.len() > 1 {
            let (used, _) = found.ask_all().await?;
            found.state().used = used;
        }
        Ok(found)
    }

    /// Servers of `url`, of which the first is used for now.
    ///
    /// # Errors
    /// The URL has no server.
    pub(super) fn of(url: ServersUrl) -> sqlx::Result<Arc<Self>> {
        let ServersUrl { servers, wanted, is_pooled } = url;
        let servers: Vec<_> = servers
            .into_iter()
            // Uses the server's default, because poolers such as pgbouncer may not support this setting.
            .map(|server| server.disable_statement_logging().extra_float_digits(None))
            .map(|server| if is_pooled { server.statement_cache_capacity(0) } else { server })
            .collect();
        let Some(first) = servers.first().cloned() else {
            return Err(sqlx::Error::Configuration("the URL names no server".into()));
        };
        let state = Mutex::new(State { used: first, identity: None });
        let (era, away) = (watch::Sender::new(0), watch::Sender::new(false));
        Ok(Arc::new(Self { servers, wanted, is_pooled, state, era, away }))
    }

    /// Server for new connections.
    pub(super) fn used(&self) -> PgConnectOptions {
        self.state().used.clone()
    }

    /// Polls the server in use from now on, if it can be replaced while connections to it stay open.
    pub(super) fn watch(self: &Arc<Self>) {
        // A pooler hides a change of the server behind it.
        if self.servers.len() > 1 || self.is_pooled {
            tokio::spawn(follow(Arc::downgrade(self)));
        }
    }

    pub(crate) fn era(&self) -> Era {
        Era::current(&self.era)
    }

    /// Reads the identity of the server of a new connection.
    ///
    /// # Errors
    /// The server is not of the wanted kind.
    pub(super) async fn greet(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let identity = Identity::of(connection).await?;
        // With `prefer-standby`, any server is accepted.
        if !identity.is(self.wanted) && self.wanted != TargetSessionAttrs::PreferStandby {
            return Err(unwanted(self.wanted));
        }
        self.note(identity);
        Ok(())
    }

    /// Waits for a connection. While no server is available, it waits only for a moment, so that clients get an error
    /// soon and can retry.
    pub(super) async fn while_there<T>(
        &self,
        connecting: impl Future<Output = sqlx::Result<T>>,
    ) -> sqlx::Result<T> {
        let mut away = self.away.subscribe();
        let gone = async {
            // Fails only if the sender is gone.
            let _ = away.wait_for(|is_away| *is_away).await;
            tokio::time::sleep(MOMENT).await;
        };
        tokio::select! {
            biased;
            connected = connecting => connected,
            () = gone => Err(unwanted(self.wanted)),
        }
    }

    /// Begins a new era if the server is not the one whose identity was read last.
    fn note(&self, identity: Identity) {
        let mut state = self.state();
        if state.identity.as_ref() == Some(&identity) {
            return;
        }
        if state.identity.replace(identity).is_some() {
            self.begin_era();
            tracing::warn!("the database server has changed or restarted: its state is read again");
        }
    }

    fn begin_era(&self) {
        self.era.send_modify(|era| *era += 1);
    }

    /// Queries the identity of all servers, and selects the wanted one. If several match, the one with the longest
    /// history is selected.
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

    /// Selects the wanted server, if one is available, and connects to it.
    async fn find_again(&self) -> Option<PgConnection> {
        let found = self.try_to_find().await;
        self.away.send_replace(found.is_none());
        found
    }

    async fn try_to_find(&self) -> Option<PgConnection> {
        let (used, identity) = self.ask_all().await.ok()?;
        let connection = timeout(TIMEOUT, used.connect()).await.ok()?.ok()?;
        let now = address(&used, false);
        let before = address(&std::mem::replace(&mut self.state().used, used), false);
        let era = self.era();
        self.note(identity);
        if before != now {
            tracing::warn!("the database is on {now} now; before, it was on {before}");
            // A server may have several addresses.
            if !era.is_over() {
                self.begin_era();
            }
        }
        Some(connection)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn ask(server: &PgConnectOptions) -> sqlx::Result<Identity> {
    let asked = timeout(TIMEOUT, async {
        let mut connection = server.connect().await?;
        let identity = Identity::of(&mut connection).await?;
        connection.close().await?;
        Ok(identity)
    });
    asked.await.unwrap_or_else(|_| Err(silent()))
}

/// Polls the server in use until `servers` is dropped.
async fn follow(servers: Weak<Servers>) {
    let mut connection: Option<PgConnection> = None;
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let Some(servers) = servers.upgrade() else { return };
        let Some(open) = &mut connection else {
            connection = servers.find_again().await;
            continue;
        };
        let identity = timeout(TIMEOUT, Identity::of(open)).await;
        match identity {
            Ok(Ok(identity)) if identity.is(servers.wanted) => servers.note(identity),
            _ => connection = servers.find_again().await,
        }
    }
}

/// Error of a server that holds connections, but does not respond.
pub(super) fn silent() -> sqlx::Error {
    sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())
}

fn unwanted(wanted: TargetSessionAttrs) -> sqlx::Error {
    let what = match wanted {
        TargetSessionAttrs::ReadWrite | TargetSessionAttrs::Primary => {
            "none of the servers is a primary that accepts changes"
        }
        TargetSessionAttrs::Standby | TargetSessionAttrs::ReadOnly => {
            "none of the servers is a replica"
        }
        TargetSessionAttrs::Any | TargetSessionAttrs::PreferStandby => {
            "none of the servers responds"
        }
    };
    sqlx::Error::Io(std::io::Error::other(what))
}
