//! Reads the data that a service needs before it can serve, and waits for a database that is not available yet.
//!
//! If a node ended because its database is away, its supervisor would restart it again and again, and clients would get
//! no response. So the node waits, listens, and responds that it waits. It does not wait for a problem that only people
//! can fix, such as a wrong password: then the process ends with an error that contains the fix.

use std::time::Duration;

use base::{clock::Clock, random::Random};
use store::{self, Store};

use super::{Listeners, ServiceError, waiting::Waiting};
use crate::{config, keys::Keys, responses::snapshot::Snapshots, watchdog::Watchdog};

/// Time between two attempts to connect to a database that is away.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A database with its initial data in memory.
#[derive(Debug)]
pub struct Loaded {
    pub(super) store: Store,
    pub(super) snapshots: Snapshots,
    pub(super) keys: Keys,
}

impl Loaded {
    /// Reads the first snapshot and the keys.
    ///
    /// # Errors
    /// The database cannot be read, or its webhook secrets cannot be decrypted.
    pub async fn of(store: Store, clock: &Clock) -> store::Result<Self> {
        let store = store.with_clock(clock.clone());
        match Self::read(&store, clock).await {
            Ok((snapshots, keys)) => Ok(Self { store, snapshots, keys }),
            Err(error) => {
                store.close().await;
                Err(error)
            }
        }
    }

    async fn read(store: &Store, clock: &Clock) -> store::Result<(Snapshots, Keys)> {
        store.subscriptions().check_secrets().await?;
        let background = store.background();
        let snapshots = Snapshots::start(background.clone(), clock.clone()).await?;
        let snapshots = snapshots.with_watchdog(Watchdog::of_supervisor());
        Ok((snapshots, Keys::start(background, clock.clone()).await?))
    }

    /// Opens the database with `open`, loads it, and listens on the sockets to serve it. While the database is away,
    /// this tries once a second, and the sockets respond that the service waits. Safe to cancel.
    ///
    /// # Errors
    /// The database has a permanent error, or an address cannot be listened on.
    pub async fn when_possible(
        settings: &config::Serve,
        clock: &Clock,
        random: &Random,
        open: impl AsyncFn() -> store::Result<Store>,
    ) -> Result<(Self, Listeners), ServiceError> {
        let load = async || Self::of(open().await?, clock).await;
        let first = match load().await {
            Ok(loaded) => return Ok((loaded, Listeners::bind(settings, clock).await?)),
            Err(error) if error.is_temporary() => error,
            Err(error) => return Err(error.into()),
        };
        let listeners = Listeners::bind(settings, clock).await?;
        let waiting = Waiting::start(&listeners, settings, clock, random, first.to_string());
        let waiting = waiting.map_err(|why| ServiceError::Listen {
            flag: "--addr",
            addr: settings.addr,
            why,
        })?;
        tracing::warn!(
            error = %first,
            "the database cannot be used yet: this node waits for it, and answers requests with 503"
        );
        loop {
            clock.sleep(TRY_EVERY).await;
            match load().await {
                Ok(loaded) => {
                    tracing::info!("the database can be used: this node begins to serve");
                    waiting.end().await;
                    return Ok((loaded, listeners));
                }
                Err(error) if error.is_temporary() => waiting.because(error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
